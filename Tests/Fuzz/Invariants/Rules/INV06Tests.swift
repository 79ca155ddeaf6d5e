import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-06: attempts are equal, sentAt is the attempt's")
struct INV06Tests {
  private func failedOnce(json: String = "{\"n\":1}") -> (StoryBuilder, StoryBuilder.Message) {
    let builder = StoryBuilder()
    builder.launch()
    builder.load()
    let message = builder.track("tap", [PropertyEntry("n", .int(1))], json: json)
    builder.fail(builder.start([message]))
    builder.pass(.seconds(10))
    return (builder, message)
  }

  @Test("a retry with the same bytes is silent")
  func healthy() {
    let (builder, message) = failedOnce()
    builder.deliver([message])
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.findings == [])
    #expect(judgement.antecedents["INV-06"] == 1)
  }

  @Test(
    "a retry that differs fires at the retry",
    arguments: [
      ("\"n\":1", "\"n\":3", "properties"), ("\"timestamp\":\"2", "\"timestamp\":\"3", "timestamp"),
      ("\"messageId\":\"0", "\"messageId\":\"1", "messageId"),
    ])
  func changed(from: String, to: String, part: String) {
    var (builder, message) = failedOnce()
    message.text = message.text.replacing(from, with: to)
    let instant = builder.now
    builder.deliver([message])
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.findings.first?.signature == "INV-06 \(part) changed between attempts")
    #expect(judgement.findings.first?.instant == instant)
    // Under another id the message of the call was never stored.
    #expect(judgement.fired == (part == "messageId" ? ["INV-06", "INV-03"] : ["INV-06"]))
  }

  @Test("sentAt of another time fires", arguments: [-3_000_000_000, 5_000_000])
  func sentAt(shift: Int64) {
    let (builder, message) = failedOnce()
    let instant = builder.now
    builder.answer(builder.start([message], sentAt: builder.anchored + shift))
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.fired == ["INV-06"])
    #expect(judgement.findings.first?.instant == instant)
  }

  @Test("sentAt follows the anchor, not a wall clock that was set")
  func steppedClock() {
    for follows in [false, true] {
      let (builder, message) = failedOnce()
      let before = builder.wall
      builder.wallOffset = 86_400_000_000_000
      builder.record(.wallClockSet(before: before, after: builder.wall), process: -1)
      builder.answer(builder.start([message], sentAt: follows ? builder.wall : nil))
      builder.calm()
      #expect(ModelRules.judge(builder).fired == (follows ? ["INV-06"] : []))
    }
  }

  @Test("traits are missing from a later process, and only from a later one")
  func traits() {
    for isLater in [true, false] {
      let builder = StoryBuilder()
      builder.launch()
      builder.load()
      builder.openJournal()
      var message = builder.identify(
        "u", traits: [PropertyEntry("plan", .string("pro"))], json: "{\"plan\":\"pro\"}")
      builder.append(builder.journalRecord(message, sequence: 1, type: 3, flags: 31))
      builder.fail(builder.start([message]))
      if isLater {
        builder.end(.crash)
        builder.launch()
        builder.load()
      }
      message.text = message.text.replacing("\"traits\":{\"plan\":\"pro\"},", with: "")
      builder.deliver([message])
      builder.calm()
      #expect(ModelRules.judge(builder).fired == (isLater ? [] : ["INV-06"]))
    }
  }

  @Test("one request holds one anchor")
  func anchors() {
    let builder = StoryBuilder()
    builder.launch()
    builder.load()
    builder.openJournal()
    let first = builder.track("a")
    builder.append(builder.journalRecord(first, sequence: 1))
    builder.pass(.seconds(9))
    builder.end(.crash)
    builder.wallOffset = 40_000_000_000
    let (visitor, session) = (builder.anonymousId, builder.sessionId)
    builder.launch()
    (builder.anonymousId, builder.sessionId, builder.startsSession) = (visitor, session, false)
    builder.load()
    let second = builder.track("b")
    builder.deliver([first, second])
    builder.calm()
    #expect(
      ModelRules.judge(builder).findings.map(\.signature) == ["INV-06 a request mixes anchors"])
  }
}
