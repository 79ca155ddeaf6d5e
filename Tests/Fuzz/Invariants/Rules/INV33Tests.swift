import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-33: who a message is of")
struct INV33Tests {
  private func story(_ edit: (inout [StoryBuilder.Message]) -> Void = { _ in })
    -> (StoryBuilder, Instant)
  {
    let builder = StoryBuilder()
    builder.launch()
    builder.load()
    var messages = [builder.track("a"), builder.alias("new-1")]
    messages.append(builder.identify("u-1"))
    messages.append(builder.track("b"))
    messages.append(builder.alias("new-2"))
    messages.append(builder.alias("new-3", previousId: "old"))
    messages.append(builder.track("c"))
    builder.reset()
    messages.append(builder.track("d"))
    edit(&messages)
    let instant = builder.now
    builder.deliver(messages)
    builder.calm()
    return (builder, instant)
  }

  @Test("identify, alias and reset")
  func healthy() {
    let judgement = ModelRules.judge(story().0)
    #expect(judgement.findings == [])
    #expect((judgement.antecedents["INV-33"] ?? 0) >= 6)
  }

  @Test(
    "a wrong person fires",
    arguments: [
      (3, ",\"userId\":\"u-1\"", ""), (3, "\"userId\":\"u-1\"", "\"userId\":\"u-2\""),
      (6, "\"userId\":\"u-1\"", "\"userId\":\"new-3\""),
      (7, "\"track\"}", "\"track\",\"userId\":\"u-1\"}"),
      (4, "\"previousId\":\"u-1\"", "\"previousId\":\"x\""),
      (5, "\"previousId\":\"old\"", "\"previousId\":\"u-1\""),
    ])
  func wrong(place: Int, from: String, to: String) {
    let (builder, instant) = story { messages in
      messages[place].text = messages[place].text.replacing(from, with: to)
    }
    let judgement = ModelRules.judge(builder)
    #expect(judgement.fired == ["INV-33"])
    #expect(judgement.findings.first?.instant == instant)
  }

  @Test("an alias to oneself is refused at its place")
  func aliasToSelf() {
    let builder = StoryBuilder()
    builder.launch()
    builder.load()
    let first = builder.identify("u-1")
    _ = builder.alias("u-1")
    builder.deliver([first])
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.findings == [])
    #expect(judgement.messages.dropped == ["refused": 1])
  }

  @Test("getters agree with the model, and say nothing before the start")
  func getters() {
    func story(early: String?, late: String?) -> [String] {
      let builder = StoryBuilder()
      builder.launch()
      builder.beginLoad()
      builder.call(.getAnonymousId, returning: early)
      builder.finishConfig()
      builder.deliver([builder.track("a")])
      builder.call(.getAnonymousId, returning: late == "same" ? builder.anonymousId : late)
      builder.calm()
      return ModelRules.judge(builder).findings.map(\.signature)
    }
    #expect(story(early: nil, late: "same") == [])
    #expect(story(early: "x", late: "same") == ["INV-33 a getter answered before the start"])
    #expect(story(early: nil, late: nil) == ["INV-33 a getter gave nil after the start"])
    #expect(story(early: nil, late: "x") == ["INV-33 a getter gave a wrong anonymousId"])
  }
}
