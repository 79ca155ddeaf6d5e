import FuzzHistory

/// What judges ask of the context of a message on the wire, read once.
public struct ContextFields {
  /// Without quotes; empty if there is none.
  public private(set) var session: ByteSlice = .empty
  /// The message says that it starts its session.
  public private(set) var startsSession = false
  public private(set) var hasAnalyticsConsent = false
  public private(set) var hasAdvertisingId = false
  /// The message names the device by a key `id`.
  public private(set) var hasDeviceId = false

  public init() {}

  /// - Parameter context: the object as it stands in the arena.
  init(_ context: ByteSlice, in arena: UnsafeRawBufferPointer) {
    let scan = JSONScan(bytes: arena)
    let start = Int(context.offset)
    var fields = ContextFields()
    _ = scan.forEachMember(start, start + Int(context.count)) { key, value in
      if scan.equals(key, "session") {
        fields.readSession(value, scan)
      } else if scan.equals(key, "consent") {
        let flag = scan.member("analytics", of: value)
        fields.hasAnalyticsConsent = flag.map { scan.equals($0, "true") } ?? false
      } else if scan.equals(key, "device") {
        fields.hasAdvertisingId = scan.member("advertisingId", of: value) != nil
        fields.hasDeviceId = scan.member("id", of: value) != nil
      }
    }
    self = fields
  }

  private mutating func readSession(_ value: Range<Int>, _ scan: JSONScan) {
    if let id = scan.member("id", of: value) { session = MessageScan.content(id, scan) }
    let flag = scan.member("start", of: value)
    startsSession = flag.map { scan.equals($0, "true") } ?? false
  }
}
