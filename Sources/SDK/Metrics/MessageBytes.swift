/// Reading what we wrote ourselves.
///
/// The first place of each label is that of our own member: what stands before it are other members
/// of ours and strings, in which quotes are escaped.
enum MessageBytes {
  private static let identifierLabel = Array("\"messageId\":\"".utf8)
  private static let sessionLabel = Array("\"session\":{\"id\":\"".utf8)
  private static let eventLabel = Array("\"event\":\"".utf8)
  private static let fatalLabel = Array("\"fatal\":true".utf8)

  /// The id of a message in its bytes. Valid ids hold a quote or a backslash only escaped.
  static func messageIdentifier(_ bytes: [UInt8]) -> String? {
    guard let text = start(behind: identifierLabel, bytes) else { return nil }
    var end = text
    while end < bytes.count, bytes[end] != 0x22 { end += bytes[end] == 0x5C ? 2 : 1 }
    guard end < bytes.count else { return nil }
    return JSONParser.parse(Array(bytes[(text - 1)...end]))?.string
  }

  /// Whether a message belongs to a session.
  static func isOf(session id: String, _ bytes: [UInt8]) -> Bool {
    start(behind: sessionLabel, bytes).map { bytes[$0...].starts(with: id.utf8) } ?? false
  }

  /// Whether a track is of an event, whose name needs no escape.
  static func isEvent(_ name: String, _ bytes: [UInt8]) -> Bool {
    guard let start = start(behind: eventLabel, bytes) else { return false }
    let rest = bytes[start...]
    return rest.starts(with: name.utf8) && rest.dropFirst(name.utf8.count).first == 0x22
  }

  /// Whether the event of a crash or a hang tells of a crash.
  static func isFatal(_ bytes: [UInt8]) -> Bool { start(behind: fatalLabel, bytes) != nil }

  private static func start(behind label: [UInt8], _ bytes: [UInt8]) -> Int? {
    guard bytes.count >= label.count else { return nil }
    for start in 0...(bytes.count - label.count)
    where bytes[start] == 0x22 && bytes[start..<(start + label.count)].elementsEqual(label) {
      return start + label.count
    }
    return nil
  }
}
