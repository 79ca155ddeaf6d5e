import FuzzHistory
import SimKernel
import Testing

@testable import FuzzScenario

/// What the profile `calm` promises, so that the reference model can predict every message.
@Suite("Calm scenarios")
struct CalmGeneratorTests {
  private let seeds = 0..<UInt64(Effort.runs(200, release: 1_000))

  /// One at a time: all of them together would fill the memory.
  private var scenarios: some Sequence<Scenario> {
    seeds.lazy.map { Scenario.generate(seed: $0, profile: .calm) }
  }

  @Test("Nothing fails")
  func noFaults() {
    for scenario in scenarios {
      #expect(scenario.isCalm)
      #expect(scenario.faults.isEmpty && scenario.rules.isEmpty)
      for action in scenario.actions {
        switch action.kind {
        case .foreground, .background, .launch, .overlay, .call, .locale, .link(.wifi),
          .link(.cellular), .appear, .update, .end(.userSwipe), .end(.memoryKill), .tracking:
          continue
        default: Issue.record("\(action) in \(scenario.name)")
        }
        guard case .at = action.moment else {
          Issue.record("\(action) is not calm")
          continue
        }
      }
    }
  }

  @Test("A process ends long after its user left, and no call comes after that")
  func endings() {
    for scenario in scenarios {
      var left: TimeSpan?
      var lastCall = TimeSpan.zero
      for action in scenario.actions {
        guard case .at(let now) = action.moment else { continue }
        switch action.kind {
        case .foreground, .launch: left = nil
        case .background: left = now
        case .call: lastCall = now
        case .end, .update:
          #expect(left.map { now - $0 >= .seconds(180) } == true)
          #expect(now - lastCall >= .seconds(180))
          left = nil
        case .link:
          #expect(left.map { now - $0 >= .seconds(90) } == true || left == nil)
        default: break
        }
      }
    }
  }

  @Test("Calls come only while the app runs in the foreground, or after a push")
  func calls() {
    for scenario in scenarios {
      var runs = false
      for action in scenario.actions {
        switch action.kind {
        case .foreground, .launch: runs = true
        case .background, .end, .update: runs = false
        case .call: #expect(runs, "\(action) in \(scenario.name)")
        default: break
        }
      }
    }
  }

  @Test("No process holds more than 200 calls before its config")
  func held() {
    for scenario in scenarios {
      let instants = scenario.actions.compactMap { action -> TimeSpan? in
        guard case .at(let now) = action.moment, case .call = action.kind else { return nil }
        return now
      }
      // The start code and the config together take less than five seconds.
      for (place, instant) in instants.enumerated() where place + 200 < instants.count {
        #expect(instants[place + 200] - instant > .seconds(5))
      }
    }
  }

  @Test("Half of them have fixed delays")
  func fixed() {
    let fixed = scenarios.count { $0.timing.isFixed }
    #expect((seeds.count * 2 / 5...seeds.count * 3 / 5).contains(fixed))
  }

  @Test("They have as many calls and launches as the default profile")
  func volume() {
    func counts(_ profile: Profile) -> (calls: Int, ends: Int) {
      var calls: [Int] = []
      var ends: [Int] = []
      for seed in 0..<400 as Range<UInt64> {
        let actions = Scenario.generate(seed: seed, profile: profile).actions
        calls.append(actions.count { if case .call = $0.kind { true } else { false } })
        ends.append(
          actions.count {
            switch $0.kind {
            case .end, .update: true
            default: false
            }
          })
      }
      return (calls.sorted()[200], ends.sorted()[200])
    }
    let calm = counts(.calm)
    let usual = counts(.default)
    #expect(calm.calls * 10 >= usual.calls * 9)
    #expect(calm.ends * 10 >= usual.ends * 6)
    #expect(calm.ends >= 9)
  }
}
