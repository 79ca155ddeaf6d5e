import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-36: one start flag a session")
struct INV36Tests {
  private func judge(_ builder: StoryBuilder) -> Judgement {
    ModelRules.judge(builder)
  }

  /// Two messages, a reset, one more, a relaunch in the same session, one more.
  private func story(_ edit: (inout [StoryBuilder.Message]) -> Void = { _ in })
    -> (StoryBuilder, Instant)
  {
    let builder = StoryBuilder()
    builder.launch()
    builder.load()
    var messages = [builder.track("a"), builder.track("b")]
    builder.reset()
    messages.append(builder.track("c"))
    let first = builder.now
    let sent = messages
    var edited = messages
    edit(&edited)
    builder.deliver(edited)
    builder.relaunch()
    let last = builder.now
    messages = sent + [builder.track("d")]
    edit(&messages)
    builder.deliver([messages[3]])
    builder.calm()
    return (builder, edited.map(\.text) == sent.map(\.text) ? last : first)
  }

  private static let start = ",\"start\":true"

  @Test("the first message of each session, and no other")
  func healthy() {
    let judgement = judge(story().0)
    #expect(judgement.findings == [])
    #expect(judgement.antecedents["INV-36"] == 2)
  }

  @Test("a missing flag fires", arguments: [0, 2])
  func missing(place: Int) {
    let (builder, instant) = story { messages in
      messages[place].text = messages[place].text.replacing(Self.start, with: "")
    }
    let judgement = judge(builder)
    #expect(judgement.fired == ["INV-36"])
    #expect(judgement.findings.first?.instant == instant)
    #expect(
      judgement.findings.first?.signature == "INV-36 the first message has no start flag")
  }

  @Test("a second flag fires, also in a later process", arguments: [1, 3])
  func second(place: Int) {
    let (builder, instant) = story { messages in
      guard place < messages.count else { return }
      messages[place].text = messages[place].text.replacing(
        "\"},\"timezone\"", with: "\"\(Self.start)},\"timezone\"")
    }
    let judgement = judge(builder)
    #expect(judgement.fired == ["INV-36"])
    #expect(judgement.findings.first?.instant == instant)
    #expect(
      Set(judgement.findings.map(\.signature)) == [
        "INV-36 a later message has the start flag", "INV-36 a session has two start flags",
      ])
  }
}
