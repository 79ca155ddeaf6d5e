import FuzzHistory
import SimKernel
import Testing

@testable import FuzzScenario

/// What a scenario comes to at most: deaths by triggers are not counted.
private struct Expected: Sendable {
  var span: TimeSpan
  var startsWithAnalytics: Bool
  var launches = 0
  /// Public calls, and the user's coming and going.
  var calls = 0

  /// Those of 2 000 default seeds; the scenarios themselves would fill the memory.
  static let all = (0..<2_000 as Range<UInt64>).map {
    Expected(Scenario.generate(seed: $0, profile: .default))
  }

  init(_ scenario: Scenario) {
    span = scenario.duration
    startsWithAnalytics = scenario.startsWithAnalytics
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
  @Test("The median default seed lasts a day and is full of life")
  func median() {
    #expect(FuzzScenarioTests.median(Expected.all.map(\.span)) >= .hours(24))
    #expect(FuzzScenarioTests.median(Expected.all.map(\.launches)) >= 12)
    #expect(FuzzScenarioTests.median(Expected.all.map(\.calls)) >= 330)
  }

  @Test("One default seed in fifty lasts over 32 days")
  func months() {
    #expect(Expected.all.count { $0.span > .days(32) } >= Expected.all.count / 50)
  }

  @Test("Half of the default seeds start with analytics on")
  func analytics() {
    let on = Expected.all.count { $0.startsWithAnalytics }
    #expect((900...1_100).contains(on))
  }
}
