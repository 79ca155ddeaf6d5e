import Foundation

/// Turns the death of a worker into a report of the seed it ran.
enum DeathReport {
  /// Runs the work again alone, with a backtrace where there is a trap, and reports what is seen.
  static func make(
    of death: WorkerDeath, unit: CampaignPlan.Unit, line: String, program: String,
    environment: [(name: String, value: String)]
  ) throws -> RunReport {
    var report = RunReport()
    report.seed = unit.seed
    report.profile = unit.profile
    report.verdict = .fail
    report.findings = [
      try explained(death, line: line, program: program, environment: environment).finding
    ]
    return report
  }

  /// The same death with the words of a run that tells where it happened.
  static func explained(
    _ death: WorkerDeath, line: String, program: String,
    environment: [(name: String, value: String)]
  ) throws -> WorkerDeath {
    guard case .signal = death.kind else { return death }
    let talkative = (
      name: "SWIFT_BACKTRACE",
      value: "enable=yes,color=no,interactive=no,threads=crashed,registers=none,images=none"
    )
    let worker = try WorkerProcess(
      program: program, arguments: ["worker"], environment: environment + [talkative])
    worker.send(line)
    let start = ProcessClock.nanoseconds()
    while ProcessClock.secondsSince(start) < 60 {
      worker.waitForWords(milliseconds: 200)
      let (lines, hasEnded) = worker.receive()
      if hasEnded {
        worker.reap()
        return WorkerDeath(kind: death.kind, lastWords: worker.lastWords)
      }
      if !lines.isEmpty {
        return WorkerDeath(
          kind: death.kind,
          lastWords: death.lastWords + "\nFatal error only after other seeds in one process")
      }
    }
    return death
  }
}
