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

  @Test("what a campaign hears of a history is each different crash, once, and its hash")
  func hashes() {
    let twice = Judge.judge(CrashRun.record([CrashRun.exception, CrashRun.exception]))
    #expect(twice.crashHashes.count == 1)
    #expect(twice.crashHashes[0].stackHash.utf8.count == 32)
    let other = Judge.judge(CrashRun.record([CrashPlan(.trap), CrashRun.exception]))
    #expect(other.crashHashes.count == 2)
    // Another device, the same crash: the same digest and the same hash.
    #expect(other.crashHashes[1].crash == twice.crashHashes[0].crash)
    #expect(other.crashHashes[1].stackHash == twice.crashHashes[0].stackHash)
    #expect(other.crashHashes[0].crash != other.crashHashes[1].crash)
    #expect(Judge.judge(CrashRun.record([])).crashHashes.isEmpty)
  }

  @Test("an address in the stack is found; it is not what was to be said either (INV-50)")
  func address() {
    let history = CrashRun.record()
    CrashRun.rewrite("\"stack\":\"Kiosk ", as: "\"stack\":\"0x0104c8 ", in: history)
    #expect(CrashRun.fired(history) == ["INV-50", "INV-52"])
  }
}
