import FuzzHistory

/// `$pageleave` as it stands on the wire.
struct LeaveFields {
  var pageview: ByteSlice
  var path: String
  var activeMilliseconds: Int64?
  var totalMilliseconds: Int64?
  var isFinal: Bool

  /// - Returns: nil if the message is another one.
  init?(_ fields: MessageFields, in arena: UnsafeRawBufferPointer) {
    guard fields.isEvent("$pageleave", in: arena) else { return nil }
    let properties = try? JSONValue.parse(arena.slice(fields.properties))
    pageview = MessageScan.pageviewIdentifier(of: fields.properties, in: arena)
    path = properties?["path"]?.string ?? ""
    activeMilliseconds = properties?["active_ms"]?.integer
    totalMilliseconds = properties?["total_ms"]?.integer
    isFinal = properties?["final"]?.bool ?? false
  }
}
