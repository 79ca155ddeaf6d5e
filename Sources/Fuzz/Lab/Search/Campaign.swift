import Foundation
import FuzzHistory
import SimKernel

/// Runs many seeds in worker processes and gathers what they found.
///
/// Results come out in the order of the plan, so that neither their order nor their content depends
/// on how many workers there are.
public final class Campaign {
  /// How a campaign ended.
  public enum End: Sendable {
    case asPlanned
    /// Ctrl-C, or the end of the time before the end of the seeds.
    case cut
    /// As many signatures as were asked for.
    case enoughFindings
  }

  private struct Result {
    var report: RunReport
    /// The worker that ran it, for the second run to meet another.
    var needsSecondRun: Bool
  }

  public let plan: CampaignPlan
  public private(set) var summary = CampaignSummary()
  public private(set) var end: End = .asPlanned

  /// Is called after every step, for those who wait.
  var onStep: () -> Void = {}
  /// Says whether what was found so far ends the campaign.
  var isEnough: (CampaignSummary) -> Bool = { _ in false }
  /// Says which findings of a run count.
  var filter: (RunReport) throws -> RunReport = { $0 }

  private let program: String
  private let environment: [(name: String, value: String)]
  private let pool: WorkerPool
  private let progress: Progress?
  private let start = ProcessClock.nanoseconds()
  private let receive: (String) throws -> Void
  private var crashes = CrashFold()
  private var results: [Result?] = []
  private var emitted = 0
  private var issued = 0

  /// Prepares a campaign.
  /// - Parameters:
  ///   - program: a build of this command; nil is the one that runs.
  ///   - environment: variables for the workers.
  ///   - progress: is told how far it is; nil tells nobody.
  ///   - receive: takes the line of each run, in the order of the plan.
  public init(
    _ plan: CampaignPlan, program: String? = nil,
    environment: [(name: String, value: String)] = [], progress: Progress?,
    receive: @escaping (String) throws -> Void
  ) throws {
    self.plan = plan
    self.progress = progress
    self.receive = receive
    self.program = program ?? WorkerPool.ownProgram
    self.environment = environment
    pool = try WorkerPool(
      program: self.program, environment: environment, jobs: plan.jobs,
      processes: plan.determinismPercent > 0 ? max(2, plan.jobs) : plan.jobs)
  }

  /// Runs until the seeds, the time, the findings or the patience of the user end it.
  public func run() throws {
    var isOpen = true
    while isOpen || pool.pending > 0 {
      if isOpen { isOpen = try issue() }
      try pool.step(milliseconds: 100) { try take($0, $1, worker: $2) }
      try emit()
      if end == .enoughFindings { break }
      if Interruption.isRequested, end == .asPlanned {
        end = .cut
        isOpen = false
        pool.dropWaiting()
      }
      progress?.show(status)
      onStep()
    }
    if end != .enoughFindings { try emitRest() }
    progress?.clear()
    summary.isComplete = end == .asPlanned
    summary.seconds = seconds
    summary.workerDeaths = pool.deaths
  }

  /// Remembers the reduced scenario of a bug.
  func note(scenario: String, actions: Int, at place: Int) {
    summary.bugs[place].scenario = scenario
    summary.bugs[place].actions = actions
  }

  /// The summary as the last line of the results.
  public var summaryLine: String { summary.json(plan).line }

  /// What runs, in a few words.
  public var title: String { "campaign over \(plan.words)" }

  /// The verdict on one line.
  public var verdict: String {
    let word =
      summary.findings > 0 ? "FAILED" : summary.isComplete ? "PASSED" : "INCOMPLETE"
    return "\(word) \(Figures.grouped(summary.seeds)) runs, "
      + "\(FindingText.count(summary.findings)), \(summary.bugs.count) signatures"
  }

  /// The campaign as text.
  public var lines: [String] { summary.lines(plan) }

  /// Gives out work while the workers want some.
  /// - Returns: whether there may be more.
  private func issue() throws -> Bool {
    while pool.isHungry {
      if let minutes = plan.minutes, seconds >= minutes * 60 {
        if !plan.isBoundedByTime { end = .cut }
        return false
      }
      guard let unit = plan.unit(at: issued) else { return false }
      pool.add(WorkItem(index: issued, seed: unit.seed, profile: unit.profile))
      results.append(nil)
      issued += 1
    }
    return true
  }

  private func take(_ item: WorkItem, _ outcome: WorkOutcome, worker: Int) throws {
    guard let unit = plan.unit(at: item.index) else { return }
    let report: RunReport
    switch outcome {
    case .report(let answer): report = answer
    case .death(let death):
      report = try DeathReport.make(
        of: death, unit: unit, line: item.line, program: program, environment: environment)
    }
    if item.avoiding == nil {
      let needsSecondRun = plan.isChecked(unit)
      results[item.index] = Result(report: report, needsSecondRun: needsSecondRun)
      if needsSecondRun {
        var second = item
        second.avoiding = worker
        pool.add(second)
      }
    } else if var first = results[item.index] {
      summary.determinismChecked += 1
      first.needsSecondRun = false
      if !first.report.isSameRun(as: report) {
        summary.determinismFailures += 1
        let finding = try DivergenceSearch.finding(
          unit, first: first.report, second: report, program: program, environment: environment)
        first.report.findings.append(finding)
        first.report.verdict = .fail
      }
      results[item.index] = first
    }
  }

  private func emit() throws {
    while emitted < results.count, let result = results[emitted], !result.needsSecondRun {
      try emit(result.report)
      if end == .enoughFindings { return }
    }
  }

  /// What is left after a cut: runs whose second run was given up.
  private func emitRest() throws {
    while emitted < results.count {
      if let result = results[emitted] { try emit(result.report) } else { emitted += 1 }
    }
  }

  private func emit(_ report: RunReport) throws {
    results[emitted] = nil
    emitted += 1
    var report = report
    // In the order of the plan: which of two runs is told of hangs on no worker.
    let compared = crashes.take(&report)
    if !report.findings.isEmpty { report = try filter(report) }
    summary.add(report, alsoHeld: compared ? [CrashFold.invariant] : [])
    try receive(report.json.line)
    let hasMost = plan.maxFindings.map { summary.bugs.count >= $0 } ?? false
    if hasMost || isEnough(summary) { end = .enoughFindings }
  }

  private var seconds: Double { ProcessClock.secondsSince(start) }

  private var status: String {
    let seconds = seconds
    let rate = seconds > 0 ? Double(summary.seeds) / seconds : 0
    let reached = MarkCatalogue.entries.count - summary.neverReached.count
    return "\(Figures.grouped(summary.seeds)) runs, \(Figures.decimal(rate, 1))/s, "
      + "\(summary.findings) findings (\(summary.bugs.count) signatures), marks \(reached)/"
      + "\(MarkCatalogue.entries.count), deaths \(pool.deaths), \(Int(seconds)) s"
  }
}

extension RunReport {
  /// Whether two runs of one seed came to the same: everything but the time they took.
  func isSameRun(as other: RunReport) -> Bool {
    var left = self
    var right = other
    left.cpuMilliseconds = 0
    right.cpuMilliseconds = 0
    return left.json == right.json
  }
}
