import FuzzHistory
import FuzzInvariants
import SimKernel
import Testing

@Suite("INV-05 Limits of a batch")
struct INV05Tests {
  private func run(
    flushAt: Int? = nil, _ ids: Int = 0, messages: [String] = [], body: String? = nil
  ) -> WireHistory {
    let builder = WireHistory()
    var options = HostOptions()
    options.flushAt = flushAt
    builder.launch()
    builder.load(options)
    if let body {
      let number = builder.start(
        .collector, url: "https://e.postlip.com/v1/batch", headers: Self.headers, body: body,
        idle: 20_000, total: 120_000)
      #expect(number == 1)
    } else if messages.isEmpty {
      builder.batch((0..<ids).map { "m\($0)" })
    } else {
      builder.batch(messages: messages)
    }
    return builder
  }

  private static let headers =
    "Authorization: Basic \(Base64.text((WireHistory.writeKey + ":").utf8))\n"
    + "User-Agent: \(WireHistory.agent)"

  /// A message of exactly so many bytes.
  private func message(_ id: String, bytes: Int) -> String {
    let plain = WireHistory().message(id)
    let filler = String(repeating: "x", count: bytes - plain.utf8.count)
    return plain.split(separator: "Tap", maxSplits: 1).joined(separator: "Tap" + filler)
  }

  @Test("at the limits nothing is wrong", arguments: [20, nil, 500, -1])
  func healthy(flushAt: Int?) {
    expectHealthy(run(flushAt: flushAt, 20), antecedent: "INV-05")
  }

  @Test("a message of 32 768 bytes, and a body of 512 000")
  func largest() {
    let messages = (0..<15).map { message("m\($0)", bytes: 32_768) }
    expectHealthy(run(messages: messages), antecedent: "INV-05")
    let used = WireHistory().body(messages + [""]).utf8.count
    let full = messages + [message("n", bytes: 512_000 - used)]
    expectHealthy(run(messages: full), antecedent: "INV-05")
  }

  @Test("more messages than flushAt", arguments: [(0, 2), (7, 8), (20, 21), (500, 21), (-5, 21)])
  func tooMany(flushAt: Int, count: Int) {
    let builder = run(flushAt: flushAt, count)
    expectFinding("INV-05 a batch has too many messages", at: builder.last, builder)
  }

  @Test("a body one byte too large")
  func bodyTooLarge() {
    let messages = (0..<15).map { message("m\($0)", bytes: 32_768) }
    let used = WireHistory().body(messages + [""]).utf8.count
    let builder = run(messages: messages + [message("n", bytes: 512_001 - used)])
    expectFinding("INV-05 a body is too large", at: builder.last, builder)
  }

  @Test("a message one byte too large")
  func messageTooLarge() {
    let builder = run(messages: [message("m", bytes: 32_769)])
    expectFinding("INV-05 a message is too large", at: builder.last, builder)
  }

  @Test("an empty batch, and a body that is none")
  func odd() {
    var builder = run(0)
    expectFinding("INV-05 a batch is empty", at: builder.last, builder)
    for body in [#"{"batch":[{"messageId":"m"}"#, #"{"sentAt":"x"}"#, #"[1]"#, ""] {
      builder = run(body: body)
      expectFinding("INV-05 the body is no batch", at: builder.last, builder)
    }
  }
}
