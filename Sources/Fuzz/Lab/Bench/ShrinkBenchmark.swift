import FuzzHistory
import FuzzScenario

/// How long it takes to reduce a generated scenario to the one thing that matters in it.
public struct ShrinkBenchmark: Sendable {
  public var seed: UInt64
  public var actionsBefore: Int
  public var actions: Int
  public var runs: Int
  public var seconds: Double

  /// Reduces a default seed under an expectation that its first batch breaks: what is left is what
  /// it takes to send one.
  static func measure(seed: UInt64) throws -> ShrinkBenchmark {
    var scenario = ScenarioSource.generate(seed: seed, profile: "default")
    scenario.expect = [.attempts(.collector, .init(atMost: 0))]
    let shrinker = try Shrinker(jobs: 1, minutes: 5, progress: Progress())
    let name = LabFindings.Name.expectation
    guard let finding = try shrinker.findings(of: scenario).first(where: { $0.invariant == name })
    else { throw LabError("seed \(seed) sends no batch") }
    let result = try shrinker.shrink(scenario, finding: finding)
    return ShrinkBenchmark(
      seed: seed, actionsBefore: scenario.actions.count, actions: result.scenario.actions.count,
      runs: result.runs, seconds: result.seconds)
  }

  /// The measurement as an object.
  public var json: JSONValue {
    .object([
      JSONEntry("seed", .seed(seed)),
      JSONEntry("actions_before", .count(actionsBefore)),
      JSONEntry("actions", .count(actions)),
      JSONEntry("runs", .count(runs)),
      JSONEntry("seconds", .rounded(seconds, 3)),
    ])
  }

  var line: String {
    "seed \(seed) reduced from \(actionsBefore) to \(actions) actions: "
      + "\(runs) runs in \(Figures.decimal(seconds, 1)) s"
  }
}
