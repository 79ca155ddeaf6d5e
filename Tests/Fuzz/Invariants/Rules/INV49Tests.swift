import FuzzHistory
import FuzzInvariants
import FuzzScenario
import SimKernel
import Testing

@Suite("INV-49: no crash goes unreported that could be recorded")
struct INV49Tests {
  @Test("each kind of crash has its event", arguments: CrashKind.allCases)
  func healthy(kind: CrashKind) {
    let judgement = Judge.judge(CrashRun.record([CrashPlan(kind)]))
    #expect(judgement.findings.isEmpty)
    #expect(judgement.antecedents["INV-49"] == 1)
  }

  @Test("a full stack is handled on the main thread, and elsewhere by nobody")
  func stackOverflow() {
    var plan = CrashPlan(.segmentationFault)
    plan.isStackOverflow = true
    #expect(Judge.judge(CrashRun.record([plan])).antecedents["INV-50"] == 1)
    plan.thread = 3
    let judgement = Judge.judge(CrashRun.record([plan]))
    #expect(judgement.findings.isEmpty)
    #expect(judgement.antecedents["INV-50"] == nil)
  }

  @Test("a crash that the SDK does not hear of is found")
  func unheard() {
    let history = CrashRun.record([CrashPlan(.trap)])
    for place in history.records.indices.reversed() {
      switch history.records[place].fact {
      case .crashHandlerRan: history.removeRecord(at: place)
      default: break
      }
    }
    #expect(CrashRun.fired(history) == ["INV-49"])
  }

  @Test("a record that goes before its event is durable is found, at that step")
  func tooSoon() throws {
    let history = CrashRun.record([CrashPlan(.trap)])
    let removal = try #require(
      history.records.firstIndex { record in
        guard case .disk(.remove, .done, _, _, let path, _, _, _) = record.fact else {
          return false
        }
        return history.contains("/crash/", in: path)
      })
    let instant = history.records[removal].instant
    for place in (0..<removal).reversed() {
      guard case .disk(.barrier, _, _, _, let path, _, _, _) = history.records[place].fact,
        history.contains("/queue/", in: path)
      else { continue }
      history.removeRecord(at: place)
    }
    let findings = Judge.judge(history).findings
    #expect(findings.map(\.signature) == ["INV-49 a record goes before its event is durable"])
    #expect(findings.first?.instant == instant)
  }

  @Test("a record torn at any byte costs its event, and no other one (B94)")
  func torn() {
    for count in stride(from: 0, through: 420, by: 7) {
      var plan = CrashRun.exception
      plan.killedAfterBytes = count
      let judgement = Judge.judge(CrashRun.record([plan, CrashRun.exception]))
      #expect(judgement.findings.isEmpty, "\(count) bytes: \(judgement.findings.map(\.message))")
      #expect((judgement.antecedents["INV-50"] ?? 0) >= 1)
    }
  }
}
