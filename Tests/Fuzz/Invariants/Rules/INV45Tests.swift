import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-45: what only consent and a switch allow")
struct INV45Tests {
  private func judge(
    _ consent: HostOptions.ConsentMode, _ answer: String, leaves: Bool
  ) -> (judgement: Judgement, instant: Instant) {
    let builder = StoryBuilder()
    builder.launch()
    var options = HostOptions()
    options.consent = consent
    builder.beginLoad(options)
    builder.finishConfig(answer)
    let view = builder.drawId()
    var messages = [builder.screen("A", view: view)]
    builder.pass(.seconds(3))
    if leaves { messages.append(builder.leave(view, path: "/A", active: 3_000, total: 3_000)) }
    messages.append(builder.screen("B"))
    let instant = builder.now
    builder.deliver(messages)
    builder.calm()
    return (ModelRules.judge(builder), instant)
  }

  @Test("without consent, and with the switch off, no view is left")
  func healthy() {
    for (consent, answer) in [
      (.required, "{}"), (.implied, "{\"capture\":{\"pageleave\":false}}"),
    ] as [(HostOptions.ConsentMode, String)] {
      let (judgement, _) = judge(consent, answer, leaves: false)
      #expect(judgement.findings == [])
      #expect(judgement.antecedents["INV-45"] == 1)
    }
  }

  @Test("a leave without consent fires; no view explains it (INV-43)")
  func consent() {
    let (judgement, instant) = judge(.required, "{}", leaves: true)
    #expect(judgement.fired == ["INV-43", "INV-45"])
    #expect(judgement.findings.allSatisfy { $0.instant == instant })
  }

  @Test("a leave with the switch off fires; no view explains it (INV-43)")
  func panel() {
    let (judgement, _) = judge(.implied, "{\"capture\":{\"pageleave\":false}}", leaves: true)
    #expect(judgement.fired == ["INV-43", "INV-45"])
  }
}
