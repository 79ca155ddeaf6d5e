import FuzzHistory
import FuzzScenario
import FuzzWorld
import SimKernel
import Testing

@Suite struct WorldTests {
  private func scenario(_ actions: [(Moment, ActionKind)]) -> Scenario {
    var scenario = Scenario()
    scenario.randomness = 11
    scenario.config.consentMode = "implied"
    scenario.duration = .minutes(10)
    scenario.actions = actions.enumerated().map {
      Action(id: UInt32($0.offset + 1), moment: $0.element.0, kind: $0.element.1)
    }
    return scenario
  }

  private func track(_ event: String) -> ActionKind {
    .call(thread: 1, .track(event: event, properties: [], messageId: nil))
  }

  private func kinds(_ history: History, _ kind: FactKind) -> [Record] {
    history.records.filter { $0.fact.kind == kind }
  }

  @Test func everyProcessLoadsAndAsksForItsConfig() {
    let result = World(
      scenario([
        (.at(.seconds(1)), .foreground), (.at(.seconds(60)), .end(.memoryKill)),
        (.at(.seconds(90)), .launch(.background)),
      ])
    ).run()
    // Two launches of the scenario, and the one after the clean kill of the calm.
    #expect(result.launches == 3)
    let configs = kinds(result.history, .requestStarted).filter {
      if case .requestStarted(_, .config, _, _, _, _, _, _, _, _, _) = $0.fact { return true }
      return false
    }
    #expect(configs.count == 3)
  }

  @Test func aTriggerStrikesAfterItsWorldEvent() throws {
    let result = World(
      scenario([
        (.at(.seconds(1)), .foreground),
        (.at(.seconds(5)), track("one")),
        (.after(Trigger(.batchArrived, plus: .milliseconds(1))), .end(.crash)),
      ])
    ).run()
    let end = try #require(kinds(result.history, .ended).first)
    let arrival = try #require(
      kinds(result.history, .requestArrived).first { $0.instant > .start + .seconds(5) })
    #expect(end.instant == arrival.instant + .milliseconds(1))
  }

  @Test func aDeathInsideADiskStepTearsIt() throws {
    let result = World(
      scenario([
        (.at(.seconds(1)), .foreground),
        (.at(.seconds(5)), track("one")),
        (.after(Trigger(.callReturned, occurrence: 2, plusDiskSteps: 1)), .end(.crash)),
      ])
    ).run()
    let end = try #require(kinds(result.history, .ended).first)
    let before = try #require(
      result.history.records.last { $0.instant <= end.instant && $0.fact.kind == .disk })
    guard case .disk(_, let outcome, _, _, _, _, _, _) = before.fact else { return }
    #expect(outcome == .died || outcome == .diedAfter)
    #expect(result.marks["process.killed_at_disk_step"] == 1)
  }

  @Test func callsThatNoCodeCouldMakeAreSkipped() {
    let result = World(
      scenario([
        (.at(.seconds(1)), track("nobody")), (.at(.seconds(2)), .foreground),
        (.at(.seconds(10)), .background), (.at(.seconds(300)), track("asleep")),
      ])
    ).run()
    #expect(result.marks["call.skipped_suspended"] == 2)
  }

  @Test func takingAnActionOutLeavesTheRestAsItWas() {
    let all = scenario([
      (.at(.seconds(1)), .foreground), (.at(.seconds(5)), track("one")),
      (.at(.seconds(70)), track("two")), (.at(.seconds(140)), track("three")),
    ])
    var fewer = all
    fewer.actions.remove(at: 2)
    func identifiers(_ scenario: Scenario) -> [UInt32: String] {
      var ids: [UInt32: String] = [:]
      var actions: [UInt32: UInt32] = [:]
      let history = World(scenario).run().history
      for record in history.records {
        if case .callBegan(let call, let action, _, _, _) = record.fact { actions[call] = action }
        if case .callReturned(let call, true, let value) = record.fact, let action = actions[call] {
          ids[action] = history.text(value)
        }
      }
      return ids
    }
    let before = identifiers(all)
    let after = identifiers(fewer)
    #expect(before[2] != nil)
    #expect(before[2] == after[2])
    #expect(before[4] == after[4])
    #expect(after[3] == nil)
  }

  @Test func oneScenarioHasOneHash() {
    let scenario = scenario([
      (.at(.seconds(1)), .foreground), (.at(.seconds(5)), track("one")),
      (.at(.seconds(20)), .background),
    ])
    let first = World(scenario).run()
    let second = World(scenario).run()
    #expect(first.traceHash == second.traceHash)
    var other = scenario
    other.randomness = 12
    #expect(World(other).run().traceHash != first.traceHash)
  }

  @Test func theCalmEndsQuiet() throws {
    let result = World(
      scenario([
        (.at(.seconds(1)), .foreground), (.at(.seconds(5)), track("one")),
        (.at(.seconds(6)), .link(.none)), (.at(.minutes(5)), .diskRoom(bytes: 0)),
      ])
    ).run()
    let end = try #require(kinds(result.history, .calmEnded).first)
    guard case .calmEnded(let pending) = end.fact else { return }
    #expect(result.history.text(pending) == "")
    #expect(result.stop == .idle)
  }
}
