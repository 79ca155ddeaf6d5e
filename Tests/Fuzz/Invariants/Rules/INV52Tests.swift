import FuzzHistory
import FuzzInvariants
import FuzzScenario
import SimKernel
import Testing

@Suite("INV-52: equal crashes are one group")
struct INV52Tests {
  @Test("the same crash in two processes has one hash")
  func healthy() {
    let judgement = Judge.judge(CrashRun.record([CrashRun.exception, CrashRun.exception]))
    #expect(judgement.findings.isEmpty)
    #expect(judgement.antecedents["INV-52"] == 1)
  }

  @Test("an address in the stack is found; it is not what was to be said either (INV-50)")
  func address() {
    let history = CrashRun.record()
    CrashRun.rewrite("\"stack\":\"Kiosk ", as: "\"stack\":\"0x0104c8 ", in: history)
    #expect(CrashRun.fired(history) == ["INV-50", "INV-52"])
  }
}
