import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-47: attribution as documented")
struct INV47Tests {
  private static let token = "TOKENOFTHEINSTALLWHICHONLYAPPLEMAYSEE234567=="

  /// A launch whose `$first_open` waits for the token, which is told.
  private func start(consent: HostOptions.ConsentMode = .implied, tells: Bool = true) -> WireHistory
  {
    let builder = WireHistory(canaries: [Canary(kind: .token, text: INV47Tests.token)])
    builder.launch()
    var options = HostOptions()
    options.consent = consent
    options.trackLifecycle = true
    builder.load(options)
    builder.add(.attributionTokenAsked)
    if tells { builder.add(.attributionTokenTold(token: builder.history.store(INV47Tests.token))) }
    return builder
  }

  private func ask(_ builder: WireHistory, body: String = INV47Tests.token) -> UInt32 {
    builder.start(
      .attribution, url: "https://api-adservices.apple.com/api/v1/",
      headers: "Content-Type: text/plain\nUser-Agent: \(WireHistory.agent)", body: body,
      idle: 20_000, total: 20_000)
  }

  private func causes(_ builder: WireHistory) -> [String] {
    Judge.judge(builder.history, with: [INV47()]).findings.map(\.signature)
  }

  @Test("four requests, 5 s apart after a 404, are healthy (ATT-06)")
  func healthy() {
    let builder = start()
    for number in 0..<4 {
      if number > 0 { builder.wait(.seconds(5)) }
      builder.answer(ask(builder), 404)
    }
    #expect(causes(builder) == [])
  }

  @Test("a fifth request, an early one and one after no 404 fire (ATT-06, ATT-07)")
  func tooMany() {
    var builder = start()
    for number in 0..<5 {
      if number > 0 { builder.wait(.seconds(4) + .milliseconds(number == 4 ? 2_000 : 1_000)) }
      builder.answer(ask(builder), 404)
    }
    #expect(causes(builder) == ["INV-47 an attribution request that nothing waits for"])
    builder = start()
    builder.answer(ask(builder), 404)
    builder.wait(.seconds(4))
    builder.answer(ask(builder), 404)
    #expect(causes(builder) == ["INV-47 attribution requests too close"])
    builder = start()
    builder.answer(ask(builder), 500)
    builder.wait(.seconds(5))
    builder.answer(ask(builder), 404)
    #expect(causes(builder) == ["INV-47 an attribution request that nothing waits for"])
  }

  @Test("the token in a batch, a file or a header fires (ATT-08)")
  func leaks() {
    let builder = start()
    builder.disk(.write, "/x", bytes: Array("{\"t\":\"\(INV47Tests.token)\"}".utf8))
    builder.batch([INV47Tests.token])
    #expect(
      causes(builder) == ["INV-47 the token is on disk", "INV-47 the token is sent elsewhere"])
  }

  @Test("something else than the token in a request fires (ATT-04)")
  func otherBody() {
    let builder = start()
    builder.answer(ask(builder, body: "u=user"), 200)
    #expect(
      causes(builder) == ["INV-47 an attribution request carries something else than the token"])
  }

  @Test("a question without consent fires (ATT-10)")
  func withoutConsent() {
    let builder = start(consent: .required, tells: false)
    #expect(causes(builder) == ["INV-47 the token is asked for although nothing waits for it"])
  }
}
