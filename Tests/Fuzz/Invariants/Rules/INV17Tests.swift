import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-17: timestamps are those of the calls")
struct INV17Tests {
  /// Two calls before the config is applied, three seconds later.
  private func held(_ edit: (inout [StoryBuilder.Message]) -> Void = { _ in })
    -> (StoryBuilder, Instant)
  {
    let builder = StoryBuilder()
    builder.launch()
    builder.beginLoad()
    var messages = [builder.track("a")]
    builder.pass(.milliseconds(2_500))
    messages.append(builder.track("b"))
    builder.finishConfig()
    builder.pass(.seconds(1))
    edit(&messages)
    let instant = builder.now
    builder.deliver(messages)
    builder.calm()
    return (builder, instant)
  }

  @Test("held calls keep their time")
  func healthy() {
    let judgement = ModelRules.judge(held().0)
    #expect(judgement.findings == [])
    #expect(judgement.antecedents["INV-17"] == 2)
  }

  @Test("the time of the replay fires")
  func replayTime() {
    let (builder, instant) = held { messages in
      let start = StoryBuilder.epoch
      let call = StoryBuilder.time(start)
      let replay = StoryBuilder.time(start + 2_550_000_000)
      messages[0].text = messages[0].text.replacing(call, with: replay)
    }
    let judgement = ModelRules.judge(builder)
    #expect(judgement.fired == ["INV-17"])
    #expect(judgement.findings.first?.instant == instant)
  }

  @Test("one millisecond fires")
  func oneMillisecond() {
    let (builder, _) = held { messages in
      messages[1].text = messages[1].text.replacing(".500Z", with: ".501Z")
    }
    #expect(ModelRules.judge(builder).fired == ["INV-17"])
  }

  @Test("a wall clock that was set does not move timestamps")
  func clock() {
    for follows in [false, true] {
      let builder = StoryBuilder()
      builder.launch()
      builder.load()
      let before = builder.wall
      builder.wallOffset = -7_200_000_000_000
      builder.record(.wallClockSet(before: before, after: builder.wall), process: -1)
      var message = builder.track("a")
      if follows {
        message.text = message.text.replacing(
          StoryBuilder.time(builder.anchored), with: StoryBuilder.time(builder.wall))
      }
      builder.deliver([message])
      builder.calm()
      #expect(ModelRules.judge(builder).fired == (follows ? ["INV-17"] : []))
    }
  }
}
