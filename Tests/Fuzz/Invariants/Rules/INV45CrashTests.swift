import FuzzHistory
import FuzzInvariants
import FuzzScenario
import FuzzWorld
import SimKernel
import Testing

@Suite("INV-45: crashes that may not be captured leave nothing")
struct INV45CrashTests {
  @Test("an app that captures no crashes leaves no record and no event")
  func off() {
    var scenario = CrashRun.scenario([CrashRun.exception])
    scenario.start?.options.captureCrashes = false
    let judgement = Judge.judge(World(scenario).run().history)
    #expect(judgement.findings.isEmpty)
    #expect(judgement.antecedents["INV-45"] == 1)
    #expect(judgement.antecedents["INV-50"] == nil)
  }

  @Test("a panel that turns errors off has the record deleted")
  func panel() {
    var scenario = CrashRun.scenario([CrashRun.exception])
    scenario.config.errors = false
    #expect(Judge.judge(World(scenario).run().history).findings.isEmpty)
  }

  @Test("a grant that was held comes before the look at the records, whose visitor has died (S-59)")
  func grantedAgain() {
    var scenario = CrashRun.scenario([CrashRun.exception])
    scenario.start?.options.consent = .required
    func add(_ milliseconds: Int64, _ kind: ActionKind) {
      let id = UInt32(scenario.actions.count + 1)
      scenario.actions.append(Action(id: id, moment: .at(.milliseconds(milliseconds)), kind: kind))
    }
    let grant = ActionKind.call(thread: 0, .consent(analytics: true, marketing: nil))
    add(1_001, grant)
    add(40_000, .damage(.path("consent.json"), .vanished))
    add(86_001, grant)
    let judgement = Judge.judge(World(scenario).run().history)
    #expect(judgement.findings.isEmpty)
    #expect(judgement.antecedents["INV-50"] == 1)
  }

  @Test("a record that may not be is found")
  func recorded() throws {
    let history = CrashRun.record()
    let place = try #require(
      history.calls.firstIndex { call in
        if case .load = call { return true }
        return false
      })
    var options = HostOptions()
    options.consent = .notRequired
    options.captureCrashes = false
    let other = history.add(.load(writeKey: "pk_live_simlab", options: options))
    for (index, record) in history.records.enumerated() {
      var record = record
      switch record.fact {
      case .callBegan(UInt32(place), let action, let thread, let wall, let continuous):
        record.fact = .callBegan(
          call: other, action: action, thread: thread, wall: wall, continuous: continuous)
      case .callReturned(UInt32(place), let hasValue, let value):
        record.fact = .callReturned(call: other, hasValue: hasValue, value: value)
      default: continue
      }
      history.replaceRecord(at: index, with: record)
    }
    // Nothing lets it store before the config either.
    #expect(CrashRun.fired(history) == ["INV-21", "INV-45"])
  }
}
