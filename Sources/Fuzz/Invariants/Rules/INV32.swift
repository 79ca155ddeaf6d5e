import FuzzHistory
import SimKernel

/// The collector keeps what it may, and tells others what it may.
public final class INV32: Invariant {
  static let info = InvariantInfo(
    id: "INV-32",
    statement:
      "[collector] Nothing reaches Meta or TikTok without marketing consent; IP and user agent are"
      + " stored only as PRV-09 allows.",
    kind: .safety,
    requirements: [
      "CON-03", "CON-19", "PRV-08", "PRV-09", "ID-07", "ID-08", "LIF-11", "CRA-12",
    ],
    antecedent: "The collector stores a message, or delivers a conversion.")

  private static let contactKeys: [StaticString] = [
    "email", "phone", "firstName", "lastName", "name", "address",
  ]

  /// Conversions whose origin is kept, and whether one was sent on since.
  private var vault: [(exchange: UInt32, place: UInt16, wasSent: Bool)] = []

  public init() { super.init(INV32.info, on: [.collected, .calmEnded]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    guard case .collected(let deed, let exchange, let place, let bytes) = record.fact else {
      return judgeVault(at: record, context)
    }
    let message = Message(exchange, place, context)
    // What was sent on is erased in the same breath.
    if deed != .sentToMeta, deed != .sentToTikTok, deed != .vaultErased {
      judgeVault(at: record, context)
    }
    switch deed {
    case .stored, .counted:
      antecedent()
      judgeStored(bytes, message, isCounted: deed == .counted, record, context)
    case .contactStored, .vaultFilled:
      judgeSealed(deed, bytes, message, record, context)
      if deed == .vaultFilled { fill(exchange, place, message, record, context) }
    case .channelConsentStored: judgeProof(bytes, record, context)
    case .touchSet: judgeTouch(bytes, message, record, context)
    case .sentToMeta, .sentToTikTok:
      antecedent()
      judgeSent(deed, exchange, place, message, record, context)
    case .vaultErased:
      vault.removeAll { $0.exchange == exchange && $0.place == place }
    }
  }

  // MARK: What is stored

  private func judgeStored(
    _ bytes: ByteSlice, _ message: Message, isCounted: Bool, _ record: Record,
    _ context: JudgeContext
  ) {
    let stored = context.bytes(bytes)
    if holdsOrigin(stored, message, context) {
      report(
        "address or user agent are stored with the event", at: record, context,
        "The stored form of a message holds where its request came from.")
    }
    if isCounted == message.hasAnalytics {
      report(
        "a message is counted or stored against its consent", at: record, context,
        "A message \(message.hasAnalytics ? "with" : "without") analytics consent is"
          + " \(isCounted ? "counted without cookies" : "stored").")
    }
    let scan = JSONScan(bytes: stored)
    let whole = 0..<stored.count
    if isCounted,
      scan.member("anonymousId", of: whole) != nil || scan.member("userId", of: whole) != nil
    {
      report(
        "a counted message names its visitor", at: record, context,
        "A message without analytics consent is stored with an id.")
    }
    judgeTexts(scan, whole, record, context)
  }

  private func judgeTexts(
    _ scan: JSONScan, _ whole: Range<Int>, _ record: Record, _ context: JudgeContext
  ) {
    if let type = scan.member("type", of: whole), scan.equals(type, "\"identify\""),
      let traits = scan.member("traits", of: whole),
      INV32.contactKeys.contains(where: { scan.member($0, of: traits) != nil })
    {
      report(
        "contact data are stored with the event", at: record, context,
        "The stored form of an identify holds e-mail, phone, name or address.")
    }
    guard let event = scan.member("event", of: whole), scan.equals(event, "\"$crash\""),
      let properties = scan.member("properties", of: whole)
    else { return }
    for key in ["message", "stack"] as [StaticString] {
      guard let value = scan.member(key, of: properties),
        let text = (try? JSONValue.parse(Array(scan.bytes[value])))?.string,
        !RedactionShared.redaction.isClean(text)
      else { continue }
      report(
        "a crash is stored without another scrub", at: record, context,
        "The \(key) of a stored crash holds what the rules of redaction take out.")
    }
  }

  private func judgeProof(_ bytes: ByteSlice, _ record: Record, _ context: JudgeContext) {
    let proof = try? JSONValue.parse(context.bytes(bytes))
    if proof?["proof"]?.string != nil, proof?["given"]?.bool != nil { return }
    report(
      "a channel consent without a proof", at: record, context,
      "The contact's word on a channel is stored without what proves it.")
  }

  private func judgeTouch(
    _ bytes: ByteSlice, _ message: Message, _ record: Record, _ context: JudgeContext
  ) {
    let told = message.install.flatMap { try? JSONValue.parse(context.arena.slice($0)) }
    let touch = try? JSONValue.parse(context.bytes(bytes))
    if let told, let touch, MessageComparison.same(told, touch) { return }
    report(
      "the touch of a session is not the source of its install", at: record, context,
      "The touch that was set is not what $first_open tells of its install.")
  }

  // MARK: Conversions

  private func judgeSealed(
    _ deed: CollectorDeed, _ bytes: ByteSlice, _ message: Message, _ record: Record,
    _ context: JudgeContext
  ) {
    let sealed = context.bytes(bytes)
    let isReadable = (try? JSONValue.parse(sealed)) != nil
    if !isReadable, !holdsOrigin(sealed, message, context) { return }
    report(
      deed == .contactStored ? "contact data lie open" : "the vault lies open", at: record, context,
      "What has to be encrypted can be read.")
  }

  private func fill(
    _ exchange: UInt32, _ place: UInt16, _ message: Message, _ record: Record,
    _ context: JudgeContext
  ) {
    vault.append((exchange, place, false))
    let settings = context.header.collector
    let isConversion = settings?.conversions.contains(message.event) ?? false
    if message.hasMarketing, isConversion, settings?.destinations.isEmpty == false { return }
    report(
      "the vault is filled without need", at: record, context,
      "Address and user agent are kept of \(message.event), which is no conversion under marketing"
        + " consent with a destination.")
  }

  private func judgeSent(
    _ deed: CollectorDeed, _ exchange: UInt32, _ place: UInt16, _ message: Message,
    _ record: Record, _ context: JudgeContext
  ) {
    for index in vault.indices
    where vault[index].exchange == exchange && vault[index].place == place {
      vault[index].wasSent = true
    }
    let platform = deed == .sentToMeta ? AdPlatform.meta : .tiktok
    let isDestination = context.header.collector?.destinations.contains(platform) ?? false
    if message.hasMarketing, isDestination { return }
    report(
      "a message reaches \(platform.rawValue) without leave", at: record, context,
      "\(message.event) went to \(platform.rawValue) without marketing consent, or to no destination"
        + " of the app.")
  }

  private func judgeVault(at record: Record, _ context: JudgeContext) {
    guard vault.contains(where: \.wasSent) else { return }
    vault.removeAll(where: \.wasSent)
    report(
      "the vault is not erased after the delivery", at: record, context,
      "Address and user agent of a conversion are still kept after it was delivered.")
  }

  // MARK: Looking

  private func holdsOrigin(
    _ bytes: UnsafeRawBufferPointer, _ message: Message, _ context: JudgeContext
  ) -> Bool {
    let agent = HeaderLines.value(of: "user-agent", in: context.bytes(message.headers))
    return INV32.holds(Array(context.header.networkAddress.utf8), in: bytes)
      || agent.map { INV32.holds(Array($0), in: bytes) } ?? false
  }

  private static func holds(_ needle: [UInt8], in bytes: UnsafeRawBufferPointer) -> Bool {
    guard !needle.isEmpty, bytes.count >= needle.count else { return false }
    return (0...bytes.count - needle.count).contains { start in
      bytes[start] == needle[0]
        && needle.indices.allSatisfy { bytes[start + $0] == needle[$0] }
    }
  }

  /// The message of a deed, as it was sent.
  private struct Message {
    var event = ""
    var hasAnalytics = false
    var hasMarketing = false
    var install: ByteSlice?
    var headers: ByteSlice

    init(_ exchange: UInt32, _ place: UInt16, _ context: JudgeContext) {
      let request = context.ledger[exchange]
      headers = request.headers
      guard Int(place) < request.slots.count else { return }
      let slot = context.ledger.slots[request.slots.lowerBound + Int(place)]
      let fields = context.ledger.messages[slot.message].fields
      event = context.text(fields.event)
      let scan = JSONScan(bytes: context.arena)
      let start = Int(fields.context.offset)
      let whole = start..<start + Int(fields.context.count)
      if let consent = scan.member("consent", of: whole) {
        hasAnalytics =
          scan.member("analytics", of: consent).map { scan.equals($0, "true") } ?? false
        hasMarketing =
          scan.member("marketing", of: consent).map { scan.equals($0, "true") } ?? false
      }
      install = scan.member("install", of: whole).map {
        ByteSlice(offset: UInt32($0.lowerBound), count: UInt32($0.count))
      }
    }
  }
}
