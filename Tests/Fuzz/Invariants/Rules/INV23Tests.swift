import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-23: each message tells the consent of its call")
struct INV23Tests {
  /// Flags come and go; `edit` changes what is sent.
  private func story(_ edit: (inout [StoryBuilder.Message]) -> Void = { _ in })
    -> (StoryBuilder, Instant)
  {
    let builder = StoryBuilder()
    builder.relaunch(reading: .notFound, .mode(.required))
    var messages = [builder.track("none")]
    builder.decide(analytics: nil, marketing: true)
    messages.append(builder.track("marketing"))
    builder.decide(
      analytics: true, marketing: nil, stored: StoryBuilder.decisionBytes(true, true))
    messages.append(builder.track("both"))
    builder.reset()
    messages.append(builder.track("after reset"))
    edit(&messages)
    let instant = builder.now
    builder.deliver(messages)
    builder.calm()
    return (builder, instant)
  }

  @Test("flag by flag, at the call, and through a reset")
  func healthy() {
    let judgement = ModelRules.judge(story().0)
    #expect(judgement.findings == [])
    #expect(judgement.antecedents["INV-23"] == 4)
  }

  @Test(
    "a wrong flag or mode fires at the request",
    arguments: [
      (0, "\"analytics\":false", "\"analytics\":true"),
      (1, "\"marketing\":true", "\"marketing\":false"),
      (2, "\"analytics\":true", "\"analytics\":false"),
      (3, "\"marketing\":true", "\"marketing\":false"),
      (3, "\"mode\":\"required\"", "\"mode\":\"implied\""),
    ])
  func wrong(place: Int, from: String, to: String) {
    let (builder, instant) = story { messages in
      messages[place].text = messages[place].text.replacing(from, with: to)
    }
    let judgement = ModelRules.judge(builder)
    #expect(judgement.fired == ["INV-23"])
    #expect(judgement.findings.first?.instant == instant)
  }

  @Test("a decision that cannot be read: both flags are off, whatever the mode (S-34)")
  func unreadable() {
    func story(_ flag: Bool) -> [String] {
      let builder = StoryBuilder()
      builder.relaunch(reading: .notPermitted, .mode(.notRequired))
      (builder.analytics, builder.marketing) = (flag, flag)
      builder.deliver([builder.track("a")])
      builder.calm()
      return ModelRules.judge(builder).fired
    }
    #expect(story(false) == [])
    #expect(story(true) == ["INV-23"])
  }

  @Test("a damaged decision counts as declined (S-35)")
  func damaged() {
    func story(_ flag: Bool) -> [String] {
      let builder = StoryBuilder()
      builder.relaunch(reading: .notFound, .mode(.implied))
      builder.decide(
        analytics: nil, marketing: true, stored: StoryBuilder.decisionBytes(nil, true))
      let path = builder.history.store(StoryBuilder.decision)
      builder.record(.fileDamaged(path: path, .garbled), process: -1)
      builder.record(
        .fileContent(path: path, bytes: builder.history.store("{\"opened\":false,")), process: -1)
      builder.relaunch(.mode(.implied))
      (builder.analytics, builder.marketing) = (flag, flag)
      builder.deliver([builder.track("a")])
      builder.calm()
      return ModelRules.judge(builder).fired
    }
    #expect(story(false) == [])
    #expect(story(true) == ["INV-23"])
  }
}
