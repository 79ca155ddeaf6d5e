import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-11: nothing older than 30 days is sent")
struct INV11Tests {
  private func kept(for span: TimeSpan) -> (StoryBuilder, StoryBuilder.Message) {
    let builder = StoryBuilder()
    builder.launch()
    builder.load()
    let message = builder.track("a")
    builder.fail(builder.start([message]))
    builder.pass(span)
    return (builder, message)
  }

  @Test("thirty days are still sent")
  func healthy() {
    let (builder, message) = kept(for: .days(30) - .milliseconds(200))
    builder.deliver([message])
    builder.calm()
    #expect(ModelRules.judge(builder).findings == [])
  }

  @Test("more than thirty days fires at the request")
  func old() {
    let (builder, message) = kept(for: .days(31))
    let instant = builder.now
    builder.deliver([message])
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.fired == ["INV-11"])
    #expect(judgement.findings.first?.instant == instant)
  }

  @Test("a message that has left for its age is lawfully lost")
  func expired() {
    let (builder, _) = kept(for: .days(31))
    builder.deliver([builder.track("b")])
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.findings == [])
    #expect(judgement.messages.dropped == ["expired": 1])
    #expect(judgement.antecedents["INV-11"] == 1)
  }

  @Test("a wall clock that was set makes nothing old")
  func clock() {
    let (builder, message) = kept(for: .days(1))
    let before = builder.wall
    builder.wallOffset = 40 * 86_400_000_000_000
    builder.record(.wallClockSet(before: before, after: builder.wall), process: -1)
    builder.deliver([message])
    builder.calm()
    #expect(ModelRules.judge(builder).findings == [])
  }
}
