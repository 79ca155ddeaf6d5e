import FuzzHistory
import SimKernel

/// Compares a message on the wire with what must be sent, byte by byte, and binds the ids that were
/// not known yet.
extension ReferenceModel {
  func compare(_ index: Int, _ wire: Int, _ record: Record, _ context: JudgeContext) -> Deviation {
    let message = context.ledger.messages[wire]
    var deviation = bindIdentifiers(index, message)
    if messages[index].bytes.isEmpty { return deviation }
    let expected = messages[index].bytes
    // Traits are never stored: a later process sends the message without them (C-26).
    let isWithoutTraits =
      messages[index].process != record.process && !messages[index].traits.isEmpty
    let actual = arena.slice(message.bytes)
    let isEqual = buffer.bytes.withUnsafeBytes { bytes -> Bool in
      if !isWithoutTraits {
        return bytesEqual(UnsafeRawBufferPointer(rebasing: bytes[expected]), actual)
      }
      let gap = messages[index].traits
      let head = gap.lowerBound - expected.lowerBound
      let tail = expected.upperBound - gap.upperBound
      guard actual.count == head + tail else { return false }
      return bytesEqual(
        UnsafeRawBufferPointer(rebasing: bytes[expected.lowerBound..<gap.lowerBound]),
        UnsafeRawBufferPointer(rebasing: actual[0..<head]))
        && bytesEqual(
          UnsafeRawBufferPointer(rebasing: bytes[gap.upperBound..<expected.upperBound]),
          UnsafeRawBufferPointer(rebasing: actual[head...]))
    }
    if isEqual { return deviation }
    deviation.formUnion(compareParts(index, message, isWithoutTraits))
    return deviation
  }

  private func compareParts(
    _ index: Int, _ message: WireMessage, _ isWithoutTraits: Bool
  ) -> Deviation {
    var fields = expectedFields(index)
    if isWithoutTraits { fields.traits = .empty }
    var deviation = buffer.bytes.withUnsafeBytes { bytes in
      MessageComparison(expected: bytes, actual: arena).deviation(
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
    let session = MessageScan.sessionIdentifier(of: message.fields.context, in: arena)
    if !bind(messages[index].session, messages[index].sessionHole, session) {
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
