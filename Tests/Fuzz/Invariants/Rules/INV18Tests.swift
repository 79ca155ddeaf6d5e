import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-18: what track returns")
struct INV18Tests {
  private func loaded() -> StoryBuilder {
    let builder = StoryBuilder()
    builder.launch()
    builder.load()
    return builder
  }

  @Test("valid and invalid ids of the caller")
  func healthy() {
    let builder = loaded()
    builder.deliver([builder.track("a", id: "order-1")])
    builder.pass(.seconds(1))
    let made = builder.drawId()
    builder.call(
      .track(event: "b", properties: [], messageId: "with space"), returning: made)
    builder.deliver([
      builder.message(
        "\"event\":\"b\",\"messageId\":\"\(made)\",\"properties\":{}", made, type: "track",
        userId: nil)
    ])
    builder.call(.track(event: "$x", properties: [], messageId: nil), returning: builder.drawId())
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.findings == [])
    #expect(judgement.antecedents["INV-18"] == 3)
  }

  @Test(
    "a wrong return fires at the return",
    arguments: [
      ("ok-1", "ok-2", "a valid id of the caller was not used"),
      ("not ok", "not ok", "an invalid id of the caller was used"),
      (nil, "", "track returned no id"),
      (nil, "00000000-0000-1000-8000-000000000001", "a made id is no random UUID"),
    ] as [(String?, String, String)])
  func wrongReturn(given: String?, returned: String, cause: String) {
    let builder = loaded()
    builder.call(
      .track(event: "$x", properties: [], messageId: given),
      returning: returned.isEmpty ? nil : returned)
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.findings.map(\.signature) == ["INV-18 " + cause])
  }

  @Test("another id on the wire fires at the request")
  func wireId() {
    let builder = loaded()
    var message = builder.track("a")
    let other = builder.drawId()
    message.text = message.text.replacing(message.id, with: other)
    let instant = builder.now
    builder.deliver([message])
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.fired == ["INV-18"])
    #expect(judgement.findings.first?.instant == instant)
  }

  @Test(
    "a reserved name from the app fires at the request; each that the SDK sends has its own rule",
    arguments: [
      ("$pageleave", "INV-43"), ("$app_open", "INV-41"), ("$app_updated", "INV-42"),
      ("$first_open", "INV-38"),
    ])
  func reserved(name: String, invariant: String) {
    let builder = loaded()
    let message = builder.track(name)
    let instant = builder.now
    builder.deliver([message])
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.fired == [invariant])
    #expect(judgement.findings.first?.instant == instant)
  }
}
