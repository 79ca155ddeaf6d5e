/// The session of an install as stored (docs/disk.md: `session.json`).
struct SessionRecord: Hashable, Sendable {
  static let version = "1"
  static let mostBytes = 1_024

  var id: String
  /// A message with its start flag was queued.
  var isFlagged: Bool
  /// When the app was last in use, in anchored milliseconds since the Unix epoch.
  var lastActivity: Int64

  func encode() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(ascii: isFlagged ? "{\"flagged\":true,\"id\":" : "{\"flagged\":false,\"id\":")
    bytes.append(jsonString: id)
    bytes.append(ascii: ",\"lastActivity\":")
    bytes.append(decimal: lastActivity)
    bytes.append(ascii: ",\"version\":")
    bytes.append(contentsOf: Self.version.utf8)
    bytes.append(0x7D)
    return bytes
  }

  /// Reads a record; nil if it is damaged or of another version (S-35, S-38).
  static func parse(_ bytes: [UInt8]) -> SessionRecord? {
    guard bytes.count <= mostBytes, let root = JSONParser.parse(bytes),
      root["version"] == .number(version), let id = root["id"]?.string, Identifier.isUUID(id),
      let isFlagged = root["flagged"]?.bool, case .number(let text)? = root["lastActivity"],
      let lastActivity = Int64(text)
    else { return nil }
    return SessionRecord(id: id, isFlagged: isFlagged, lastActivity: lastActivity)
  }
}
