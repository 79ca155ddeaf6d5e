import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-32: what the collector keeps and tells others")
struct INV32Tests {
  private func start(marketing: Bool = true, _ destinations: [AdPlatform] = [.meta]) -> WireHistory
  {
    let builder = WireHistory(canaries: [])
    var collector = CollectorSettings()
    collector.destinations = destinations
    collector.conversions = ["Tap"]
    builder.history.header.collector = collector
    builder.launch()
    builder.load()
    let message = builder.message("m").replacing(
      "\"marketing\":false", with: "\"marketing\":\(marketing)")
    builder.batch(messages: [message])
    return builder
  }

  private func add(_ deed: CollectorDeed, _ bytes: [UInt8] = [], to builder: WireHistory) {
    builder.add(
      .collected(deed, exchange: 1, place: 0, bytes: builder.history.store(bytes)), process: -1)
  }

  private func causes(_ builder: WireHistory) -> [String] {
    builder.calm()
    return Judge.judge(builder.history, with: [INV32()]).findings.map(\.signature)
  }

  @Test("a conversion under consent is kept, sent on and forgotten (PRV-09)")
  func healthy() {
    let builder = start()
    add(.stored, Array(#"{"anonymousId":"a","type":"track"}"#.utf8), to: builder)
    add(.vaultFilled, [0x80, 0xff, 0x81], to: builder)
    add(.sentToMeta, to: builder)
    add(.vaultErased, to: builder)
    #expect(causes(builder) == [])
  }

  @Test("without marketing consent nothing goes on, and nothing is kept (CON-19)")
  func withoutConsent() {
    let builder = start(marketing: false)
    add(.vaultFilled, [0x80, 0xff, 0x81], to: builder)
    add(.sentToMeta, to: builder)
    add(.vaultErased, to: builder)
    #expect(
      causes(builder) == [
        "INV-32 the vault is filled without need", "INV-32 a message reaches meta without leave",
      ])
  }

  @Test("nothing goes to a platform that is no destination")
  func otherPlatform() {
    let builder = start()
    add(.sentToTikTok, to: builder)
    #expect(causes(builder) == ["INV-32 a message reaches tiktok without leave"])
  }

  @Test("a vault that stays full fires")
  func kept() {
    let builder = start()
    add(.vaultFilled, [0x80, 0xff, 0x81], to: builder)
    add(.sentToMeta, to: builder)
    #expect(causes(builder) == ["INV-32 the vault is not erased after the delivery"])
  }

  @Test(
    "what no stored event may hold fires (PRV-08, CON-03, ID-07, CRA-12)",
    arguments: [
      (
        CollectorDeed.stored, #"{"ip":"203.0.113.77"}"#,
        "address or user agent are stored with the event"
      ),
      (.counted, "{}", "a message is counted or stored against its consent"),
      (
        .stored, #"{"type":"identify","traits":{"email":"e"}}"#,
        "contact data are stored with the event"
      ),
      (
        .stored, #"{"event":"$crash","properties":{"message":"call 12345678"}}"#,
        "a crash is stored without another scrub"
      ),
    ])
  func stored(deed: CollectorDeed, text: String, cause: String) {
    let builder = start()
    add(deed, Array(text.utf8), to: builder)
    #expect(causes(builder) == ["INV-32 " + cause])
  }

  @Test("contact data and the vault are encrypted, and a channel has its proof (ID-08)")
  func sealed() {
    let builder = start()
    add(.contactStored, Array(#"{"email":"e"}"#.utf8), to: builder)
    add(.channelConsentStored, Array(#"{"given":true}"#.utf8), to: builder)
    add(.touchSet, Array(#"{"installer":"other"}"#.utf8), to: builder)
    #expect(
      causes(builder) == [
        "INV-32 contact data lie open", "INV-32 a channel consent without a proof",
        "INV-32 the touch of a session is not the source of its install",
      ])
  }
}
