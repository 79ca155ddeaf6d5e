import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-26: a decision governs later launches")
struct INV26Tests {
  /// Declines in the first process; gives what came of it in the second.
  private func story(stores: Bool, obeys: Bool, after span: TimeSpan = .seconds(10))
    -> StoryBuilder
  {
    let builder = StoryBuilder()
    builder.relaunch(reading: .notFound, .mode(.implied))
    builder.call(.consent(analytics: nil, marketing: false))
    if stores { builder.writeDecision(StoryBuilder.decisionBytes(nil, false)) }
    builder.pass(span)
    builder.end(.memoryKill)
    builder.launch()
    builder.beginLoad(.mode(.implied))
    builder.disk(.read, StoryBuilder.decision, outcome: stores ? .done : .notFound)
    builder.record(.firstQueueJobEnded)
    builder.finishConfig()
    builder.marketing = !obeys
    builder.deliver([builder.track("a")])
    builder.calm()
    return builder
  }

  @Test("what was declined stays declined")
  func healthy() {
    let judgement = ModelRules.judge(story(stores: true, obeys: true))
    #expect(judgement.findings == [])
    #expect(judgement.antecedents["INV-26"] == 2)
  }

  @Test("a decision that is not on disk at the next launch")
  func notStored() {
    let judgement = ModelRules.judge(story(stores: false, obeys: true))
    #expect(judgement.findings.map(\.signature) == ["INV-26 a decision is not on disk"])
  }

  @Test("a launch that takes what the mode gives")
  func notObeyed() {
    // Its flags are also not those of the model.
    let judgement = ModelRules.judge(story(stores: true, obeys: false))
    #expect(judgement.fired == ["INV-23", "INV-26"])
  }

  @Test("a death right after the call leaves the old decision or the new one (S-42)")
  func early() {
    for stores in [false, true] {
      let builder = story(stores: stores, obeys: stores, after: .milliseconds(10))
      #expect(ModelRules.judge(builder).findings == [])
    }
  }

  @Test("a full disk excuses only where there was no spare (A-08)")
  func fullDisk() {
    func story(hasSpare: Bool) -> [String] {
      let builder = StoryBuilder()
      builder.relaunch(reading: .notFound, .mode(.implied))
      if hasSpare { builder.disk(.write, StoryBuilder.spare, [UInt8](repeating: 0x20, count: 256)) }
      builder.call(.consent(analytics: nil, marketing: false))
      builder.disk(.write, StoryBuilder.spare, outcome: .noSpace)
      builder.relaunch(reading: .notFound, .mode(.implied))
      return ModelRules.judge(builder).findings.map(\.signature)
    }
    #expect(story(hasSpare: false) == [])
    #expect(story(hasSpare: true) == ["INV-26 a decision is not on disk"])
  }
}
