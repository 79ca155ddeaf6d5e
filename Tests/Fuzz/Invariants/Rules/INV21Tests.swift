import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-21: without consent the disk holds the decision alone")
struct INV21Tests {
  private func story(_ mode: HostOptions.ConsentMode) -> StoryBuilder {
    let builder = StoryBuilder()
    builder.relaunch(reading: .notFound, .mode(mode))
    return builder
  }

  private func fired(_ builder: StoryBuilder) -> [String] {
    ModelRules.judge(builder).findings.map(\.signature)
  }

  @Test("a visitor without consent, then a grant, a revoke and another launch")
  func healthy() {
    let builder = story(.required)
    builder.deliver([builder.track("a")])
    builder.decide(analytics: true, marketing: nil)
    builder.writeInstall()
    builder.pass(.seconds(5))
    builder.decide(analytics: false, marketing: nil)
    builder.wipe()
    builder.deliver([builder.track("b")])
    builder.relaunch(.mode(.implied))
    (builder.analytics, builder.marketing) = (false, true)
    builder.deliver([builder.track("c")])
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.findings == [])
    #expect(judgement.antecedents["INV-21"] == 3)
  }

  @Test("an install record without consent")
  func install() {
    let builder = story(.required)
    builder.deliver([builder.track("a")])
    builder.writeInstall()
    let instant = builder.now
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.findings.first?.instant == instant)
    #expect(
      judgement.findings.map(\.signature) == [
        "INV-21 stored without consent: install.json.new",
        "INV-21 stored without consent: install.json",
      ])
  }

  @Test("a message without consent; a removal is none")
  func queue() {
    let builder = story(.required)
    let message = builder.track("a")
    builder.openJournal()
    builder.append(builder.removalRecord([1]))
    builder.deliver([message])
    #expect(fired(builder) == [])
    builder.append(builder.journalRecord(builder.track("b"), sequence: 2, flags: 0))
    #expect(fired(builder) == ["INV-21 stored without consent: queue"])
  }

  @Test("config on disk")
  func config() {
    let builder = story(.implied)
    builder.disk(
      .write, StoryBuilder.storage + "/config.json",
      Array("{\"session\":{\"timeoutMinutes\":5}}".utf8))
    #expect(fired(builder) == ["INV-21 config is on disk"])
  }

  @Test("a launch after a decline that leaves a file")
  func launch() {
    let builder = story(.implied)
    builder.writeInstall()
    builder.pass(.seconds(3))
    // The process dies before it has wiped.
    builder.decide(analytics: false, marketing: nil)
    builder.pass(.seconds(2))
    builder.end(.memoryKill)
    builder.launch()
    builder.beginLoad(.mode(.implied))
    builder.disk(.read, StoryBuilder.decision)
    builder.record(.firstQueueJobEnded)
    builder.finishConfig()
    #expect(fired(builder) == ["INV-21 a launch after a decline wiped nothing"])
  }
}
