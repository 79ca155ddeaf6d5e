import FuzzHistory
import SimKernel

/// Compares a message on the wire with what must be sent, byte by byte, and binds the ids that were
/// not known yet.
extension ReferenceModel {
  func compare(_ index: Int, _ wire: Int, _ record: Record, _ context: JudgeContext) -> Deviation {
    let message = context.ledger.messages[wire]
    var deviation = bindIdentifiers(index, message)
    if messages[index].bytes.isEmpty { return deviation }
    // Traits are never stored: a later process sends the message without them (C-26).
    let isWithoutTraits =
      messages[index].process != record.process && !messages[index].traits.isEmpty
    let actual = arena.slice(message.bytes)
    // Whether the advertising id belongs there is another rule's question; only its value is ours.
    let isWithoutId =
      !messages[index].advertising.isEmpty
      && !message.context.hasAdvertisingId
    if isEqual(index, actual, isWithoutId, isWithoutTraits) { return deviation }
    deviation.formUnion(compareParts(index, message, isWithoutId, isWithoutTraits))
    return deviation
  }

  /// Compares bytes, gaps that are not filled left out.
  private func isEqual(
    _ index: Int, _ actual: UnsafeRawBufferPointer, _ isWithoutId: Bool, _ isWithoutTraits: Bool
  ) -> Bool {
    let expected = messages[index].bytes
    var gaps: [Range<Int>] = []
    if isWithoutId { gaps.append(messages[index].advertising) }
    if isWithoutTraits { gaps.append(messages[index].traits) }
    guard actual.count == expected.count - gaps.reduce(0, { $0 + $1.count }) else { return false }
    return buffer.bytes.withUnsafeBytes { bytes in
      var (place, start) = (0, expected.lowerBound)
      for end in gaps.map(\.lowerBound) + [expected.upperBound] {
        let part = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
        let other = UnsafeRawBufferPointer(rebasing: actual[place..<place + part.count])
        if !bytesEqual(part, other) { return false }
        place += part.count
        start = gaps.first { $0.lowerBound == end }?.upperBound ?? end
      }
      return true
    }
  }

  private func compareParts(
    _ index: Int, _ message: WireMessage, _ isWithoutId: Bool, _ isWithoutTraits: Bool
  ) -> Deviation {
    var bytes = Array(buffer.bytes[messages[index].bytes])
    if isWithoutId {
      let start = messages[index].bytes.lowerBound
      let gap = messages[index].advertising
      bytes.removeSubrange(gap.lowerBound - start..<gap.upperBound - start)
    }
    var deviation = bytes.withUnsafeBytes { expected in
      var fields = MessageScan.fields(of: 0..<expected.count, in: expected)
      if isWithoutTraits { fields.traits = .empty }
      return MessageComparison(expected: expected, actual: arena).deviation(
        fields, message.fields, bytes: message.bytes)
    }
    if isStartOpen(index) { deviation.remove(.sessionStart) }
    return deviation
  }

  /// Fills the holes of the expected message with what is known, and learns what is not.
  private func bindIdentifiers(_ index: Int, _ message: WireMessage) -> Deviation {
    var deviation: Deviation = []
    if !messages[index].hasIdentifier {
      messages[index].identifier = message.fields.messageId
      messages[index].hasIdentifier = true
      if messages[index].identifierHash != message.identifierHash {
        if messages[index].identifierHash != 0 { deviation.insert(.identifier) }
        messages[index].identifierHash = message.identifierHash
        messages[index].previousSameIdentifier = byIdentifier[message.identifierHash]
        byIdentifier[message.identifierHash] = Int32(index)
      }
      var version: UInt8 = 0x34
      if case .appUpdated = messages[index].cause { version = 0x38 }
      if !bindOwn(messages[index].identifierHole, message.fields.messageId, version: version) {
        deviation.insert(.identifier)
      }
    }
    if messages[index].bytes.isEmpty { return deviation }
    if !bind(messages[index].anonymous, messages[index].anonymousHole, message.fields.anonymousId) {
      deviation.insert(.anonymousId)
    }
    if messages[index].previousHole >= 0,
      !bind(messages[index].anonymous, messages[index].previousHole, message.fields.previousId)
    {
      deviation.insert(.previousId)
    }
    if !bind(messages[index].session, messages[index].sessionHole, message.context.session) {
      deviation.insert(.session)
    }
    if messages[index].pageviewHole >= 0 {
      let pageview = MessageScan.pageviewIdentifier(of: message.fields.properties, in: arena)
      if !bindPageview(index, pageview) { deviation.insert(.properties) }
    }
    return deviation
  }

  /// Fills a hole that only this message has; false if the id has not the form of a random UUID.
  private func bindOwn(_ hole: Int, _ value: ByteSlice, version: UInt8 = 0x34) -> Bool {
    let bytes = arena.slice(value)
    guard hole >= 0, UUIDText.isUUID(bytes, version: version) else { return hole < 0 }
    fill(hole, with: bytes)
    return true
  }

  /// Fills a hole with an id that several messages share; false if the id has the wrong form. That
  /// it is another id than before shows when the bytes are compared.
  private func bind(_ drawnIndex: Int32, _ hole: Int, _ value: ByteSlice) -> Bool {
    guard drawnIndex >= 0, hole >= 0 else { return true }
    var isHealthy = true
    if !drawn[Int(drawnIndex)].isKnown {
      let bytes = arena.slice(value)
      isHealthy = UUIDText.isRandom(bytes) && isNew(Array(bytes))
      if isHealthy { drawn[Int(drawnIndex)].bytes = Array(bytes) }
    }
    if drawn[Int(drawnIndex)].bytes.count == 36 {
      drawn[Int(drawnIndex)].bytes.withUnsafeBytes { fill(hole, with: $0) }
    }
    return isHealthy
  }
}

/// The form of random UUIDs: version 4, lowercase.
enum UUIDText {
  static func isRandom(_ text: UnsafeRawBufferPointer) -> Bool { isUUID(text, version: 0x34) }

  /// - Parameter version: as a digit.
  static func isUUID(_ text: UnsafeRawBufferPointer, version: UInt8) -> Bool {
    guard text.count == 36, text[14] == version else { return false }
    for index in 0..<36 {
      let byte = text[index]
      switch index {
      case 8, 13, 18, 23: if byte != 0x2d { return false }
      case 19: if byte != 0x38, byte != 0x39, byte != 0x61, byte != 0x62 { return false }
      default:
        let isDigit = byte >= 0x30 && byte <= 0x39
        if !isDigit, byte < 0x61 || byte > 0x66 { return false }
      }
    }
    return true
  }
}
