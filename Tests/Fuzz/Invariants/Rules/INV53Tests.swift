import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-53: hangs and true stalls")
struct INV53Tests {
  private static let stack = "0   Kiosk                               0x0000000100001040 pay + 64"
  /// The half of the SHA-256 of `AppHang`, a line feed and `Kiosk pay`.
  private static let hash = StackReference().hash(type: "AppHang", [stack])

  /// A process in front that watches for hangs, or not.
  private func watched(_ watches: Bool = true, debugged: Bool = false) -> StoryBuilder {
    let builder = StoryBuilder()
    builder.launch()
    var options = HostOptions()
    options.captureHangs = watches
    builder.load(options)
    if debugged { builder.record(.debugger(isAttached: true)) }
    builder.pass(.seconds(3))
    return builder
  }

  private func block(_ builder: StoryBuilder) {
    builder.record(.mainThread(isBlocked: true, stack: builder.history.store(Self.stack)))
  }

  private func free(_ builder: StoryBuilder) {
    builder.record(.mainThread(isBlocked: false, stack: .empty))
  }

  /// The event of a hang as a perfect SDK makes it now.
  private func event(_ builder: StoryBuilder) -> StoryBuilder.Message {
    let starts = builder.startsSession
    builder.startsSession = false
    defer { builder.startsSession = starts }
    let id = builder.drawId()
    let properties =
      "{\"app_build\":\"140\",\"app_version\":\"1.4.0\",\"fatal\":false,\"kind\":\"anr\","
      + "\"message\":\"The main thread did not answer for 5 seconds\",\"path\":\"\","
      + "\"stack\":\"Kiosk pay\",\"stack_hash\":\"\(Self.hash)\",\"thread\":\"main\","
      + "\"type\":\"AppHang\"}"
    return builder.message(
      "\"event\":\"$crash\",\"messageId\":\"\(id)\",\"properties\":\(properties)", id,
      type: "track", userId: nil)
  }

  private func judge(_ builder: StoryBuilder) -> Judgement {
    Judge.judge(builder.history, with: ModelRules.make() + [INV53()])
  }

  @Test("a stall of six seconds is reported once, at five")
  func healthy() {
    let builder = watched()
    block(builder)
    builder.pass(.milliseconds(5_100))
    builder.record(.stackSampled)
    let message = event(builder)
    builder.pass(.milliseconds(900))
    free(builder)
    builder.deliver([message])
    builder.calm()
    let judgement = judge(builder)
    #expect(judgement.findings == [])
    #expect(judgement.antecedents["INV-53"] == 1)
  }

  @Test("a stall of 5.5 s without a report fires when it ends (A-17)")
  func missing() {
    let builder = watched()
    block(builder)
    builder.pass(.milliseconds(5_500))
    free(builder)
    let instant = builder.now
    builder.calm()
    let judgement = judge(builder)
    #expect(judgement.fired == ["INV-53"])
    #expect(judgement.findings.first?.instant == instant)
  }

  @Test("between 5.0 s and 5.5 s both are right (A-17)")
  func between() {
    let builder = watched()
    block(builder)
    builder.pass(.milliseconds(5_499))
    free(builder)
    builder.calm()
    #expect(judge(builder).findings == [])
  }

  @Test(
    "what is no hang is not reported (HNG-03 to HNG-06)",
    arguments: ["short", "debugged", "background", "free", "late start"])
  func none(_ kind: String) {
    let builder = watched(debugged: kind == "debugged")
    if kind == "background" {
      builder.record(.phase(.inactive))
      builder.record(.phase(.background))
    }
    if kind != "free" { block(builder) }
    builder.pass(kind == "short" ? .milliseconds(4_900) : .seconds(8))
    if kind == "late start" {
      builder.record(.debugger(isAttached: true))
      builder.pass(.seconds(1))
      builder.record(.debugger(isAttached: false))
      builder.pass(.milliseconds(4_600))
    }
    builder.record(.stackSampled)
    let instant = builder.now
    let judgement = judge(builder)
    // A report that was due before the debugger came is missing as well, at the end.
    #expect(judgement.fired == (kind == "late start" ? [] : ["INV-53"]))
    if kind != "late start" { #expect(judgement.findings.first?.instant == instant) }
  }

  @Test("one stall reported twice fires at the second report (S-62)")
  func twice() {
    let builder = watched()
    block(builder)
    builder.pass(.seconds(6))
    builder.record(.stackSampled)
    builder.pass(.seconds(6))
    builder.record(.stackSampled)
    let instant = builder.now
    let judgement = judge(builder)
    #expect(judgement.fired == ["INV-53"])
    #expect(judgement.findings.first?.instant == instant)
  }

  @Test("an event of a hang that nobody saw fires; nothing else makes one (INV-18)")
  func invented() {
    let builder = watched()
    let message = event(builder)
    let instant = builder.now
    builder.deliver([message])
    builder.calm()
    let judgement = judge(builder)
    #expect(judgement.fired == ["INV-18", "INV-53"])
    #expect(judgement.findings.allSatisfy { $0.instant == instant })
  }

  @Test("a hang without its event fires at the end; nothing allows the loss (INV-03)")
  func lost() {
    let builder = watched()
    block(builder)
    builder.pass(.milliseconds(5_100))
    builder.record(.stackSampled)
    builder.pass(.milliseconds(900))
    free(builder)
    builder.calm()
    #expect(judge(builder).fired == ["INV-03", "INV-53"])
  }
}
