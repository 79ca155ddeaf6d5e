import FuzzHistory
import FuzzInvariants
import FuzzScenario
import SimKernel
import Testing

@Suite("INV-51: nothing private of a crash is written or sent")
struct INV51Tests {
  @Test("what an exception says of people stays on the device")
  func healthy() {
    var plan = CrashRun.exception
    plan.reason = "no state for ayse@example.com, card 4111111111111111, see /var/mobile/x"
    let judgement = Judge.judge(CrashRun.record([plan]))
    #expect(judgement.findings.isEmpty)
    #expect(judgement.antecedents["INV-51"] == 1)
  }

  @Test("an address in the event is found; it is not what was to be said either (INV-50)")
  func open() {
    let history = CrashRun.record()
    CrashRun.rewrite("index 4 beyond bounds", as: "mail ayse@example.com", in: history)
    #expect(CrashRun.fired(history) == ["INV-50", "INV-51"])
  }
}
