import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-42: $app_updated for each change of the app")
struct INV42Tests {
  /// A first launch under consent, and one of another version.
  private func story(
    stored: String = "1.4.0", _ edit: (inout [StoryBuilder.Message], StoryBuilder) -> Void
  ) -> (builder: StoryBuilder, instant: Instant) {
    let builder = StoryBuilder()
    builder.launch()
    builder.beginLoad(StoryBuilder.lifecycle)
    let first = [builder.appOpen(), builder.firstOpen()]
    builder.finishConfig()
    builder.tellFacts()
    builder.deliver(first)
    builder.keepInstall("\"app\":{\"build\":\"140\",\"version\":\"\(stored)\"},\"opened\":true")
    builder.launchAgain(version: "1.5.0", build: "150")
    builder.beginLoad(StoryBuilder.lifecycle)
    builder.disk(.read, StoryBuilder.install)
    var messages = [builder.appUpdated(from: "1.4.0", "140"), builder.appOpen()]
    edit(&messages, builder)
    builder.finishConfig()
    let instant = builder.now
    builder.deliver(messages)
    builder.pass(.seconds(5))
    builder.calm()
    return (builder, instant)
  }

  @Test("an update is reported with both versions")
  func healthy() {
    let judgement = ModelRules.judge(story { _, _ in }.builder)
    #expect(judgement.findings == [])
    #expect(judgement.antecedents["INV-42"] == 1)
  }

  @Test("wrong values fire; the content differs from what is due (INV-01)")
  func values() {
    let (builder, instant) = story { messages, _ in
      messages[0].text = messages[0].text.replacing(
        "previous_version\":\"1.4.0", with: "previous_version\":\"1.5.0")
    }
    let judgement = ModelRules.judge(builder)
    #expect(judgement.fired == ["INV-01", "INV-42"])
    #expect(judgement.findings.allSatisfy { $0.instant == instant })
  }

  @Test("one without a change fires")
  func withoutChange() {
    let (builder, instant) = story { messages, builder in
      messages.append(
        builder.appUpdated(from: "1.3.0", "130", id: "00000000-0000-8000-8000-0000000000a2"))
    }
    let judgement = ModelRules.judge(builder)
    #expect(judgement.fired == ["INV-42"])
    #expect(judgement.findings.first?.instant == instant)
  }

  @Test("a change that was reported under consent fires when it is sent again")
  func again() {
    let (builder, _) = story { _, _ in }
    builder.launchAgain()
    builder.beginLoad(StoryBuilder.lifecycle)
    builder.disk(.read, StoryBuilder.install)
    let messages = [
      builder.appUpdated(from: "1.4.0", "140", id: "00000000-0000-8000-8000-0000000000a2"),
      builder.appOpen(),
    ]
    builder.finishConfig()
    let instant = builder.now
    builder.deliver(messages)
    builder.pass(.seconds(5))
    builder.calm()
    let judgement = ModelRules.judge(builder)
    #expect(judgement.findings.map(\.signature) == ["INV-42 a change is reported again"])
    #expect(judgement.findings.first?.instant == instant)
  }

  @Test("a version that was stored before it was reported fires at the end")
  func notReported() {
    let (builder, _) = story { messages, builder in
      messages.removeFirst()
      builder.keepInstall(
        "\"app\":{\"build\":\"150\",\"version\":\"1.5.0\"},\"opened\":true")
      builder.disk(.read, StoryBuilder.install)
      messages[0] = builder.appOpen()
      messages[0].text = messages[0].text.replacing(
        "\"},\"timezone\"", with: "\",\"start\":true},\"timezone\"")
    }
    let judgement = ModelRules.judge(builder)
    #expect(judgement.fired.contains("INV-42"))
    #expect(
      judgement.findings.last?.signature == "INV-42 a change is not reported")
    #expect(judgement.findings.last?.instant == builder.now)
  }
}
