import FuzzScenario

/// Tells the signatures of scenarios by running each in a worker process.
final class ScenarioJury {
  private let program: String
  private let environment: [(name: String, value: String)]
  private let pool: WorkerPool
  private let runsTwice: Bool
  /// What it finds as well does not count.
  private let healthy: ScenarioJury?

  /// - Parameters:
  ///   - program: a build of this command; nil is the one that runs.
  ///   - jobs: how many scenarios are tried at a time.
  ///   - runsTwice: whether each runs in two processes, to tell whether they differ.
  ///   - healthy: a jury of sources without a defect; what it finds as well does not count.
  init(
    program: String? = nil, environment: [(name: String, value: String)] = [], jobs: Int,
    runsTwice: Bool = false, healthy: ScenarioJury? = nil
  ) throws {
    self.program = program ?? WorkerPool.ownProgram
    self.environment = environment
    var limits = WorkerPool.Limits()
    limits.seconds = 20
    self.runsTwice = runsTwice
    self.healthy = healthy
    pool = try WorkerPool(
      program: self.program, environment: environment, jobs: jobs,
      processes: runsTwice ? max(2, jobs) : jobs, limits: limits)
  }

  /// Runs scenarios side by side.
  /// - Returns: the findings of each, in the order given.
  func findings(of scenarios: [Scenario], tick: () -> Void = {}) throws
    -> [[RunReport.ReportedFinding]]
  {
    var findings = [[RunReport.ReportedFinding]](repeating: [], count: scenarios.count)
    var first = [RunReport?](repeating: nil, count: scenarios.count)
    for (index, scenario) in scenarios.enumerated() {
      pool.add(WorkItem(index: index, scenario: scenario))
    }
    while pool.pending > 0 {
      try pool.step(milliseconds: 100) { item, outcome, worker in
        switch outcome {
        case .report(let report):
          if item.avoiding != nil {
            if let first = first[item.index], !first.isSameRun(as: report) {
              findings[item.index].append(ScenarioJury.difference(first, report))
            }
            return
          }
          findings[item.index] = report.findings
          if runsTwice {
            first[item.index] = report
            var second = item
            second.avoiding = worker
            pool.add(second)
          }
        case .death(let death):
          let explained = try DeathReport.explained(
            death, line: item.line, program: program, environment: environment)
          findings[item.index] = [explained.finding]
        }
      }
      tick()
    }
    guard let healthy else { return findings }
    let suspects = findings.indices.filter { !findings[$0].isEmpty }
    let known = try healthy.findings(of: suspects.map { scenarios[$0] }, tick: tick)
    for (place, known) in zip(suspects, known) {
      findings[place].removeAll { finding in
        known.contains { $0.signature == finding.signature }
      }
    }
    return findings
  }

  private static func difference(_ first: RunReport, _ second: RunReport)
    -> RunReport.ReportedFinding
  {
    RunReport.ReportedFinding(
      invariant: "INV-89", requirements: ["LAB-01", "LAB-02", "LAB-14"], atSeconds: 0, process: -1,
      message: "two runs came to \(first.traceHash) and \(second.traceHash)",
      signature: "INV-89: two runs differ")
  }
}
