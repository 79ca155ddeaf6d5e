import FuzzHistory
import SimKernel
import Testing

@testable import FuzzScenario

/// What a run of a scenario comes to at most: deaths by triggers are not counted.
private struct Expected {
  var hours: Int64
  var launches = 0
  var calls = 0
  var bytes = 0

  init(_ scenario: Scenario) {
    hours = scenario.duration.nanoseconds / 3_600_000_000_000
    var runs = false
    for action in scenario.actions {
      guard case .at = action.moment else { continue }
      switch action.kind {
      case .foreground, .launch:
        if !runs {
          launches += 1
          calls += scenario.start == nil ? 0 : 1
        }
        runs = true
        if case .foreground = action.kind { calls += 1 }
      case .background: calls += runs ? 1 : 0
      case .call: calls += runs ? 1 : 0
      case .end, .update: runs = false
      default: break
      }
    }
  }
}

private func median<Value: Comparable>(_ values: [Value]) -> Value {
  values.sorted()[values.count / 2]
}

@Suite("What the generator draws")
struct GeneratorStatisticsTests {
  private let scenarios = (0..<2_000).map { Scenario.generate(seed: $0, profile: .default) }

  @Test("The median default seed lasts a day and is full of life")
  func median() {
    let expected = scenarios.map(Expected.init)
    #expect(FuzzScenarioTests.median(expected.map(\.hours)) >= 24)
    #expect(FuzzScenarioTests.median(expected.map(\.launches)) >= 12)
    #expect(FuzzScenarioTests.median(expected.map(\.calls)) >= 330)
  }

  @Test("One default seed in fifty lasts over 32 days")
  func months() {
    let long = scenarios.count { $0.duration > .days(32) }
    #expect(long >= scenarios.count / 50)
  }

  @Test("Half of the default seeds start with analytics on")
  func analytics() {
    let on = scenarios.count { $0.startsWithAnalytics }
    #expect((scenarios.count * 45 / 100...scenarios.count * 55 / 100).contains(on))
  }
}
