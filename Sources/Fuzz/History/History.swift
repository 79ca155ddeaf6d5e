import SimKernel

/// What a history needs to be judged without its scenario.
public struct HistoryHeader: Hashable, Sendable {
  /// The version of the history file format.
  public static let currentVersion = 1

  public var version: Int = HistoryHeader.currentVersion
  /// The seed that generated the scenario; absent for stored scenarios.
  public var seed: UInt64?
  public var profile: String = ""
  public var name: String = ""
  /// Source revision, zlib and Swift versions (determinism rule 4).
  public var build: String = ""
  /// The wall clock at instant 0 in true time: nanoseconds since the Unix epoch.
  public var trueEpoch: Int64 = 0
  /// App and device as the SDK reads them at launch.
  public var device = DeviceDescription()
  /// No faults, no endings with anything unsent, fixed delays: the model must predict exactly.
  public var isCalm: Bool = false
  public var hasFixedDelays: Bool = false
  /// The longest the world itself may hold a job or a disk step back, in nanoseconds.
  public var longestHandOff: Int64 = 0
  public var canaries: [Canary] = []
  /// Where the SDK may write, without a trailing slash.
  public var storageDirectory: String = "Library/Application Support/PostlipMetrics"
  /// The app shares its container with extensions: its processes have to lock it.
  public var hasSharedGroup: Bool = false
  /// The app has a crash reporter that was installed before the SDK.
  public var hasEarlierReporter: Bool = false
  /// How the app's copy came onto the device.
  public var distribution: DistributionKind = .appStore
  /// What is looked at of the collector; nil is nothing.
  public var collector: CollectorSettings?
  /// Where the requests of the device come from.
  public var networkAddress: String = "203.0.113.77"

  public init() {}
}

/// What an app's collector does beyond storing.
public struct CollectorSettings: Hashable, Sendable {
  /// Where conversions go.
  public var destinations: [AdPlatform] = []
  /// The events that are conversions.
  public var conversions: [String] = []
  /// From the arrival of a conversion until it is delivered.
  public var deliveryMilliseconds: Int64 = 2_000

  public init() {}
}

/// The app and device around the SDK, as ground truth.
public struct DeviceDescription: Hashable, Sendable {
  public var appName: String = "Kiosk"
  public var appNamespace: String = "com.example.kiosk"
  public var deviceType: String = "phone"
  public var deviceManufacturer: String = "Apple"
  public var deviceModel: String = "iPhone15,2"
  public var systemName: String = "iOS"
  public var systemVersion: String = "17.5.1"
  public var screenWidth: Int = 393
  public var screenHeight: Int = 852
  /// Width and height in one.
  public var screenSize: ScreenSize {
    ScreenSize(width: UInt32(clamping: screenWidth), height: UInt32(clamping: screenHeight))
  }
  /// What advertisers know the device by, where the user lets an app track.
  public var advertisingId: String = "6D92078A-8246-4BA4-AE5B-76104861E7DC"
  /// What all apps of one vendor know the device by; no business of the SDK.
  public var vendorId: String = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"

  public init() {}
}

/// A secret of the world and where it may legally appear.
public struct Canary: Hashable, Sendable {
  /// What a secret is.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case trait
    /// A private part of the texts of a crash.
    case crash
    case property
    case writeKey
    /// The token for Apple's attribution API, which alone may see it.
    case token
    case appIdentity
    /// May be sent to the collector where all three conditions hold; never on disk.
    case advertisingId
    /// Nowhere.
    case vendorId
    /// Where the device's requests come from: nowhere in what the device itself writes or sends.
    case networkAddress
    /// Contact data in traits: as a trait.
    case email
    case phone
    /// In what an app throws or passes: never in a crash record.
    case query
    case userPath
  }

  public var kind: Kind
  public var text: String

  public init(kind: Kind, text: String) {
    self.kind = kind
    self.text = text
  }
}

/// Everything that happened in one run: append-only, plain records beside one arena of bytes.
public final class History {
  public var header: HistoryHeader
  public private(set) var records: [Record] = []
  public private(set) var arena: [UInt8] = []
  /// The host calls of the run, in the order made; facts refer to them by index.
  public private(set) var calls: [HostCall] = []
  private var names = Lookup<String, ByteSlice>()

  public init(header: HistoryHeader) {
    self.header = header
    records.reserveCapacity(4_096)
    arena.reserveCapacity(1 << 20)
  }

  /// Adds a record.
  public func append(_ fact: Fact, at instant: Instant, process: Int32) {
    append(Record(instant: instant, process: process, fact: fact))
  }

  public func append(_ record: Record) { records.append(record) }

  /// Adds a host call and gives its index.
  public func add(_ call: HostCall) -> UInt32 {
    calls.append(call)
    return UInt32(calls.count - 1)
  }

  /// Copies bytes into the arena.
  public func store(_ bytes: [UInt8]) -> ByteSlice {
    bytes.withUnsafeBytes { store($0) }
  }

  /// Copies bytes into the arena.
  public func store(_ bytes: UnsafeRawBufferPointer) -> ByteSlice {
    if bytes.isEmpty { return .empty }
    let slice = ByteSlice(offset: UInt32(arena.count), count: UInt32(bytes.count))
    arena.append(contentsOf: bytes)
    return slice
  }

  /// Copies the UTF-8 bytes of a string into the arena.
  public func store(_ text: String) -> ByteSlice {
    var text = text
    return text.withUTF8 { store(UnsafeRawBufferPointer($0)) }
  }

  /// Copies a short text that occurs often, such as a path, once; later it gives the same slice.
  public func storeName(_ text: String) -> ByteSlice {
    if text.isEmpty { return .empty }
    if let known = names[text] { return known }
    let slice = store(text)
    names[text] = slice
    return slice
  }

  /// Whether a text occurs in a slice.
  public func contains(_ text: String, in slice: ByteSlice) -> Bool {
    let needle = Array(text.utf8)
    if needle.isEmpty { return true }
    return withBytes(slice) { bytes in
      guard bytes.count >= needle.count else { return false }
      return (0...bytes.count - needle.count).contains { start in
        needle.indices.allSatisfy { bytes[start + $0] == needle[$0] }
      }
    }
  }

  /// The bytes of a slice.
  public func bytes(_ slice: ByteSlice) -> ArraySlice<UInt8> {
    arena[Int(slice.offset)..<Int(slice.offset) + Int(slice.count)]
  }

  /// The text of a slice; bytes that are not UTF-8 are replaced.
  public func text(_ slice: ByteSlice) -> String { String(decoding: bytes(slice), as: UTF8.self) }

  /// Reads the bytes of a slice in place.
  public func withBytes<Result>(
    _ slice: ByteSlice, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try arena.withUnsafeBytes {
      try body(
        UnsafeRawBufferPointer(
          rebasing: $0[Int(slice.offset)..<Int(slice.offset) + Int(slice.count)]))
    }
  }

  /// Replaces a record: for edited histories in tests only.
  public func replaceRecord(at index: Int, with record: Record) { records[index] = record }
  /// Removes a record: for edited histories in tests only.
  public func removeRecord(at index: Int) { records.remove(at: index) }
  /// Inserts a record: for edited histories in tests only.
  public func insertRecord(_ record: Record, at index: Int) { records.insert(record, at: index) }
}
