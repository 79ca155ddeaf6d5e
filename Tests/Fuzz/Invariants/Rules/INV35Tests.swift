import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-35: where a session ends")
struct INV35Tests {
  private static let timeout = TimeSpan.seconds(1_800)

  private func judge(_ builder: StoryBuilder) -> Judgement {
    ModelRules.judge(builder)
  }

  private func start(_ options: HostOptions? = nil) -> StoryBuilder {
    let builder = StoryBuilder()
    builder.launch()
    builder.load(options)
    builder.deliver([builder.track("a")])
    return builder
  }

  /// One more message is sent, and the story ends.
  private func finish(_ builder: StoryBuilder) -> (Judgement, Instant) {
    let message = builder.track("b")
    let instant = builder.now
    builder.deliver([message])
    builder.calm()
    return (judge(builder), instant)
  }

  @Test(
    "a stay of the timeout and one millisecond less keep the session; one more ends it",
    arguments: [(-1, false), (0, false), (1, true)])
  func boundary(extra: Int64, isOver: Bool) {
    for isReturn in [true, false] {
      for isRight in [true, false] {
        let builder = start()
        builder.leave()
        builder.pass(Self.timeout + .milliseconds(extra))
        if isReturn { builder.comeBack() }
        if isOver == isRight { builder.beginSession() }
        let (judgement, instant) = finish(builder)
        #expect(judgement.fired == (isRight ? [] : ["INV-35"]))
        if isRight {
          #expect(judgement.antecedents["INV-35"] == (isOver ? 1 : nil))
        } else {
          #expect(judgement.findings.first?.instant == instant)
        }
      }
    }
  }

  @Test("nothing ends a session in the foreground")
  func foreground() {
    let builder = start()
    builder.pass(.seconds(36_000))
    #expect(finish(builder).0.fired == [])
    let other = start()
    other.pass(.seconds(36_000))
    other.beginSession()
    #expect(finish(other).0.fired == ["INV-35"])
  }

  @Test("a background message does not extend the stay; the session it begins does")
  func base() {
    let builder = start()
    builder.leave()
    builder.pass(.seconds(1_200))
    builder.deliver([builder.track("early")])
    builder.pass(.seconds(1_200))
    builder.beginSession()
    builder.deliver([builder.track("late")])
    builder.pass(.seconds(1_200))
    builder.comeBack()
    #expect(finish(builder).0.findings == [])
  }

  @Test("the timeout is that of option and panel (OPT-11)")
  func resolved() {
    var options = HostOptions()
    options.sessionTimeoutMinutesBits = (1.0).bitPattern
    let builder = start(options)
    builder.leave()
    builder.pass(.seconds(301))
    builder.comeBack()
    builder.beginSession()
    #expect(finish(builder).0.fired == [])
  }

  @Test("a reset begins a session")
  func reset() {
    let builder = start()
    let old = builder.sessionId
    builder.reset()
    builder.sessionId = old
    builder.startsSession = false
    let (judgement, _) = finish(builder)
    #expect(judgement.fired == ["INV-35"])
    #expect(judgement.findings.first?.signature == "INV-35 an earlier session goes on")
  }

  @Test("a relaunch within the timeout goes on, a later one does not (S-44)")
  func relaunch() {
    for (seconds, isOver) in [(1_700, false), (1_900, true)] as [(Int64, Bool)] {
      for isRight in [true, false] {
        let builder = start()
        builder.relaunch(after: .seconds(seconds))
        if isOver == isRight { builder.beginSession() }
        let (judgement, _) = finish(builder)
        #expect(judgement.fired == (isRight ? [] : ["INV-35"]))
        if isRight { #expect(judgement.antecedents["INV-35"] == 1) }
      }
    }
  }

  @Test("a clock set back ends the stored session")
  func clockSetBack() {
    let builder = start()
    builder.wallOffset = -60_000_000_000
    builder.relaunch()
    builder.beginSession()
    #expect(finish(builder).0.fired == [])
  }
}
