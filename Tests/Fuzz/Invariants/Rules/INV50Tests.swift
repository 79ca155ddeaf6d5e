import FuzzHistory
import FuzzInvariants
import FuzzScenario
import SimKernel
import Testing

@Suite("INV-50: $crash speaks of the process that died")
struct INV50Tests {
  @Test("two crashes, each told of its own process")
  func healthy() {
    let judgement = Judge.judge(CrashRun.record([CrashRun.exception, CrashPlan(.busError)]))
    #expect(judgement.findings.isEmpty)
    #expect(judgement.antecedents["INV-50"] == 2)
  }

  @Test("another screen, thread or type is found")
  func altered() {
    for (old, new) in [
      ("\"path\":\"/Checkout\",\"stack\"", "\"path\":\"/Checkin!\",\"stack\""),
      ("\"thread\":\"main\"", "\"thread\":\"Main\""),
    ] {
      let history = CrashRun.record()
      CrashRun.rewrite(old, as: new, in: history)
      #expect(CrashRun.fired(history) == ["INV-50"])
    }
  }
}
