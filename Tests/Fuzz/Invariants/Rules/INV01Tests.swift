import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-01: stored events match calls")
struct INV01Tests {
  /// Three calls, one request.
  private func story(_ edit: (inout [StoryBuilder.Message], StoryBuilder) -> Void = { _, _ in })
    -> StoryBuilder
  {
    let builder = StoryBuilder()
    builder.launch()
    builder.load()
    builder.pass(.seconds(2))
    var messages = [
      builder.track(
        "tap", [PropertyEntry("n", .int(1)), PropertyEntry("a", .string("x"))],
        json: "{\"a\":\"x\",\"n\":1}")
    ]
    builder.pass(.seconds(1))
    messages.append(builder.screen("Home"))
    builder.pass(.seconds(1))
    messages.append(
      builder.identify(
        "u-1", traits: [PropertyEntry("plan", .string("pro"))], json: "{\"plan\":\"pro\"}"))
    builder.flush()
    edit(&messages, builder)
    builder.deliver(messages)
    builder.calm()
    return builder
  }

  @Test(
    "only what differs is told, each place with what was due and what was sent",
    arguments: [
      ("\"n\":1", "\"n\":2", "differs from its call in properties: properties.n: 1 → 2."),
      (
        "\"a\":\"x\",\"n\":1", "\"b\":[1]",
        "properties.a: \"x\" → nothing; properties.n: 1 → nothing;"
      ),
      ("\"a\":\"x\",\"n\":1", "\"b\":[1]", "; properties.b: nothing → [1]."),
      ("\"locale\":\"en-US\"", "\"locale\":\"de\"", "context.locale: \"en-US\" → \"de\"."),
      (
        "\"timezone\":\"Europe/Berlin\"", "\"timezone\":true",
        "context.timezone: \"Europe/Berlin\" → true."
      ),
      ("\"a\":\"x\",\"n\":1", "\"n\":1,\"a\":\"x\"", ": the same values, written in another way."),
      (
        "\"plan\":\"pro\"", "\"plan\":\"\(String(repeating: "z", count: 90))\"",
        "traits.plan: \"pro\" → \"\(String(repeating: "z", count: 58))…."
      ),
      (
        "\"a\":\"x\"", "\"a\":\"x\",\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1",
        "properties.g: nothing → 1; and 2 more."
      ),
    ])
  func difference(from: String, to: String, words: String) {
    let builder = story { messages, _ in
      let place = messages.firstIndex { $0.text.contains(from) } ?? 0
      messages[place].text = messages[place].text.replacing(from, with: to)
    }
    let finding = ModelRules.judge(builder).findings.first { $0.invariant == "INV-01" }
    let message = finding?.message ?? ""
    #expect(message.contains(words), "\(message)")
    #expect(message.count < 400)
  }

  @Test("a healthy run is silent")
  func healthy() {
    let judgement = ModelRules.judge(story())
    #expect(judgement.findings == [])
    #expect(judgement.antecedents["INV-01"] == 3)
    #expect(judgement.messages.accepted == 3)
    #expect(judgement.messages.delivered == 3)
  }

  @Test(
    "one altered part fires at the request",
    arguments: [
      ("\"n\":1", "\"n\":2", "properties"), ("\"event\":\"tap\"", "\"event\":\"tip\"", "name"),
      ("\"plan\":\"pro\"", "\"plan\":\"free\"", "traits"),
      ("\"type\":\"screen\"", "\"type\":\"track\"", ""),
      ("\"locale\":\"en-US\"", "\"locale\":\"de\"", "context"),
      ("\"a\":\"x\",\"n\":1", "\"n\":1,\"a\":\"x\"", "shape"),
    ])
  func altered(from: String, to: String, part: String) {
    var instant = Instant.start
    let builder = story { messages, builder in
      let place = messages.firstIndex { $0.text.contains(from) } ?? 0
      messages[place].text = messages[place].text.replacing(from, with: to)
      instant = builder.now
    }
    let judgement = ModelRules.judge(builder)
    let first = judgement.findings.first
    #expect(first?.invariant == "INV-01")
    #expect(first?.instant == instant)
    #expect(
      first?.signature == (part.isEmpty ? "INV-01 no accepted call" : "INV-01 \(part) altered"))
    // A message of another type is no message of its call, which is then missing.
    #expect(judgement.fired == (part.isEmpty ? ["INV-01", "INV-03"] : ["INV-01"]))
  }

  @Test("a message without a call fires")
  func invented() {
    let builder = story { messages, builder in
      messages.append(
        builder.message(
          "\"event\":\"ghost\",\"messageId\":\"g\",\"properties\":{}", "g", type: "track",
          userId: "u-1"))
    }
    let judgement = ModelRules.judge(builder)
    #expect(judgement.fired == ["INV-01"])
    #expect(judgement.findings.first?.signature == "INV-01 no accepted call")
  }

  @Test("a number written in another way is the same number")
  func sameNumber() {
    let builder = StoryBuilder()
    builder.launch()
    builder.load()
    var message = builder.track(
      "tap", [PropertyEntry("d", .double(bits: (2.0).bitPattern))], json: "{\"d\":2.0}")
    message.text = message.text.replacing("2.0", with: "2")
    builder.deliver([message])
    builder.calm()
    #expect(ModelRules.judge(builder).findings == [])
  }
}
