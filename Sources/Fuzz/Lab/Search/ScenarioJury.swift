import FuzzScenario

/// Tells the signatures of scenarios by running each in a worker process.
final class ScenarioJury {
  private let program: String
  private let environment: [(name: String, value: String)]
  private let pool: WorkerPool

  /// - Parameters:
  ///   - program: a build of this command; nil is the one that runs.
  ///   - jobs: how many scenarios are tried at a time.
  init(
    program: String? = nil, environment: [(name: String, value: String)] = [], jobs: Int
  ) throws {
    self.program = program ?? WorkerPool.ownProgram
    self.environment = environment
    var limits = WorkerPool.Limits()
    limits.seconds = 20
    pool = try WorkerPool(
      program: self.program, environment: environment, jobs: jobs, limits: limits)
  }

  /// Runs scenarios side by side.
  /// - Returns: the findings of each, in the order given.
  func findings(of scenarios: [Scenario], tick: () -> Void = {}) throws
    -> [[RunReport.ReportedFinding]]
  {
    var findings = [[RunReport.ReportedFinding]](repeating: [], count: scenarios.count)
    for (index, scenario) in scenarios.enumerated() {
      pool.add(WorkItem(index: index, scenario: scenario))
    }
    while pool.pending > 0 {
      try pool.step(milliseconds: 100) { item, outcome, _ in
        switch outcome {
        case .report(let report): findings[item.index] = report.findings
        case .death(let death):
          let explained = try DeathReport.explained(
            death, line: item.line, program: program, environment: environment)
          findings[item.index] = [explained.finding]
        }
      }
      tick()
    }
    return findings
  }
}
