/// The ids of an install as stored (docs/disk.md: `install.json`).
struct InstallRecord: Hashable, Sendable {
  static let version = "1"
  static let mostBytes = 65_536

  var anonymousId: String
  var userId: String?

  func encode() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(ascii: "{\"anonymousId\":")
    bytes.append(jsonString: anonymousId)
    if let userId {
      bytes.append(ascii: ",\"userId\":")
      bytes.append(jsonString: userId)
    }
    bytes.append(ascii: ",\"version\":")
    bytes.append(contentsOf: Self.version.utf8)
    bytes.append(0x7D)
    return bytes
  }

  /// Reads a record; nil if it is damaged or of another version (S-38).
  static func parse(_ bytes: [UInt8]) -> InstallRecord? {
    guard bytes.count <= mostBytes, let root = JSONParser.parse(bytes),
      root["version"] == .number(version),
      let anonymousId = root["anonymousId"]?.string, Identifier.isUUID(anonymousId)
    else { return nil }
    guard let user = root["userId"] else { return InstallRecord(anonymousId: anonymousId) }
    guard let userId = user.string, !userId.isEmpty else { return nil }
    return InstallRecord(anonymousId: anonymousId, userId: userId)
  }
}
