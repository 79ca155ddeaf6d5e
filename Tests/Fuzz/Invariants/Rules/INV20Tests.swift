import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-20: the newest 200 early calls survive")
struct INV20Tests {
  /// 210 early calls, of which the given ones are sent in batches of 20.
  private func story(sending places: [Int]) -> (StoryBuilder, Instant) {
    let builder = StoryBuilder()
    builder.launch()
    builder.beginLoad()
    builder.startsSession = false
    var messages = (0..<210).map { builder.track("e\($0)") }
    builder.finishConfig()
    builder.pass(.seconds(2))
    if let first = places.first, first <= 10 {
      // The first message in the queue opens the session.
      let id = builder.sessionId
      messages[10].text = messages[10].text.replacing(
        "\"id\":\"\(id)\"", with: "\"id\":\"\(id)\",\"start\":true")
    }
    let instant = builder.now
    var rest = places[...]
    while !rest.isEmpty {
      builder.deliver(rest.prefix(20).map { messages[$0] })
      rest = rest.dropFirst(20)
    }
    builder.calm()
    return (builder, instant)
  }

  @Test("the newest 200 are silent")
  func healthy() {
    let judgement = ModelRules.judge(story(sending: Array(10..<210)).0)
    #expect(judgement.findings == [])
    #expect(judgement.messages.dropped == ["hold_overflow": 10])
    #expect(judgement.antecedents["INV-20"] == 200)
  }

  @Test("an evicted call fires")
  func evictedSent() {
    let (builder, instant) = story(sending: Array(9..<210))
    let judgement = ModelRules.judge(builder)
    #expect(judgement.fired == ["INV-20"])
    #expect(judgement.findings.first?.instant == instant)
  }

  @Test("a smaller buffer fires when later calls pass, and its calls are missing at the end")
  func tooSmall() {
    let (builder, instant) = story(sending: [10] + Array(110..<210))
    let judgement = ModelRules.judge(builder)
    // INV-03: each of the calls is an accepted message without a reason.
    #expect(judgement.fired == ["INV-20", "INV-03"])
    #expect(judgement.findings.first?.instant == instant)
  }
}
