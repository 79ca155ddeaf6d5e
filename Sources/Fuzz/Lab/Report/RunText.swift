import FuzzInvariants
import FuzzScenario
import SimKernel

/// A finished run as text for a person.
public struct RunText {
  let run: CompletedRun
  /// What the run is called: `seed 42 default`, or the name of a stored scenario.
  let subject: String
  /// What to type to see this run again.
  let command: String

  public init(_ run: CompletedRun, subject: String, command: String) {
    self.run = run
    self.subject = subject
    self.command = command
  }

  /// What runs, the command and the drawn options: printed before anything else.
  public var head: [String] {
    RunText.head(of: run.scenario, subject: subject, command: command)
  }

  /// The head of a scenario that has not run yet.
  public static func head(of scenario: Scenario, subject: String, command: String) -> [String] {
    ["\(subject)  (again: \(command))"] + ScenarioWords.lines(scenario, subject: subject)
      + Rows.lines("build", BuildIdentity.current)
  }

  /// What happened, in counts.
  public var counts: [String] {
    let report = run.report
    var lines = [""]
    lines += Rows.lines(
      "lived",
      "\(Figures.span(run.result.simulated)) simulated, "
        + "\(Figures.grouped(report.events)) events, \(report.launches) launches, "
        + "\(report.apiCalls) calls, \(report.faults.total) faults took effect")
    lines += Rows.lines("struck", report.faults.words)
    lines += Rows.lines(
      "messages",
      "\(report.messages.accepted) accepted, \(report.messages.delivered) delivered, "
        + "\(report.messages.queued) queued, \(report.messages.dropped.total) dropped ("
        + "\(report.messages.dropped.words))")
    if report.replay.segments > 0 {
      lines.append("replay   \(report.replay.segments) segments, \(report.replay.bytes) bytes")
    }
    let held = report.antecedents.entries.count { $0.count > 0 }
    lines.append(
      "judged   \(held) of \(Judge.catalogue.count) invariants had something to judge, "
        + "\(report.marks.entries.count) of \(MarkCatalogue.entries.count) marks reached")
    return lines
  }

  /// Counts and findings.
  public var summary: [String] { counts + [""] + findings }

  /// Each finding with its instant and what happened before it (LAB-27).
  var findings: [String] {
    if run.findings.isEmpty { return [] }
    let narration = Narration(run.result.history, findings: run.findings)
    return run.findings.flatMap { FindingText.lines($0, narration: narration) + [""] }
  }

  /// The verdict on one line.
  public var verdict: String {
    let report = run.report
    let rest = "\(subject)  hash \(report.traceHash)  (\(report.events) events)"
    if run.findings.isEmpty { return "PASSED \(rest)" }
    return "FAILED \(rest)  \(FindingText.count(run.findings.count))  (again: \(command))"
  }
}
