import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-02: one id, one content")
struct INV02Tests {
  private func loaded(isCalm: Bool = false) -> StoryBuilder {
    let builder = StoryBuilder(isCalm: isCalm)
    builder.launch()
    builder.load()
    return builder
  }

  @Test("a resend after a lost answer is lawful")
  func resend() {
    let builder = loaded()
    let message = builder.track("tap")
    let first = builder.start([message])
    builder.serve(first)
    builder.fail(first)
    builder.deliver([message])
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.findings == [])
    #expect(judgement.antecedents["INV-02"] == 1)
  }

  @Test("an id twice in one body fires at the request")
  func twiceInBody() {
    let builder = loaded()
    let message = builder.track("tap")
    let instant = builder.now
    builder.deliver([message, message])
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.fired == ["INV-02"])
    #expect(judgement.findings.first?.instant == instant)
  }

  @Test("two contents of one call fire when the second arrives, and INV-06 sees the change itself")
  func twoContents() {
    let builder = loaded()
    var message = builder.track("tap", [PropertyEntry("n", .int(1))], json: "{\"n\":1}")
    let first = builder.start([message])
    builder.serve(first)
    builder.fail(first)
    message.text = message.text.replacing("\"n\":1", with: "\"n\":2")
    let second = builder.start([message])
    builder.serve(second)
    let arrival = builder.now - .milliseconds(5)
    builder.hear(second)
    builder.calm()
    let judgement = ModelRules.judge(builder)
    // INV-06: an attempt with another content is that also where it does not arrive.
    #expect(judgement.fired == ["INV-06", "INV-02"])
    #expect(judgement.findings.first { $0.invariant == "INV-02" }?.instant == arrival)
  }

  @Test("a second call with a delivered id of the caller is lawful")
  func callersId() {
    let builder = loaded()
    builder.deliver([builder.track("tap", id: "order-1")])
    builder.pass(.seconds(5))
    builder.deliver([builder.track("tap", id: "order-1")])
    builder.calm()
    #expect(ModelRules.judge(builder).findings == [])
  }

  @Test("a second call with a queued id must be dropped")
  func queuedId() {
    func story(isSent: Bool) -> Judgement {
      let builder = loaded()
      let first = builder.track("tap", id: "order-1")
      builder.pass(.seconds(5))
      let second = builder.track("tap", id: "order-1")
      builder.pass(.seconds(5))
      builder.deliver([first])
      if isSent {
        builder.pass(.seconds(5))
        builder.deliver([second])
      }
      builder.calm()
      return ModelRules.judge(builder)
    }
    let healthy = story(isSent: false)
    #expect(healthy.findings == [])
    #expect(healthy.messages.dropped == ["duplicate_in_queue": 1])
    #expect(story(isSent: true).fired == ["INV-02"])
  }

  @Test("in a calm run nothing is stored twice")
  func calm() {
    let builder = loaded(isCalm: true)
    let message = builder.track("tap")
    let first = builder.start([message])
    builder.serve(first)
    builder.fail(first)
    builder.deliver([message])
    builder.calm()
    #expect(ModelRules.judge(builder).fired == ["INV-02"])
  }
}
