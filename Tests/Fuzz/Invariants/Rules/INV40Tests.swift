import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-40: $first_open has the time of its launch")
struct INV40Tests {
  /// A first launch that ends before its `$first_open`, which the second one sends.
  /// - Parameter time: what the record says, by what it had to say.
  private func story(_ time: (Int64) -> Int64) -> (builder: StoryBuilder, instant: Instant) {
    let builder = StoryBuilder()
    builder.launch()
    builder.beginLoad(StoryBuilder.lifecycle)
    let launch = builder.anchored / 1_000_000
    let open = builder.appOpen()
    let id = builder.drawId()
    var late = builder.firstOpen(id: id)
    let due = StoryBuilder.time(launch * 1_000_000)
    late.text = late.text.replacing(due, with: StoryBuilder.time(time(launch) * 1_000_000))
    builder.finishConfig()
    builder.keepInstall(builder.pendingMark(id, time: time(launch)))
    builder.deliver([open])
    builder.launchAgain()
    let second = builder.loadInFront()
    builder.tellFacts()
    let instant = builder.now
    builder.deliver([second, late])
    builder.calm()
    return (builder, instant)
  }

  @Test("a late one has the time of the launch that made it due")
  func healthy() {
    let judgement = ModelRules.judge(story { $0 }.builder)
    #expect(judgement.findings == [])
    #expect(judgement.antecedents["INV-40"] == 1)
  }

  @Test("a late one with another launch's time fires when it is sent")
  func wrongLaunch() {
    let (builder, instant) = story { $0 - 60_000 }
    let judgement = ModelRules.judge(builder)
    #expect(judgement.fired == ["INV-40"])
    #expect(judgement.findings.first?.instant == instant)
  }

  @Test("one with the time of its queueing fires, also as later than other messages")
  func queueing() {
    let builder = StoryBuilder()
    builder.launch()
    let open = builder.loadInFront()
    builder.pass(.seconds(2))
    builder.tellFacts()
    let late = builder.firstOpen()
    let instant = builder.now
    builder.deliver([open, late])
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.fired == ["INV-40"])
    #expect(
      judgement.findings.map(\.signature) == [
        "INV-40 $first_open has another time than its launch",
        "INV-40 $first_open is later than another message of its launch",
      ])
    #expect(judgement.findings.allSatisfy { $0.instant == instant })
  }
}
