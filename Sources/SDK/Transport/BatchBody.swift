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

  /// - Parameter advertising: what fills the gap of each message's advertising id, if anything.
  static func write(
    _ messages: [QueuedMessage], advertising: [[UInt8]] = [], sentAt: Int64
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(
      messages.reduce(envelopeByteCount) {
        $0 + $1.sentByteCount + AdvertisingIdentifier.memberByteCount + 1
      })
    bytes.append(ascii: head)
    for index in messages.indices {
      if index > 0 { bytes.append(0x2C) }
      append(messages[index], index < advertising.count ? advertising[index] : [], to: &bytes)
    }
    bytes.append(ascii: tail)
    Timestamp.append(milliseconds: sentAt, to: &bytes)
    bytes.append(0x22)
    bytes.append(0x7D)
    return bytes
  }

  /// Adds a message as sent; its bytes must be in memory.
  private static func append(
    _ message: QueuedMessage, _ advertising: [UInt8], to body: inout [UInt8]
  ) {
    guard let bytes = message.bytes else { return }
    var place = 0
    // The device stands before the traits.
    fill(message.record.advertisingIdGap, advertising, bytes, &place, &body)
    fill(message.record.traitsGap, message.traits, bytes, &place, &body)
    body.append(contentsOf: bytes[place...])
  }

  private static func fill(
    _ gap: UInt32, _ filling: [UInt8], _ bytes: [UInt8], _ place: inout Int, _ body: inout [UInt8]
  ) {
    let gap = Int(gap)
    guard !filling.isEmpty, gap >= place, gap <= bytes.count else { return }
    body.append(contentsOf: bytes[place..<gap])
    body.append(contentsOf: filling)
    place = gap
  }
}
