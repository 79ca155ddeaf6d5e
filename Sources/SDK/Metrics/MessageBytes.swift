/// Reading what we wrote ourselves.
enum MessageBytes {
  private static let label = Array("\"messageId\":\"".utf8)

  /// The id of a message in its bytes.
  ///
  /// What stands before it holds no such label: strings have their quotes escaped, and neither the
  /// context nor the event has a member of this name. Valid ids hold a quote or a backslash only
  /// escaped.
  static func messageIdentifier(_ bytes: [UInt8]) -> String? {
    guard bytes.count >= label.count else { return nil }
    for start in 0...(bytes.count - label.count)
    where bytes[start] == 0x22 && bytes[start..<(start + label.count)].elementsEqual(label) {
      let text = start + label.count - 1
      var end = text + 1
      while end < bytes.count, bytes[end] != 0x22 { end += bytes[end] == 0x5C ? 2 : 1 }
      guard end < bytes.count else { return nil }
      return JSONParser.parse(Array(bytes[text...end]))?.string
    }
    return nil
  }

  private static let sessionLabel = Array("\"session\":{\"id\":\"".utf8)

  /// Whether a message belongs to a session.
  ///
  /// The first such label is that of the context: what stands before it are our own members and
  /// strings with escaped quotes.
  static func isOf(session id: String, _ bytes: [UInt8]) -> Bool {
    guard bytes.count >= sessionLabel.count + id.utf8.count else { return false }
    for start in 0...(bytes.count - sessionLabel.count - id.utf8.count)
    where bytes[start] == 0x22
      && bytes[start..<(start + sessionLabel.count)].elementsEqual(sessionLabel)
    {
      return bytes[(start + sessionLabel.count)...].starts(with: id.utf8)
    }
    return false
  }
}
