import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-10: the queue is bounded, oldest out first")
struct INV10Tests {
  private func full() -> (StoryBuilder, [StoryBuilder.Message]) {
    let builder = StoryBuilder()
    builder.launch()
    var options = HostOptions()
    options.maxQueueSize = 3
    builder.load(options)
    var messages: [StoryBuilder.Message] = []
    for name in ["a", "b", "c", "d"] {
      messages.append(builder.track(name))
      builder.pass(.seconds(2))
    }
    return (builder, messages)
  }

  @Test("the oldest is evicted")
  func healthy() {
    let (builder, messages) = full()
    builder.deliver(Array(messages[1...]))
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.findings == [])
    #expect(judgement.messages.dropped == ["queue_bound": 1])
    #expect(judgement.antecedents["INV-10"] == 1)
  }

  @Test("a queue over the bound fires when it shows")
  func unbounded() {
    let (builder, messages) = full()
    let instant = builder.now
    builder.deliver(messages)
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.fired == ["INV-10"])
    #expect(judgement.findings.first?.instant == instant)
  }

  @Test("evicting the newest fires, and the newest is missing")
  func newestFirst() {
    let (builder, messages) = full()
    builder.deliver(Array(messages[..<3]))
    builder.calm()
    // INV-03: the message that was wrongly evicted has no lawful reason.
    #expect(ModelRules.judge(builder).fired == ["INV-10", "INV-03"])
  }

  @Test("what is in flight stays, the oldest other goes")
  func inFlight() {
    let builder = StoryBuilder()
    builder.launch()
    var options = HostOptions()
    options.maxQueueSize = 3
    builder.load(options)
    let first = builder.track("a")
    let request = builder.start([first])
    builder.pass(.seconds(2))
    let others = ["b", "c", "d"].map { name in
      builder.pass(.seconds(2))
      return builder.track(name)
    }
    builder.answer(request)
    builder.pass(.seconds(2))
    builder.deliver(Array(others[1...]))
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.findings == [])
    #expect(judgement.messages.dropped == ["queue_bound": 1])
  }

  @Test(
    "a stored queue over a new bound is trimmed at once, oldest first (B43)", arguments: [2, 1, 0])
  func oversized(first: Int) {
    let builder = StoryBuilder()
    builder.launch()
    builder.load()
    builder.openJournal()
    var messages: [StoryBuilder.Message] = []
    for sequence in 1...5 as ClosedRange<UInt64> {
      messages.append(builder.track("e\(sequence)"))
      builder.append(builder.journalRecord(messages[Int(sequence) - 1], sequence: sequence))
    }
    builder.pass(.seconds(10))
    builder.end(.crash)
    builder.launch()
    var options = HostOptions()
    options.maxQueueSize = 3
    builder.beginLoad(options)
    builder.record(.firstQueueJobEnded)
    builder.finishConfig()
    let instant = builder.now
    builder.deliver(Array(messages[first...]))
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.fired == (first < 2 ? ["INV-10"] : []))
    if first < 2 {
      #expect(judgement.findings.count == 2 - first)
      #expect(judgement.findings.first?.instant == instant)
    }
  }

  @Test("within one hand-off the request may have been first")
  func handOff() {
    let (builder, messages) = full()
    let late = builder.track("e")
    builder.pass(.milliseconds(1))
    // The SDK had b, c and d in flight before the call's job ran: e itself had to go.
    builder.deliver(Array(messages[1...]))
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.findings == [])
    #expect(judgement.messages.delivered == 3)
    _ = late
  }
}
