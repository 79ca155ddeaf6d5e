import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-41: $app_open for each entry of the foreground")
struct INV41Tests {
  /// A launch in the foreground, and one return.
  private func story(_ edit: (inout [StoryBuilder.Message], StoryBuilder) -> Void = { _, _ in })
    -> (builder: StoryBuilder, instant: Instant)
  {
    let builder = StoryBuilder()
    var options = StoryBuilder.lifecycle
    options.consent = .required
    builder.launch()
    var messages = [builder.loadInFront(options)]
    builder.pass(.seconds(1))
    builder.leave()
    builder.pass(.seconds(1))
    builder.comeBack()
    messages.append(builder.appOpen(fromBackground: true))
    edit(&messages, builder)
    let instant = builder.now
    builder.deliver(messages)
    builder.calm()
    return (builder, instant)
  }

  @Test("one at the cold start, one at the return")
  func healthy() {
    let judgement = ModelRules.judge(story().builder)
    #expect(judgement.findings == [])
    #expect(judgement.antecedents["INV-41"] == 2)
  }

  @Test("a second one of an entry fires")
  func twice() {
    let (builder, instant) = story { messages, builder in
      messages.append(builder.appOpen(fromBackground: true))
    }
    let judgement = ModelRules.judge(builder)
    #expect(judgement.fired == ["INV-41"])
    #expect(judgement.findings.first?.instant == instant)
  }

  @Test("a return told as a cold start fires; its content differs from what is due (INV-01)")
  func flag() {
    let (builder, instant) = story { messages, _ in
      messages[1].text = messages[1].text.replacing("background\":true", with: "background\":false")
    }
    let judgement = ModelRules.judge(builder)
    #expect(judgement.fired == ["INV-01", "INV-41"])
    #expect(judgement.findings.allSatisfy { $0.instant == instant })
  }

  @Test("an entry without one fires at the end; nothing allows the loss (INV-03)")
  func missing() {
    let (builder, _) = story { messages, _ in messages.removeLast() }
    let judgement = ModelRules.judge(builder)
    #expect(judgement.fired == ["INV-03", "INV-41"])
    #expect(judgement.findings.allSatisfy { $0.instant == builder.now })
  }
}
