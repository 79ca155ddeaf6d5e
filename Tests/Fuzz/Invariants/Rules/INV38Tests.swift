import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-38: one $first_open an install")
struct INV38Tests {
  /// A first launch with its `$first_open`, and a second one.
  private func story(_ marks: String, again: (StoryBuilder) -> StoryBuilder.Message?)
    -> (builder: StoryBuilder, instant: Instant)
  {
    let builder = StoryBuilder()
    builder.launch()
    builder.beginLoad(StoryBuilder.lifecycle)
    let messages = [builder.appOpen(), builder.firstOpen()]
    builder.finishConfig()
    builder.tellFacts()
    builder.deliver(messages)
    builder.keepInstall(marks)
    builder.launchAgain()
    builder.beginLoad(StoryBuilder.lifecycle)
    builder.disk(.read, StoryBuilder.install)
    var second = [builder.appOpen()]
    if let extra = again(builder) { second.append(extra) }
    builder.finishConfig()
    builder.tellFacts()
    let exchange = builder.start(second)
    builder.serve(exchange)
    let instant = builder.now
    builder.hear(exchange)
    builder.calm()
    return (builder, instant)
  }

  private let app = "\"app\":{\"build\":\"140\",\"version\":\"1.4.0\"}"

  @Test("an install that remembers")
  func healthy() {
    let judgement = ModelRules.judge(story(app + ",\"opened\":true") { _ in nil }.builder)
    #expect(judgement.findings == [])
    #expect(judgement.antecedents["INV-38"] == 1)
  }

  @Test("an install that forgets fires when the second one is accepted")
  func second() {
    let (builder, instant) = story(app) { $0.firstOpen() }
    let judgement = ModelRules.judge(builder)
    #expect(judgement.fired == ["INV-38"])
    #expect(judgement.findings.first?.instant == instant)
  }
}
