import Foundation
import FuzzScenario
import SimKernel

/// Reduces a failing scenario to one from which nothing more can be taken without losing the
/// finding.
///
/// It tries every move of every pass on the smallest scenario it has, keeps a candidate only if it
/// gives the same signature, and stops when a whole round of moves changes nothing. Candidates are
/// tried side by side, but the first that succeeds in the order of the moves is taken: the result
/// does not depend on how many workers there are (LAB-22).
public final class Shrinker {
  /// What a reduction came to.
  public struct Result: Sendable {
    public var scenario: Scenario
    public var signature: String
    /// The finding in the reduced scenario.
    public var finding: RunReport.ReportedFinding
    public var runs: Int = 0
    public var seconds: Double = 0
    /// Whether no single move is left; false when time or patience ended first.
    public var isMinimal: Bool = false
  }

  private let jury: ScenarioJury
  private let jobs: Int
  private let minutes: Double?
  private let progress: Progress
  private let start = ProcessClock.nanoseconds()
  private var runs = 0
  /// Candidates that were tried in vain; nothing is run twice.
  private var tried = Lookup<UInt64, Void>()

  /// Prepares a reduction.
  /// - Parameters:
  ///   - program: a build of this command; nil is the one that runs.
  ///   - jobs: how many candidates are tried at a time.
  ///   - minutes: ends it early; nil is no bound.
  public convenience init(
    program: String? = nil, jobs: Int, minutes: Double?, progress: Progress
  ) throws {
    try self.init(
      ScenarioJury(program: program, jobs: jobs), jobs: jobs, minutes: minutes, progress: progress)
  }

  /// Prepares a reduction before a jury that there is already.
  init(_ jury: ScenarioJury, jobs: Int, minutes: Double?, progress: Progress) {
    self.jury = jury
    self.jobs = jobs
    self.minutes = minutes
    self.progress = progress
  }

  /// The findings of a scenario as it is.
  public func findings(of scenario: Scenario) throws -> [RunReport.ReportedFinding] {
    try jury.findings(of: [scenario])[0]
  }

  /// Reduces a scenario that shows a finding.
  public func shrink(_ scenario: Scenario, finding: RunReport.ReportedFinding) throws -> Result {
    var result = Result(scenario: scenario, signature: finding.signature, finding: finding)
    var hasProgress = true
    while hasProgress, !isOver {
      hasProgress = false
      for pass in shrinkPasses(for: result.scenario) where !isOver {
        if try run(pass, on: &result) { hasProgress = true }
      }
    }
    progress.clear()
    result.isMinimal = !isOver
    result.runs = runs
    result.seconds = ProcessClock.secondsSince(start)
    result.scenario.name = "reduced: \(finding.signature)"
    result.scenario.why = Shrinker.why(scenario, result)
    return result
  }

  private var isOver: Bool {
    if Interruption.isRequested { return true }
    guard let minutes else { return false }
    return ProcessClock.secondsSince(start) >= minutes * 60
  }

  /// Tries the moves of a pass in order.
  /// - Returns: whether one was taken.
  private func run(_ pass: ShrinkPass, on result: inout Result) throws -> Bool {
    var hasProgress = false
    var position = pass.startIndex
    while position < pass.endIndex, !isOver {
      var candidates: [(next: Int, scenario: Scenario)] = []
      while candidates.count < jobs, position < pass.endIndex {
        let candidate = pass[position].apply(result.scenario)
        position += 1
        if let candidate, !tried.contains(candidate.contentHash) {
          candidates.append((position, candidate))
        }
      }
      guard let taken = try first(of: candidates, showing: result.signature) else { continue }
      result.scenario = candidates[taken.index].scenario
      result.finding = taken.finding
      // What was tried beside it was tried on a larger scenario: back to the move behind it.
      position = candidates[taken.index].next
      hasProgress = true
      let actions = result.scenario.actions.count
      progress.show("\(actions) actions left, \(runs) runs, \(pass.name)")
    }
    return hasProgress
  }

  private func first(
    of candidates: [(next: Int, scenario: Scenario)], showing signature: String
  ) throws -> (index: Int, finding: RunReport.ReportedFinding)? {
    if candidates.isEmpty { return nil }
    let findings = try jury.findings(of: candidates.map(\.scenario)) {
      progress.show("\(runs) runs")
    }
    for (index, found) in findings.enumerated() {
      runs += 1
      if let finding = found.first(where: { $0.signature == signature }) {
        return (index, finding)
      }
      tried.insert(candidates[index].scenario.contentHash)
    }
    return nil
  }

  private static func why(_ original: Scenario, _ result: Result) -> String {
    let origin = original.provenance.map { "seed \($0.seed) \($0.profile)" } ?? original.name
    return "Reduced from \(origin): \(result.finding.message)"
  }
}
