import FuzzHistory
import FuzzInvariants
import FuzzScenario
import FuzzWorld
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

  /// The main thread hangs in a function that names an order.
  private func hang() -> History {
    var scenario = CrashRun.scenario([])
    scenario.start?.options.captureHangs = true
    let stack = [StackFrame("Kiosk", "order_90532123456789()"), StackFrame("Kiosk", "main")]
    scenario.actions.append(
      Action(id: 2, moment: .at(.seconds(20)), kind: .blockMain(.seconds(7), stack: stack)))
    return World(scenario).run().history
  }

  @Test("what a hung stack says of people stays on the device")
  func hangs() {
    let judgement = Judge.judge(hang())
    #expect(judgement.findings.isEmpty)
    #expect(judgement.antecedents["INV-51"] == 1)
  }

  @Test("a number in the event of a hang is found; it is not what was to be said either (INV-01)")
  func openHang() {
    let history = hang()
    CrashRun.rewrite("order_[redacted]()", as: "order_9053212345()", in: history)
    #expect(CrashRun.fired(history) == ["INV-01", "INV-51"])
  }
}
