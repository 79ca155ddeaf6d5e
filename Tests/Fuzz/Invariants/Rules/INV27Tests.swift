import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-27: a process that began locked writes nothing")
struct INV27Tests {
  private static let install = StoryBuilder.storage + "/install.json"

  /// A device that was just booted and a process that finds its decision out of reach.
  private func story() -> StoryBuilder {
    let builder = StoryBuilder()
    builder.record(.rebooted(boot: 8), process: -1)
    builder.launch()
    builder.disk(.read, StoryBuilder.decision, outcome: .notPermitted)
    return builder
  }

  private func unlock(_ builder: StoryBuilder) {
    builder.record(.lockChanged(isLocked: false), process: -1)
  }

  private func judge(_ builder: StoryBuilder) -> Judgement {
    Judge.judge(builder.history, with: [INV27()])
  }

  private func signatures(_ builder: StoryBuilder) -> [String] {
    judge(builder).findings.map(\.signature)
  }

  @Test("looking is no writing")
  func healthy() {
    let builder = story()
    unlock(builder)
    builder.disk(.read, StoryBuilder.decision)
    builder.disk(.list, StoryBuilder.storage)
    let judgement = judge(builder)
    #expect(judgement.findings == [])
    #expect(judgement.antecedents["INV-27"] == 1)
  }

  @Test("a try before the first unlock, refused or not")
  func tries() {
    let builder = story()
    builder.disk(.write, INV27Tests.install, [1], outcome: .notPermitted)
    let instant = builder.now
    #expect(judge(builder).findings.map(\.instant) == [instant])
    #expect(signatures(builder) == ["INV-27 a process tries to write before the first unlock"])
  }

  @Test("a write after the unlock, and a wipe that nobody asked for")
  func writes() {
    let cause = "INV-27 a process that was launched locked writes once it can"
    let builder = story()
    unlock(builder)
    builder.disk(.write, INV27Tests.install, [1])
    #expect(signatures(builder) == [cause])
    let other = story()
    unlock(other)
    other.disk(.remove, INV27Tests.install)
    #expect(signatures(other) == [cause])
  }

  @Test("a withdrawal is written once files can be reached, and wipes only for analytics (A-07)")
  func withdrawal() {
    for analytics in [false, nil] as [Bool?] {
      let builder = story()
      builder.call(.consent(analytics: analytics, marketing: false))
      unlock(builder)
      builder.disk(.createDirectory, StoryBuilder.storage)
      builder.disk(.overwrite, StoryBuilder.storage + "/consent.spare", [1])
      builder.disk(
        .rename, StoryBuilder.storage + "/consent.spare", target: StoryBuilder.decision)
      #expect(signatures(builder) == [])
      builder.disk(.remove, INV27Tests.install)
      #expect(signatures(builder).count == (analytics == false ? 0 : 1))
      builder.disk(.write, INV27Tests.install, [1])
      #expect(!signatures(builder).isEmpty)
    }
  }

  @Test("a process that looks for the first time after the unlock may write")
  func late() {
    let builder = StoryBuilder()
    builder.record(.rebooted(boot: 8), process: -1)
    builder.launch()
    unlock(builder)
    builder.disk(.read, StoryBuilder.decision)
    builder.disk(.write, INV27Tests.install, [1])
    let judgement = judge(builder)
    #expect(judgement.findings == [])
    #expect(judgement.antecedents["INV-27"] == nil)
  }

  @Test("the process after it may write")
  func next() {
    let builder = story()
    unlock(builder)
    builder.end(.memoryKill)
    builder.launch()
    builder.disk(.write, INV27Tests.install, [1])
    #expect(signatures(builder) == [])
  }

  /// An app in a shared group, whose process has just asked for the lock.
  private func shared(_ answer: StorageLockEvent) -> StoryBuilder {
    let builder = StoryBuilder()
    builder.history.header.hasSharedGroup = true
    builder.launch()
    builder.record(.storageLock(answer))
    return builder
  }

  @Test("a shared container is written to under its lock alone (A-25)")
  func lock() {
    let cause = "INV-27 a process writes without the lock"
    let holder = shared(.taken)
    holder.disk(.write, INV27Tests.install, [1])
    #expect(signatures(holder) == [])
    holder.record(.storageLock(.released))
    holder.disk(.read, INV27Tests.install)
    #expect(signatures(holder) == [])
    holder.disk(.barrier, INV27Tests.install)
    #expect(signatures(holder) == [cause])
    let refused = shared(.refused)
    refused.disk(.write, INV27Tests.install, [1])
    #expect(signatures(refused) == [cause])
    #expect(judge(refused).antecedents["INV-27"] == 1)
  }

  @Test("a lock is not kept into suspension (A-25)")
  func suspension() {
    let builder = shared(.taken)
    builder.record(.ended(.lockHeld))
    #expect(signatures(builder) == ["INV-27 a process is suspended with the lock"])
  }
}
