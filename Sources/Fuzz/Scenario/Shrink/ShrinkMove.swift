import SimKernel

/// One way to make a scenario smaller or simpler.
///
/// A move names what it touches by stable identities, such as the ids of actions, so that it can
/// still be tried after other moves were taken.
public struct ShrinkMove: Sendable {
  /// What it does, in a few words.
  public let description: String
  private let change: @Sendable (inout Scenario) -> Void

  init(_ description: String, _ change: @escaping @Sendable (inout Scenario) -> Void) {
    self.description = description
    self.change = change
  }

  /// A move that changes one action, wherever it stands by then.
  init(
    action id: UInt32, _ words: String, _ change: @escaping @Sendable (inout Action) -> Void
  ) {
    self.init("action \(id): \(words)") { scenario in
      guard let place = scenario.actions.firstIndex(where: { $0.id == id }) else { return }
      change(&scenario.actions[place])
    }
  }

  /// The scenario after the move.
  /// - Returns: nothing where the move would not make this scenario smaller.
  public func apply(_ scenario: Scenario) -> Scenario? {
    var smaller = scenario
    change(&smaller)
    return ScenarioSize(smaller) < ScenarioSize(scenario) ? smaller : nil
  }
}

/// Moves of one kind in a fixed order, each made when it is asked for.
public struct ShrinkPass: RandomAccessCollection, Sendable {
  public let name: String
  private let size: Int
  private let move: @Sendable (Int) -> ShrinkMove

  init(_ name: String, count: Int, _ move: @escaping @Sendable (Int) -> ShrinkMove) {
    self.name = name
    size = count
    self.move = move
  }

  init(_ name: String, _ moves: [ShrinkMove]) {
    self.init(name, count: moves.count) { moves[$0] }
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { size }
  /// The move at a place.
  public subscript(position: Int) -> ShrinkMove { move(position) }
}

/// All passes over a scenario, those that take most away first.
///
/// A shrinker tries each move of each pass on the smallest scenario it has, keeps the result where
/// the same finding comes out, and asks for new passes until a whole round of them changes nothing:
/// then no single move is left.
public func shrinkPasses(for scenario: Scenario) -> [ShrinkPass] {
  var passes = [
    ShrinkPass.calmClaim(scenario),
    ShrinkPass.visits(scenario),
    ShrinkPass.kinds(scenario),
    ShrinkPass.faultFamilies(scenario),
    ShrinkPass.faults(scenario),
    ShrinkPass.rules(scenario),
    ShrinkPass.actions(scenario),
    ShrinkPass.repetitions(scenario),
    ShrinkPass.expectations(scenario),
    ShrinkPass.surroundings(scenario),
    ShrinkPass.tracking(scenario),
    ShrinkPass.options(scenario),
    ShrinkPass.values(scenario),
    ShrinkPass.devices(scenario),
    ShrinkPass.crashes(scenario),
    ShrinkPass.entries(scenario),
    ShrinkPass.triggers(scenario),
    ShrinkPass.faultDetails(scenario),
    ShrinkPass.ruleDetails(scenario),
  ]
  // What a calm scenario claims hangs on the time between leaving the app and the end of its
  // process.
  if !scenario.isCalm {
    passes += [
      ShrinkPass.duration(scenario), ShrinkPass.gaps(scenario), ShrinkPass.rounding(scenario),
    ]
  }
  return passes.filter { !$0.isEmpty }
}
