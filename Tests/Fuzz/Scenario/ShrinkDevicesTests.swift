import FuzzHistory
import SimKernel
import Testing

@testable import FuzzScenario

/// What becomes of actions that change the device, and of what Apple is asked.
@Suite("Shrink moves: devices, tracking, attribution")
struct ShrinkDevicesTests {
  /// A scenario in which one of two actions of a kind matters.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var before: ActionKind
    /// What is left of it while any action of its kind will do.
    var after: ActionKind
    /// Whether an action is of the kind that matters.
    var matters: @Sendable (ActionKind) -> Bool
  }

  static let cases: [Case] = [
    Case(
      testDescription: "a system update", before: .systemUpdate(version: "26.1", off: .hours(2)),
      after: .systemUpdate(version: "17.5.1", off: .zero)
    ) {
      if case .systemUpdate = $0 { return true }
      return false
    },
    Case(
      testDescription: "a system update, where only a reboot matters",
      before: .systemUpdate(version: "26.1", off: .hours(2)), after: .reboot(off: .zero)
    ) {
      switch $0 {
      case .systemUpdate, .reboot: return true
      default: return false
      }
    },
    Case(
      testDescription: "another device",
      before: .newDevice(model: "iPad14,8", advertisingId: "F3D2A1B0-1C4E-4D7F-8A6B-5E90C2D3F4A1"),
      after: .newDevice(
        model: "iPhone15,2", advertisingId: "6D92078A-8246-4BA4-AE5B-76104861E7DC")
    ) {
      if case .newDevice = $0 { return true }
      return false
    },
    Case(
      testDescription: "another device, where only the backup matters",
      before: .newDevice(model: "iPad14,8", advertisingId: "F3D2A1B0-1C4E-4D7F-8A6B-5E90C2D3F4A1"),
      after: .install(.restore, version: "1.4.0", build: "140")
    ) {
      switch $0 {
      case .newDevice, .install(.restore, _, _): return true
      default: return false
      }
    },
    Case(
      testDescription: "another size of the screen",
      before: .resize(ScreenSize(width: 507, height: 1_194)),
      after: .resize(ScreenSize(width: 393, height: 852))
    ) {
      if case .resize = $0 { return true }
      return false
    },
    Case(
      testDescription: "a screen that is broad",
      before: .resize(ScreenSize(width: 1_194, height: 834)),
      after: .resize(ScreenSize(width: 852, height: 393))
    ) {
      if case .resize(let size) = $0 { return size.width > size.height }
      return false
    },
    Case(
      testDescription: "a word on tracking", before: .tracking(.authorized),
      after: .tracking(.denied)
    ) {
      if case .tracking = $0 { return true }
      return false
    },
  ]

  @Test("An action that matters is left in its simplest form", arguments: cases)
  func action(of test: Case) {
    var scenario = Scenario()
    let kinds: [ActionKind] = [
      .foreground, test.before, .call(thread: 2, .flush), test.before, .background,
    ]
    scenario.actions = kinds.enumerated().map { place, kind in
      Action(
        id: UInt32(place) + 1, moment: .at(.milliseconds(7_300 * Int64(place) + 11)), kind: kind)
    }
    let result = Shrunk.of(scenario) { $0.actions.contains { test.matters($0.kind) } }
    #expect(result.actions.map(\.kind) == [test.after])
  }

  @Test("Of many words on tracking the one that matters stands at the start")
  func trackingAtTheStart() {
    var scenario = Scenario()
    let states = [TrackingState.authorized, .denied, .authorized]
    scenario.actions = states.enumerated().map { place, state in
      Action(id: UInt32(place) + 1, moment: .at(.minutes(Int64(place))), kind: .tracking(state))
    }
    func isAllowed(_ scenario: Scenario) -> Bool {
      scenario.tracking == .authorized
        || scenario.actions.contains { $0.kind == .tracking(.authorized) }
    }
    let result = Shrunk.of(scenario, while: isAllowed)
    #expect(result.tracking == .authorized)
    #expect(result.actions == [])
    let asked = Shrunk.of(scenario) { scenario in
      scenario.tracking != .notDetermined
        || scenario.actions.contains {
          if case .tracking = $0.kind { return true }
          return false
        }
    }
    #expect(asked.tracking == .denied)
    #expect(asked.actions == [])
  }

  @Test("The source of an install keeps only what matters")
  func attribution() {
    var scenario = Scenario()
    scenario.attribution.token = "TOKEN=="
    scenario.attribution.delay = 9_000
    scenario.attribution.answer = "{}"
    let hasToken = Shrunk.of(scenario) { !$0.attribution.token.isEmpty }
    var expected = AttributionSource()
    expected.token = "TOKEN=="
    #expect(hasToken.attribution == expected)
    scenario.attribution.isNever = true
    let isNever = Shrunk.of(scenario) { $0.attribution.isNever }
    expected = AttributionSource()
    expected.isNever = true
    #expect(isNever.attribution == expected)
  }

  @Test("Answers of Apple become healthy where they may")
  func rules() {
    var scenario = Scenario()
    var rule = ServerRule(host: .attribution)
    rule.first = 3
    rule.count = 4
    rule.answer.status = 500
    rule.answer.headers = ["Retry-After: 5"]
    rule.answer.body = .html
    rule.answer.delayMilliseconds = 700
    rule.answer.fault = .networkResetBefore
    scenario.rules = [rule]
    let any = Shrunk.of(scenario) { !$0.rules.isEmpty }
    #expect(any.rules.map(\.answer) == [ScriptedAnswer()])
    let failing = Shrunk.of(scenario) { $0.rules.first.map { $0.answer.status != 200 } ?? false }
    var answer = ScriptedAnswer()
    answer.status = 500
    #expect(failing.rules.map(\.answer) == [answer])
    #expect(failing.rules.map(\.first) == [1])
  }
}
