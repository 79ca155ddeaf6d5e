import FuzzHistory
import FuzzProperty
import SimKernel
import Testing

@testable import FuzzScenario

/// A scenario with every move taken that keeps a condition.
enum Shrunk {
  static func of(_ scenario: Scenario, while condition: (Scenario) -> Bool) -> Scenario {
    counted(scenario, while: condition).scenario
  }

  /// Takes moves round after round, until none is left, and tells how many were tried.
  static func counted(
    _ scenario: Scenario, while condition: (Scenario) -> Bool
  ) -> (scenario: Scenario, tried: Int) {
    var best = scenario
    var tried = 0
    var hasProgress = true
    while hasProgress {
      hasProgress = false
      for pass in shrinkPasses(for: best) {
        for move in pass {
          guard let candidate = move.apply(best) else { continue }
          tried += 1
          if condition(candidate) {
            best = candidate
            hasProgress = true
          }
        }
      }
    }
    return (best, tried)
  }
}

@Suite("Shrink moves")
struct ShrinkTests {
  /// Whether a move leaves the scenario, or makes it smaller and still one that a file can hold.
  private func isSound(_ move: ShrinkMove, _ scenario: Scenario) throws -> Bool {
    guard let smaller = move.apply(scenario) else { return true }
    return try ScenarioSize(smaller) < ScenarioSize(scenario)
      && !move.description.isEmpty && !move.description.contains("\n")
      && Scenario(fileText: smaller.fileText) == smaller
  }

  @Test("Each move makes any scenario smaller and leaves it valid, or does not apply")
  func random() throws {
    try check("sound moves", runs: Effort.runs(8, release: 100), AnyScenario.scenario) {
      scenario in
      try shrinkPasses(for: scenario).allSatisfy { pass in
        try pass.allSatisfy { try isSound($0, scenario) }
      }
    }
  }

  @Test("Each move makes generated scenarios smaller and leaves them valid", arguments: Profile.all)
  func generated(profile: Profile) throws {
    for seed in 0..<UInt64(Effort.runs(1, release: 3)) {
      let scenario = Scenario.generate(seed: seed, profile: profile)
      for pass in shrinkPasses(for: scenario) {
        for place in stride(from: 0, to: pass.count, by: Effort.runs(401, release: 61)) {
          #expect(try isSound(pass[place], scenario), "\(pass.name): \(pass[place].description)")
        }
      }
    }
  }

  @Test("A simplified move can be tried after others were taken")
  func afterOthers() throws {
    try check("sound moves", runs: Effort.runs(4, release: 60), AnyScenario.scenario) {
      scenario in
      let moves = shrinkPasses(for: scenario).flatMap { Array($0) }
      var current = scenario
      for move in moves.reversed() {
        guard let smaller = move.apply(current) else { continue }
        guard ScenarioSize(smaller) < ScenarioSize(current) else { return false }
        current = smaller
      }
      return try Scenario(fileText: current.fileText) == current
    }
  }

  @Test("What does not matter disappears, what matters stays", arguments: 0..<4 as Range<UInt64>)
  func minimal(seed: UInt64) throws {
    // A stand-in for a bug: a getter and, somewhere later, a death.
    func fails(_ scenario: Scenario) -> Bool {
      var hasAsked = false
      for action in scenario.actions {
        switch action.kind {
        case .call(_, .getContext): hasAsked = true
        case .end where hasAsked: return true
        default: break
        }
      }
      return false
    }
    var scenario = Scenario.generate(seed: seed, profile: .default)
    for place in [3, 7] {
      scenario.actions[place].kind = .call(thread: 4, .getContext)
      scenario.actions[place + 30].kind = .end(.crash)
    }
    let result = Shrunk.counted(scenario, while: fails)
    #expect(result.scenario.actions.count == 2)
    #expect(result.scenario.faults.isEmpty && result.scenario.rules.isEmpty)
    #expect(result.scenario.start == AppStart())
    #expect(result.scenario.timing == .simplest)
    #expect(result.scenario.config == ConfigAnswer())
    #expect(result.scenario.duration == .zero)
    #expect(result.scenario.actions.allSatisfy { $0.moment == .at(.zero) })
    #expect(result.scenario.actions[0].kind == .call(thread: 0, .getContext))
    #expect(result.tried < 2_000)
    #expect(Shrunk.counted(result.scenario, while: fails).scenario == result.scenario)
  }

  @Test("A value that matters is made as simple as it can be")
  func value() {
    func fails(_ scenario: Scenario) -> Bool {
      scenario.actions.contains { action in
        guard case .call(_, let call) = action.kind else { return false }
        return call.entries.contains {
          if case .string(let text) = $0.value { return text.utf8.count >= 300 }
          return false
        }
      }
    }
    var scenario = Scenario.generate(seed: 3, profile: .calm)
    let long = PropertyEntry("long", .object([PropertyEntry("in", .string(ValueMaker.long(900)))]))
    let text = PropertyEntry("text", .string(ValueMaker.long(5_000)))
    scenario.actions[5].kind = .call(
      thread: 1, .track(event: "some event", properties: [long, text], messageId: "id"))
    let result = Shrunk.counted(scenario, while: fails).scenario
    #expect(
      result.actions.map(\.kind) == [
        .call(
          thread: 0,
          .track(
            event: "a", properties: [PropertyEntry("text", .string(ValueMaker.long(300)))],
            messageId: nil))
      ])
    #expect(!result.isCalm)
  }

  @Test("A calm scenario keeps the frame that makes it calm, as long as it claims to be")
  func calm() {
    let scenario = Scenario.generate(seed: 1, profile: .calm)
    func frame(_ scenario: Scenario) -> [Action] {
      scenario.actions.filter {
        switch $0.kind {
        case .foreground, .background, .launch: return true
        default: return false
        }
      }
    }
    let result = Shrunk.counted(scenario) { candidate in
      candidate.isCalm && frame(candidate) == frame(scenario)
    }.scenario
    #expect(result.actions == frame(scenario))
  }

  @Test("Faults lose their windows and chances")
  func faults() {
    var scenario = Scenario()
    scenario.duration = .days(3)
    scenario.faults = [
      FaultSetting(.diskSlow, chance: Ratio(1, 30)),
      FaultSetting(
        .networkSlow, chance: Ratio(1, 20), from: .hours(1), until: .hours(30), amount: 900),
      FaultSetting(.networkRefused, chance: .always),
    ]
    let result = Shrunk.counted(scenario) { candidate in
      candidate.faults.contains { $0.kind == .networkSlow }
    }.scenario
    #expect(result.faults == [FaultSetting(.networkSlow, chance: .always)])
    #expect(result.duration == .zero)
  }

  @Test("The order of moves is fixed")
  func order() {
    func words() -> [String] {
      shrinkPasses(for: .generate(seed: 8, profile: .server)).flatMap { pass in
        pass.map { pass.name + ": " + $0.description }
      }
    }
    let first = words()
    #expect(first == words())
    #expect(first.first?.hasPrefix("visits: drop ") == true)
  }
}
