import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-03: accepted is delivered, queued or lawfully lost")
struct INV03Tests {
  @Test("a message that is never sent is missing at the end")
  func neverSent() {
    let builder = StoryBuilder.loaded()
    builder.deliver([builder.track("a")])
    _ = builder.track("b")
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.fired == ["INV-03"])
    #expect(judgement.findings.first?.instant == builder.now)
    #expect(judgement.findings.first?.signature == "INV-03 never delivered, never sent")
  }

  @Test("what was sent and failed and never came again is missing")
  func notRetried() {
    let builder = StoryBuilder.loaded()
    builder.fail(builder.start([builder.track("a")]))
    builder.calm()
    #expect(
      ModelRules.judge(builder).findings.first?.signature == "INV-03 never delivered, sent")
  }

  @Test("while something is pending, the queue is not judged")
  func pending() {
    let builder = StoryBuilder.loaded()
    builder.fail(builder.start([builder.track("a")]))
    builder.calm(pending: "1 timers")
    let judgement = ModelRules.judge(builder)
    #expect(judgement.findings == [])
    #expect(judgement.messages.queued == 1)
  }

  @Test("an answer that the app did not hear still counts as stored")
  func lostAnswer() {
    let builder = StoryBuilder.loaded()
    let request = builder.start([builder.track("a")])
    builder.serve(request)
    builder.fail(request)
    builder.calm()
    #expect(ModelRules.judge(builder).findings == [])
  }

  @Test("without analytics a process takes its queue with it")
  func memoryOnly() {
    let builder = StoryBuilder.loaded(.required)
    _ = builder.track("a")
    builder.pass(.seconds(20))
    builder.end(.memoryKill)
    builder.launch()
    builder.load()
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.findings == [])
    #expect(judgement.messages.dropped == ["memory_only_process_end": 1])
  }

  @Test(
    "with analytics a message has one second to reach the disk",
    arguments: [(900, "died_before_append"), (1_100, "missing")])
  func appendBound(milliseconds: Int64, word: String) {
    let builder = StoryBuilder.loaded()
    _ = builder.track("a")
    builder.pass(.milliseconds(milliseconds))
    builder.end(.crash)
    builder.launch()
    builder.load()
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.messages.dropped == [word: 1])
    #expect(judgement.fired == (word == "missing" ? ["INV-03"] : []))
  }

  @Test("time in suspension is no running time")
  func suspended() {
    let builder = StoryBuilder.loaded()
    _ = builder.track("a")
    builder.record(.phase(.suspended))
    builder.pass(.hours(3))
    builder.end(.memoryKill)
    builder.calm()
    #expect(ModelRules.judge(builder).messages.dropped == ["died_before_append": 1])
  }

  @Test("what is on disk at a death is still due")
  func survives() {
    func story(isSent: Bool) -> Judgement {
      let builder = StoryBuilder.loaded()
      builder.openJournal()
      let message = builder.track("a")
      builder.append(builder.journalRecord(message, sequence: 1))
      builder.pass(.seconds(20))
      builder.end(.crash)
      builder.launch()
      builder.load()
      if isSent {
        let anchor = builder.anchorWall ?? 0
        _ = anchor
        // sentAt stands in the frame of the first process, which is the same while no clock is set.
        builder.deliver([message])
      }
      builder.calm()
      return ModelRules.judge(builder)
    }
    #expect(story(isSent: true).findings == [])
    let lost = story(isSent: false)
    #expect(lost.fired == ["INV-03"])
  }

  @Test("a message removed from the journal without reason is missing")
  func removed() {
    let builder = StoryBuilder.loaded()
    builder.openJournal()
    let message = builder.track("a")
    builder.append(builder.journalRecord(message, sequence: 1))
    builder.append(builder.removalRecord([1]))
    builder.pass(.seconds(20))
    builder.end(.crash)
    builder.launch()
    builder.load()
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(
      judgement.findings.map(\.signature) == [
        "INV-03 taken off the disk while it waits to be sent",
        "INV-03 not on disk when its process ended, never sent",
      ])
  }

  @Test("a revoke drops what was made under consent, and nothing of it may be sent")
  func revoke() {
    func story(isSent: Bool) -> Judgement {
      let builder = StoryBuilder.loaded()
      let first = builder.track("a")
      builder.pass(.seconds(3))
      builder.revoke()
      builder.pass(.seconds(3))
      let second = builder.track("b")
      builder.deliver(isSent ? [first, second] : [second])
      builder.calm()
      return ModelRules.judge(builder)
    }
    let healthy = story(isSent: false)
    #expect(healthy.findings == [])
    #expect(healthy.messages.dropped == ["consent_revoked": 1])
    let wrong = story(isSent: true)
    #expect(wrong.fired == ["INV-03"])
    #expect(wrong.findings.first?.signature == "INV-03 sent although lost: consent_revoked")
  }

  @Test("a request in flight at a revoke may end")
  func revokeInFlight() {
    let builder = StoryBuilder.loaded()
    let request = builder.start([builder.track("a")])
    builder.revoke()
    builder.answer(request)
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.findings == [])
    #expect(judgement.messages.delivered == 1)
  }

  @Test("a final refusal and a rejection are reasons", arguments: [true, false])
  func refused(isRejection: Bool) {
    let builder = StoryBuilder.loaded()
    let message = builder.track("a")
    let request = builder.start([message])
    if isRejection {
      builder.answer(
        request, body: "{\"rejected\":[{\"messageId\":\"\(message.id)\",\"reason\":\"odd\"}]}")
    } else {
      builder.answer(request, 403, body: "")
    }
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.findings == [])
    #expect(judgement.messages.dropped == ["server_final": 1])
  }

  @Test("a guest's identify leaves nothing behind without its traits")
  func traitsLost() {
    let builder = StoryBuilder.loaded()
    builder.openJournal()
    let message = builder.identify(
      nil, traits: [PropertyEntry("email", .string("x"))], json: "{\"email\":\"x\"}")
    builder.append(builder.journalRecord(message, sequence: 1, type: 3, flags: 15))
    builder.pass(.seconds(20))
    builder.end(.crash)
    builder.launch()
    builder.load()
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.findings == [])
    #expect(judgement.messages.dropped == ["traits_lost": 1])
  }

  @Test("the counts add up")
  func sums() {
    let builder = StoryBuilder.loaded(queue: 2)
    builder.call(.track(event: "$x", properties: [], messageId: nil), returning: builder.drawId())
    builder.call(
      .track(
        event: "long",
        properties: [PropertyEntry("t", .string(String(repeating: "x", count: 33_000)))],
        messageId: nil),
      returning: builder.drawId())
    _ = builder.track("a")
    let kept = [builder.track("b"), builder.track("c")]
    builder.pass(.seconds(3))
    builder.deliver(kept)
    builder.calm()
    let counts = ModelRules.judge(builder).messages
    #expect(counts.dropped == ["refused": 1, "too_large": 1, "queue_bound": 1])
    #expect(counts.accepted == 4)
    #expect(counts.delivered == 2)
  }

  @Test("held calls die with their process before the config")
  func diedInHold() {
    let builder = StoryBuilder()
    builder.launch()
    builder.beginLoad()
    _ = builder.track("a")
    builder.end(.crash)
    builder.calm()
    #expect(ModelRules.judge(builder).messages.dropped == ["died_in_hold": 1])
  }

  @Test("a client that never starts refuses everything")
  func neverStarts() {
    let builder = StoryBuilder()
    builder.launch()
    _ = builder.track("a")
    builder.call(.load(writeKey: "", options: HostOptions()))
    _ = builder.track("b")
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.findings == [])
    #expect(judgement.messages.dropped == ["refused": 2])
    #expect(judgement.messages.accepted == 0)
  }
}
