import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-03: what the disk may lose, and what not")
struct INV03DiskTests {
  /// A process stores a message; the next one is denied its file.
  private func denied() -> (StoryBuilder, StoryBuilder.Message) {
    let builder = StoryBuilder.loaded()
    builder.openJournal()
    let message = builder.track("a")
    builder.append(builder.journalRecord(message, sequence: 1))
    builder.pass(.seconds(20))
    builder.end(.crash)
    builder.launch()
    builder.record(.firstQueueJobEnded)
    builder.load()
    builder.disk(.read, StoryBuilder.segment, outcome: .notPermitted)
    return (builder, message)
  }

  @Test("a file that cannot be read now is kept, and its message goes later")
  func unreadable() {
    let (builder, message) = denied()
    builder.pass(.minutes(2))
    builder.deliver([message])
    builder.append(builder.removalRecord([1]))
    builder.disk(.remove, StoryBuilder.segment)
    builder.calm()
    #expect(ModelRules.judge(builder).findings == [])
  }

  @Test("a removal speaks of all records of its message, also in a file that could not go yet")
  func moved() {
    let builder = StoryBuilder.loaded()
    builder.openJournal()
    let message = builder.track("a")
    let record = builder.journalRecord(message, sequence: 1)
    builder.append(record)
    builder.pass(.seconds(10))
    let second = StoryBuilder.segment.replacing("0001.", with: "0002.")
    builder.disk(.write, second, Array("PMJ1".utf8) + [1, 0, 0, 0] + record)
    builder.pass(.seconds(20))
    builder.deliver([message])
    builder.disk(.append, second, builder.removalRecord([1]))
    builder.pass(.seconds(20))
    builder.end(.crash)
    builder.launch()
    builder.record(.firstQueueJobEnded)
    builder.load()
    builder.pass(.seconds(40))
    builder.calm()
    let judgement = Judge.judge(builder.history, with: ModelRules.make() + [INV13()])
    #expect(judgement.findings == [])
  }

  @Test("removing what cannot be read now fires, also where the removal fails")
  func unreadableRemoved() {
    let (builder, message) = denied()
    let instant = builder.now
    builder.disk(.remove, StoryBuilder.segment, outcome: .notPermitted)
    builder.pass(.minutes(2))
    builder.deliver([message])
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(
      judgement.findings.map(\.signature) == ["INV-03 taken off the disk while it waits to be sent"]
    )
    #expect(judgement.findings.first?.instant == instant)
  }

