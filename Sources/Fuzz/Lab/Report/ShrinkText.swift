import FuzzHistory
import FuzzScenario

extension Shrinker.Result {
  /// The result as an object.
  /// - Parameter path: where the scenario was written.
  public func json(path: String?) -> JSONValue {
    .object([
      JSONEntry("signature", .string(signature)),
      JSONEntry("invariant", .string(finding.invariant)),
      JSONEntry("actions", .count(scenario.actions.count)),
      JSONEntry("faults", .count(scenario.faults.count)),
      JSONEntry("minimal", .bool(isMinimal)),
      JSONEntry("runs", .count(runs)),
      JSONEntry("seconds", .rounded(seconds, 3)),
      JSONEntry("file", .text(path)),
      JSONEntry("finding", finding.json),
    ])
  }

  /// The result as lines for people.
  /// - Parameter original: the scenario before.
  public func lines(from original: Scenario) -> [String] {
    let end =
      isMinimal ? "no single step takes more away" : "ended before every step was tried"
    return [
      "\(finding.invariant) at \(finding.atSeconds) s",
      "  \(finding.message)",
      "  signature    \(signature)",
      "\(original.actions.count) actions became \(scenario.actions.count), "
        + "\(original.faults.count) faults \(scenario.faults.count), "
        + "\(original.rules.count) rules \(scenario.rules.count); \(end)",
      "\(Figures.grouped(runs)) runs in \(Figures.decimal(seconds, 1)) s",
    ]
  }
}
