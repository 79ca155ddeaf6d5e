/// The user's decision on disk, with the spare that keeps room for the next one.
///
/// A decision is written into the spare, made durable, and renamed over the one before: a death at
/// any step leaves the old decision or the new one (S-42), and a full disk keeps none from being
/// written. Confined to the SDK's queue.
final class ConsentFile {
  /// What is known of `consent.json`.
  enum Stored: Equatable {
    case absent
    case known(ConsentRecord)
    /// Corrupt or of another version: declined until the app decides (S-35, S-38).
    case damaged
    /// It could not be read, which does not mean that it is absent (S-34).
    case unreadable(StorageError)
  }

  static let name = "consent.json"
  static let spareName = "consent.spare"

  private let storage: any StoragePort
  private let path: String
  private let sparePath: String
  private(set) var stored = Stored.absent
  /// The device was not unlocked when the process began: it stores nothing but withdrawals, even
  /// after unlocking (CON-30, A-07).
  private(set) var isLocked = false

  // What the app said since.
  private var analytics: Bool?
  private var marketing: Bool?
  private var isOpened: Bool?
  private var newIdsAfter: UInt64?

  private var hasSpare = false
  /// The decision lies under its name, but a power loss may still take that back.
  private var needsBarrier = false

  init(storage: any StoragePort, directory: String) {
    self.storage = storage
    path = directory + "/" + Self.name
    sparePath = directory + "/" + Self.spareName
  }

  /// The decision in force; nil where it could not be read.
  var decision: ConsentRecord? {
    switch stored {
    case .absent: return ConsentRecord()
    case .known(let record): return record
    case .damaged: return .declined
    case .unreadable: return nil
    }
  }

  /// Whether `$first_open` was tried or waived, as far as this file tells.
  var hasOpened: Bool { isOpened ?? decision?.isOpened ?? false }

  /// Up to this number messages have lost their advertising id for good (S-02).
  var idsAfter: UInt64 { newIdsAfter ?? decision?.idsAfter ?? 0 }

  /// Whether something is to be written.
  var hasWork: Bool { hasChanges || needsBarrier }

  /// Whether the file does not say yet what the app said.
  var hasChanges: Bool { analytics != nil || marketing != nil || isOpened != nil }

  /// Reads the decision.
  /// - Returns: why it could not be read.
  func load() -> StorageError? {
    let error = read()
    isLocked = error == .notPermitted
    return error
  }

  private func read() -> StorageError? {
    do {
      let bytes = try storage.readPatiently(path, offset: 0, count: ConsentRecord.byteCount + 1)
      stored = ConsentRecord.parse(bytes).map { .known($0) } ?? .damaged
      return nil
    } catch .notFound {
      stored = .absent
      return nil
    } catch {
      stored = .unreadable(error)
      return error
    }
  }

  /// Notes what the app decided; flags that it did not pass stay as they are stored (CON-23).
  /// - Parameter idsAfter: where marketing was granted anew: the newest message without it.
  func decide(analytics: Bool?, marketing: Bool?, idsAfter: UInt64? = nil) {
    // A grant that nobody could check against the stored decision is not written.
    if analytics == false || !isLocked { self.analytics = analytics ?? self.analytics }
    if marketing == false || !isLocked {
      self.marketing = marketing ?? self.marketing
      newIdsAfter = idsAfter ?? newIdsAfter
    }
    forgetKnown()
  }

  /// Notes whether `$first_open` was tried or waived.
  func setOpened(_ isOpened: Bool) {
    self.isOpened = isOpened
    forgetKnown()
  }

  /// What the file says is not known any more: another process may have written it. What the app
  /// said stays to be written.
  func forgetStored() {
    stored = .unreadable(.notPermitted)
    isOpened = nil
    hasSpare = false
  }

  /// Reads what could not be read: a flag that was not passed must not be lost, and where the file
  /// cannot be read it is not replaced.
  /// - Returns: why it still cannot be read.
  func prepare() -> StorageError? {
    guard hasChanges, case .unreadable = stored else { return nil }
    return read()
  }

  /// Writes what was noted.
  /// - Returns: why it is not written.
  func commit() -> StorageError? {
    if hasChanges {
      do {
        try write(target)
      } catch {
        return error
      }
    }
    return makeDurable()
  }

  /// Makes the spare where there is none: from the first file on that consent lets the SDK store.
  /// - Returns: why there is none.
  func makeSpare() -> StorageError? {
    if hasSpare { return nil }
    do {
      if try !isSpareWhole() {
        try storage.write(sparePath, [UInt8](repeating: 0x20, count: ConsentRecord.byteCount))
        try storage.barrier(sparePath)
      }
    } catch {
      return error
    }
    hasSpare = true
    return nil
  }

  private func isSpareWhole() throws(StorageError) -> Bool {
    do {
      return try storage.size(sparePath) == ConsentRecord.byteCount
    } catch .notFound {
      return false
    }
  }

  private var target: ConsentRecord {
    var record = decision ?? .declined
    record.analytics = analytics ?? record.analytics
    record.marketing = marketing ?? record.marketing
    record.isOpened = isOpened ?? record.isOpened
    record.idsAfter = max(record.idsAfter, newIdsAfter ?? 0)
    // What it speaks of is wiped.
    if record.analytics == false { record.idsAfter = 0 }
    return record
  }

  /// What the file says already need not be written.
  private func forgetKnown() {
    switch stored {
    case .known(let record) where record == target: forgetChanges()
    case .absent where target == ConsentRecord(): forgetChanges()
    default: break
    }
  }

  private func forgetChanges() {
    analytics = nil
    marketing = nil
    isOpened = nil
    newIdsAfter = nil
  }

  private func write(_ record: ConsentRecord) throws(StorageError) {
    hasSpare = false
    do {
      try storage.overwrite(sparePath, offset: 0, record.encode())
    } catch .notFound {
      try storage.write(sparePath, record.encode())
    }
    try storage.barrier(sparePath)
    try storage.rename(sparePath, to: path)
    stored = .known(record)
    forgetChanges()
    needsBarrier = true
  }

  /// The rename itself must survive a power loss.
  private func makeDurable() -> StorageError? {
    guard needsBarrier else { return nil }
    do {
      try storage.barrier(path)
    } catch  where error != .notFound {
      return error
    } catch {}
    needsBarrier = false
    return nil
  }
}