  @Test("a denied read is no reason to give a message up")
  func unreadableGivenUp() {
    let (builder, _) = denied()
    builder.append(builder.removalRecord([1]))
    builder.pass(.seconds(20))
    builder.end(.crash)
    builder.launch()
    builder.load()
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.fired == ["INV-03"])
    #expect(judgement.messages.dropped == ["missing": 1])
  }

  @Test("a revoke takes messages off the disk")
  func revoked() {
    let builder = StoryBuilder.loaded()
    builder.openJournal()
    builder.append(builder.journalRecord(builder.track("a"), sequence: 1))
    builder.pass(.seconds(5))
    builder.revoke()
    builder.writeDecision(StoryBuilder.decisionBytes(false, nil))
    builder.disk(.remove, StoryBuilder.storage + "/queue")
    builder.calm()
    #expect(ModelRules.judge(builder).findings == [])
  }

  @Test(
    "one file that refuses writes is no reason, a folder that does is", arguments: [true, false])
  func refusedWrite(isOneFile: Bool) {
    let builder = StoryBuilder.loaded()
    if isOneFile { builder.openJournal() }
    _ = builder.track("a")
    builder.append([], outcome: .notPermitted)
    builder.pass(.seconds(3))
    builder.end(.memoryKill)
    builder.launch()
    builder.load()
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.messages.dropped == [isOneFile ? "missing" : "file_fault": 1])
    #expect(judgement.fired == (isOneFile ? ["INV-03"] : []))
  }

  @Test("garbage that lay in a file before the launch is no reason", arguments: [true, false])
  func behindGarbage(isBeforeLaunch: Bool) {
    let garbage = Array("PMJ1".utf8) + [1, 0, 0, 0] + [UInt8](repeating: 0xff, count: 16)
    let builder = StoryBuilder.loaded()
    builder.openJournal()
    if isBeforeLaunch {
      builder.end(.crash)
      builder.damageSegment(.garbled, leaving: garbage)
      builder.launch()
      builder.load()
    } else {
      builder.damageSegment(.garbled, leaving: garbage)
    }
    builder.append(builder.journalRecord(builder.track("a"), sequence: 1))
    builder.pass(.seconds(20))
    builder.end(.crash)
    builder.launch()
    builder.load()
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.messages.dropped == [isBeforeLaunch ? "missing" : "file_fault": 1])
    #expect(judgement.fired == (isBeforeLaunch ? ["INV-03"] : []))
  }

  @Test("a damaged file is a reason, its sound neighbours are not")
  func damage() {
    let builder = StoryBuilder.loaded()
    builder.openJournal()
    let first = builder.track("a")
    let second = builder.track("b")
    let head = Array("PMJ1".utf8) + [1, 0, 0, 0]
    var records = [
      builder.journalRecord(first, sequence: 1), builder.journalRecord(second, sequence: 2),
    ]
    for bytes in records { builder.append(bytes) }
    builder.pass(.seconds(20))
    builder.end(.crash)
    records[0][200] ^= 0xff
    builder.damageSegment(.garbled, leaving: head + records[0] + records[1])
    builder.launch()
    builder.load()
    builder.deliver([second])
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.findings == [])
    #expect(judgement.messages.dropped == ["file_fault": 1])
  }

  @Test("the damage of one file is no reason for what lay in another one")
  func damageElsewhere() {
    let builder = StoryBuilder.loaded()
    builder.openJournal()
    let first = builder.track("a")
    builder.append(builder.journalRecord(first, sequence: 1))
    let other = StoryBuilder.storage + "/queue/0000000000000002.journal"
    let second = builder.track("b")
    builder.disk(
      .append, other,
      Array("PMJ1".utf8) + [1, 0, 0, 0] + builder.journalRecord(second, sequence: 2))
    builder.pass(.seconds(20))
    builder.damageSegment(.vanished)
    builder.disk(.remove, other)
    builder.end(.crash)
    builder.launch()
    builder.load()
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.messages.dropped == ["file_fault": 1, "missing": 1])
    #expect(judgement.fired == ["INV-03"])
  }

  @Test(
    "a journal that cannot be looked at is a reason while that lasts, not for what comes later",
    arguments: [true, false])
  func unreadable(isAfter: Bool) {
    let builder = StoryBuilder.loaded()
    let queue = StoryBuilder.storage + "/queue"
    if !isAfter { builder.disk(.list, queue, outcome: .notPermitted) }
    builder.pass(.seconds(5))
    _ = builder.track("a")
    builder.pass(.seconds(5))
    if isAfter { builder.disk(.list, queue, outcome: .notPermitted) }
    builder.pass(.seconds(20))
    builder.end(.crash)
    builder.launch()
    builder.load()
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.messages.dropped == [isAfter ? "file_fault" : "missing": 1])
    #expect(judgement.fired == (isAfter ? [] : ["INV-03"]))
  }

  @Test("a full disk and a death are a reason")
  func diskFull() {
    let builder = StoryBuilder.loaded()
    builder.openJournal()
    _ = builder.track("a")
    builder.append([], outcome: .noSpace)
    builder.pass(.seconds(20))
    builder.end(.crash)
    builder.launch()
    builder.load()
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.findings == [])
    #expect(judgement.messages.dropped == ["disk_full_then_death": 1])
  }

  @Test("that a file to be removed is not there is no failure of the disk, and no reason")
  func nothingToRemove() {
    let builder = StoryBuilder.loaded()
    builder.openJournal()
    _ = builder.track("a")
    builder.disk(.remove, StoryBuilder.storage + "/install.json.new", outcome: .notFound)
    builder.pass(.seconds(20))
    builder.end(.crash)
    builder.launch()
    builder.load()
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.fired == ["INV-03"])
    #expect(judgement.messages.dropped == ["missing": 1])
  }
}
