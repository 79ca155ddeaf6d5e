import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-22: a revoke empties the disk")
struct INV22Tests {
  private func story() -> StoryBuilder {
    let builder = StoryBuilder()
    builder.relaunch(reading: .notFound, .mode(.implied))
    builder.writeInstall()
    builder.pass(.seconds(2))
    return builder
  }

  private func fired(_ builder: StoryBuilder) -> [String] {
    ModelRules.judge(builder).findings.map(\.signature)
  }

  @Test("the decision, then the wipe")
  func healthy() {
    let builder = story()
    builder.decide(analytics: false, marketing: nil)
    builder.wipe()
    builder.pass(.seconds(20))
    builder.deliver([builder.track("a")])
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.findings == [])
    #expect(judgement.antecedents["INV-22"] == 1)
  }

  @Test("a file that stays is found after the bound")
  func late() {
    let builder = story()
    builder.decide(analytics: false, marketing: nil)
    builder.pass(.seconds(3))
    builder.deliver([builder.track("a")])
    #expect(fired(builder) == [])
    builder.pass(.seconds(20))
    builder.flush()
    let instant = builder.now
    let judgement = ModelRules.judge(builder)
    #expect(judgement.findings.map(\.signature) == ["INV-22 a wipe is late"])
    #expect(judgement.findings.first?.instant == instant)
  }

  @Test("a wipe that the disk refused must come to its end in the calm")
  func unfinished() {
    let builder = story()
    builder.decide(analytics: false, marketing: nil)
    builder.disk(.list, StoryBuilder.storage)
    builder.disk(.remove, StoryBuilder.install, outcome: .notPermitted)
    builder.pass(.seconds(20))
    builder.deliver([builder.track("a")])
    #expect(fired(builder) == [])
    builder.calm()
    #expect(fired(builder) == ["INV-22 a wipe is never finished"])
  }

  @Test("a wipe before the decision; on a full disk it may be")
  func order() {
    let builder = story()
    builder.revoke()
    builder.pass(.milliseconds(1))
    builder.wipe()
    let instant = builder.now
    builder.writeDecision(StoryBuilder.decisionBytes(false, nil))
    builder.calm()
    let judgement = ModelRules.judge(builder)
    // Both the record and the queue went too early.
    #expect(
      judgement.findings.map(\.signature)
        == [String](repeating: "INV-22 wiped before the decision was written", count: 2))
    #expect(judgement.findings.first?.instant == instant)

    let full = story()
    full.revoke()
    full.disk(.write, StoryBuilder.spare, outcome: .noSpace)
    full.wipe()
    full.writeDecision(StoryBuilder.decisionBytes(false, nil))
    full.calm()
    #expect(fired(full) == [])
  }

  @Test("what is withdrawn while another process has the storage is written in the end (A-25)")
  func owed() {
    let cause = "INV-22 a decision made without the storage is never written"
    for isWritten in [false, true] {
      let builder = StoryBuilder()
      builder.history.header.hasSharedGroup = true
      builder.launch()
      builder.beginLoad(.mode(.implied))
      builder.record(.storageLock(.refused))
      builder.finishConfig()
      builder.record(.storageLock(.refused))
      builder.revoke()
      builder.pass(.seconds(20))
      if isWritten {
        builder.record(.storageLock(.taken))
        builder.writeDecision(StoryBuilder.decisionBytes(false, nil))
      }
      builder.end(.calmKill)
      #expect(fired(builder).contains(cause) == !isWritten)
    }
  }
}
