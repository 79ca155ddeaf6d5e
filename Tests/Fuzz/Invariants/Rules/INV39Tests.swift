import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-39: every install gets its $first_open")
struct INV39Tests {
  private func begin() -> (StoryBuilder, [StoryBuilder.Message]) {
    let builder = StoryBuilder()
    builder.launch()
    builder.beginLoad(StoryBuilder.lifecycle)
    let messages = [builder.appOpen(), builder.firstOpen()]
    builder.finishConfig()
    builder.deliver([messages[0]])
    return (builder, messages)
  }

  @Test("it waits 20 s for facts and goes without them")
  func healthy() {
    let (builder, messages) = begin()
    builder.pass(.seconds(20))
    builder.deliver([messages[1]])
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.findings == [])
    #expect(judgement.antecedents["INV-39"] == 1)
  }

  @Test("one that never comes fires at the end of the calm")
  func missing() {
    let (builder, _) = begin()
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.fired == ["INV-39"])
    #expect(judgement.findings.first?.instant == builder.now)
  }

  @Test("one that does not wait for the facts fires when it is sent")
  func early() {
    let (builder, messages) = begin()
    builder.pass(.seconds(5))
    let instant = builder.now
    builder.deliver([messages[1]])
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.fired == ["INV-39"])
    #expect(judgement.findings.first?.instant == instant)
  }

  @Test("an install that counts as opened before anything was queued fires at the end of the calm")
  func neverMade() {
    let (builder, _) = begin()
    builder.keepInstall("\"opened\":true")
    builder.launchAgain()
    builder.deliver([builder.loadInFront()])
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.fired == ["INV-39"])
    #expect(judgement.findings.first?.instant == builder.now)
    #expect(
      judgement.findings.first?.signature
        == "INV-39 an install counts as opened without a $first_open")
  }
}
