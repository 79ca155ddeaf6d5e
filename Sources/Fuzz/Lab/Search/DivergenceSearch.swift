import Foundation

/// Finds where two runs of one seed part, by tracing it in fresh processes.
enum DivergenceSearch {
  /// How often a pair of runs is traced before it counts as shy.
  private static let attempts = 4

  /// The finding for a seed that gave two histories (LAB-02).
  static func finding(
    _ unit: CampaignPlan.Unit, first: RunReport, second: RunReport, program: String,
    environment: [(name: String, value: String)]
  ) throws -> RunReport.ReportedFinding {
    var message = "two runs came to \(first.traceHash) and \(second.traceHash)"
    var cause = "unknown event"
    if let difference = try difference(unit, program: program, environment: environment) {
      message +=
        "; "
        + difference.lines(leftName: "one", rightName: "the other")
        .joined(separator: "\n")
      cause = (difference.left.first ?? difference.right.first)?.kindName ?? cause
    } else {
      message += "; \(attempts) further pairs of traced runs were equal"
    }
    return RunReport.ReportedFinding(
      invariant: "INV-89", requirements: ["LAB-01", "LAB-02", "LAB-14"], atSeconds: 0, process: -1,
      message: message, signature: "INV-89: \(cause)")
  }

  private static func difference(
    _ unit: CampaignPlan.Unit, program: String, environment: [(name: String, value: String)]
  ) throws -> TraceDiff? {
    let place =
      FileManager.default.temporaryDirectory.path
      + "/simlab-\(getpid())-\(ProcessClock.nanoseconds())"
    let paths = ["a", "b"].map { "\(place)-\($0).trace" }
    defer { for path in paths { unlink(path) } }
    for _ in 0..<attempts {
      for path in paths {
        try ChildRun.run(
          program,
          ["run", "--seed=\(unit.seed)", "--profile=\(unit.profile)", "--json", "--trace=\(path)"],
          environment: environment)
      }
      // A run that dies leaves no trace; then there is nothing to compare.
      guard paths.allSatisfy({ FileManager.default.fileExists(atPath: $0) }) else { return nil }
      if let difference = try TraceDiff.between(paths[0], paths[1]) { return difference }
    }
    return nil
  }
}
