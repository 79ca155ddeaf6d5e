/// The advertising id as it stands in messages (PRV-02): spliced in at send, never stored.
enum AdvertisingIdentifier {
  private static let head: StaticString = "\"advertisingId\":\""
  private static let idByteCount = 36
  /// What a filled gap adds to a message: the id has the same length on every device (S-08).
  static let memberByteCount = head.utf8CodeUnitCount + idByteCount + 2

  /// `"advertisingId":"…",` for the device in the context; empty for what is no id. Zeros stand
  /// where the system keeps it back.
  static func member(_ id: String) -> [UInt8] {
    let text = Array(id.utf8)
    guard text.count == idByteCount, text.contains(where: { $0 != 0x30 && $0 != 0x2D }),
      text.indices.allSatisfy({ isPart(text[$0], at: $0) })
    else { return [] }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(memberByteCount)
    bytes.append(ascii: head)
    bytes.append(contentsOf: text)
    bytes.append(0x22)
    bytes.append(0x2C)
    return bytes
  }

  private static func isPart(_ byte: UInt8, at place: Int) -> Bool {
    switch place {
    case 8, 13, 18, 23: return byte == 0x2D
    default:
      return (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte)
        || (0x61...0x66).contains(byte)
    }
  }
}

extension Pipeline {
  /// Takes what the user said of marketing. Without it nothing queued gets the id any more, also
  /// after a later grant (S-02, PRV-03): the decision that brings it back says up to which number.
  /// - Returns: that number, where marketing was just granted.
  func takeMarketing(_ isAllowed: Bool) -> UInt64? {
    guard isAllowed != allowsMarketing else { return nil }
    allowsMarketing = isAllowed
    if isAllowed { return newIdsAfter }
    heardWithdrawals += 1
    for index in 0..<messages.count { closeGap(at: index) }
    return nil
  }

  /// Nothing is to be said where nothing was closed.
  private var newIdsAfter: UInt64? {
    // Without a look at the files their numbers are not known: the present lies above them.
    if isMemoryOnly { return max(highestSealed, numberOfNow) }
    let isBlind = unknownBelow != nil || store.journal.hasUnreadableSegment
    return hasClosedGaps || isBlind ? highestSealed : nil
  }

  private func closeGap(at index: Int) {
    if messages[index].record.advertisingIdGap == MessageRecord.noGap { return }
    messages[index].record.advertisingIdGap = MessageRecord.noGap
    hasClosedGaps = true
  }

  /// A message of an earlier process keeps its gap only while nothing was withdrawn since.
  func closeGap(_ message: inout QueuedMessage) {
    guard message.record.advertisingIdGap != MessageRecord.noGap else { return }
    if !allowsMarketing || message.sequence <= store.consent.idsAfter {
      message.record.advertisingIdGap = MessageRecord.noGap
      hasClosedGaps = true
    }
  }

  /// Whether all three hold now (PRV-02). A withdrawal counts from the call on, also before this
  /// queue has heard of it (PRV-03).
  private var mayFillAdvertisingId: Bool {
    guard allowsMarketing, settings.collectsAdvertisingId,
      platform.context.current().tracking == .authorized
    else { return false }
    return state.withLock {
      ($0.circumstances?.marketing ?? false) && $0.marketingWithdrawals == heardWithdrawals
    }
  }

  /// What fills the gap of a message in a request that starts now; the id itself is read only where
  /// there is one to fill.
  func advertisingMember(for record: MessageRecord) -> [UInt8] {
    if record.advertisingIdGap == MessageRecord.noGap { return [] }
    if let advertisingMember { return advertisingMember }
    var member: [UInt8] = []
    if mayFillAdvertisingId {
      member = AdvertisingIdentifier.member(platform.identity.advertisingIdentifier())
    }
    advertisingMember = member
    return member
  }
}
