/// The body of a batch request: the bytes of its messages with their gaps filled, and the time it
/// is sent.
enum BatchBody {
  private static let head: StaticString = "{\"batch\":["
  private static let tail: StaticString = "],\"sentAt\":\""
  private static let timestampByteCount = 24

  /// The bytes of a body besides its messages and the commas between them.
  static var envelopeByteCount: Int {
    head.utf8CodeUnitCount + tail.utf8CodeUnitCount + timestampByteCount + 2
  }

  static func write(_ messages: [QueuedMessage], sentAt: Int64) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(
      messages.reduce(envelopeByteCount) { $0 + $1.sentByteCount + 1 })
    bytes.append(ascii: head)
    for index in messages.indices {
      if index > 0 { bytes.append(0x2C) }
      append(messages[index], to: &bytes)
    }
    bytes.append(ascii: tail)
    Timestamp.append(milliseconds: sentAt, to: &bytes)
    bytes.append(0x22)
    bytes.append(0x7D)
    return bytes
  }

  /// Adds a message as sent; its bytes must be in memory.
  private static func append(_ message: QueuedMessage, to body: inout [UInt8]) {
    guard let bytes = message.bytes else { return }
    let gap = Int(message.record.traitsGap)
    if message.traits.isEmpty || gap > bytes.count {
      body.append(contentsOf: bytes)
      return
    }
    body.append(contentsOf: bytes[..<gap])
    body.append(contentsOf: message.traits)
    body.append(contentsOf: bytes[gap...])
  }
}
