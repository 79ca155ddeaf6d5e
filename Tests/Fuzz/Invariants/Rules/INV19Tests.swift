import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-19: first in, first out")
struct INV19Tests {
  private func story(order: [Int], isHeld: Bool, threads: [UInt16]) -> (StoryBuilder, Instant) {
    let builder = StoryBuilder()
    builder.launch()
    builder.beginLoad()
    if !isHeld { builder.finishConfig() }
    let messages = (0..<3).map { builder.track("e\($0)", thread: threads[$0]) }
    if isHeld { builder.finishConfig() }
    let instant = builder.now
    builder.deliver(order.map { messages[$0] })
    builder.calm()
    return (builder, instant)
  }

  @Test("the order of the calls is silent", arguments: [true, false])
  func healthy(isHeld: Bool) {
    let judgement = ModelRules.judge(
      story(order: [0, 1, 2], isHeld: isHeld, threads: [0, 0, 0]).0)
    #expect(judgement.findings == [])
    #expect(judgement.antecedents["INV-19"] == 2)
  }

  @Test("another order fires at the request", arguments: [true, false])
  func changed(isHeld: Bool) {
    let (builder, instant) = story(order: [0, 2, 1], isHeld: isHeld, threads: [0, 0, 0])
    let judgement = ModelRules.judge(builder)
    #expect(judgement.findings.map(\.signature) == ["INV-19 order of one thread changed"])
    #expect(judgement.findings.first?.instant == instant)
  }

  @Test("a look at the queue that failed excuses what was made before it, and nothing after")
  func unreadable() {
    func fired(fails: Bool, isAfter: Bool) -> [String] {
      let builder = StoryBuilder()
      builder.launch()
      builder.load()
      let queue = StoryBuilder.storage + "/queue"
      if fails, !isAfter { builder.disk(.list, queue, outcome: .notPermitted) }
      builder.pass(.seconds(1))
      let messages = (0..<2).map { builder.track("e\($0)") }
      if fails, isAfter { builder.disk(.list, queue, outcome: .notPermitted) }
      builder.deliver([messages[1], messages[0]])
      builder.calm()
      return ModelRules.judge(builder).fired
    }
    #expect(fired(fails: false, isAfter: false) == ["INV-19"])
    #expect(fired(fails: true, isAfter: false) == ["INV-19"])
    #expect(fired(fails: true, isAfter: true) == [])
  }

  /// A message is stored, and the next process makes another.
  private func twoProcesses(isInOrder: Bool, isDenied: Bool = false) -> (StoryBuilder, Instant) {
    let builder = StoryBuilder()
    builder.launch()
    builder.load()
    builder.openJournal()
    let stored = builder.track("a")
    builder.append(builder.journalRecord(stored, sequence: 1))
    builder.pass(.seconds(10))
    builder.end(.crash)
    let (anonymousId, sessionId) = (builder.anonymousId, builder.sessionId)
    builder.launch()
    (builder.anonymousId, builder.sessionId) = (anonymousId, sessionId)
    builder.startsSession = false
    builder.beginLoad()
    builder.record(.firstQueueJobEnded)
    builder.finishConfig()
    if isDenied { builder.disk(.read, StoryBuilder.segment, outcome: .notPermitted) }
    let own = builder.track("b")
    builder.deliver([isInOrder ? stored : own])
    let instant = builder.now
    builder.deliver([isInOrder ? own : stored])
    builder.calm()
    return (builder, instant)
  }

  @Test("what an earlier process left goes first (B45)")
  func processes() {
    let healthy = ModelRules.judge(twoProcesses(isInOrder: true).0)
    #expect(healthy.findings == [])
    #expect(healthy.antecedents["INV-19"] == 1)
    let (builder, instant) = twoProcesses(isInOrder: false)
    let judgement = ModelRules.judge(builder)
    #expect(
      judgement.findings.map(\.signature)
        == ["INV-19 a message of an earlier process was overtaken"])
    #expect(judgement.findings.first?.instant == instant)
  }

  @Test("a file that could not be read lets others pass")
  func unreadableFile() {
    #expect(ModelRules.judge(twoProcesses(isInOrder: false, isDenied: true).0).findings == [])
  }

  @Test("threads are told apart")
  func threads() {
    let judgement = ModelRules.judge(story(order: [1, 0, 2], isHeld: false, threads: [0, 1, 0]).0)
    #expect(judgement.findings.map(\.signature) == ["INV-19 order of two threads changed"])
  }
}
