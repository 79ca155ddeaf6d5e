import FuzzHistory
import FuzzInvariants
import FuzzScenario
import FuzzWorld
import SimKernel

/// A scenario that was run and judged.
public struct CompletedRun {
  public var scenario: Scenario
  public var result: RunResult
  public var judgement: Judgement
  /// The judgement's findings together with those of the lab itself and of the expectations.
  public var findings: [Finding]
  public var report: RunReport

  /// Runs a scenario on a fresh world and judges its history.
  /// - Parameters:
  ///   - scenario: what the world will do.
  ///   - options: how the run is watched; watching changes nothing that happens.
  public init(running scenario: Scenario, options: RunOptions = RunOptions()) {
    let start = ProcessClock.cpuNanoseconds()
    let result = World(scenario, options: options).run()
    result.history.header.build = BuildIdentity.current
    let judgement = Judge.judge(result.history)
    let findings =
      LabFindings.of(result) + judgement.findings
      + ExpectationCheck.findings(of: scenario, history: result.history, judgement: judgement)
    self.scenario = scenario
    self.result = result
    self.judgement = judgement
    self.findings = findings
    report = RunReport(
      scenario: scenario, result: result, judgement: judgement, findings: findings)
    report.cpuMilliseconds = Double(ProcessClock.cpuNanoseconds() - start) / 1e6
  }
}

extension RunReport {
  init(scenario: Scenario, result: RunResult, judgement: Judgement, findings: [Finding]) {
    self.init()
    seed = scenario.provenance?.seed
    profile = scenario.provenance?.profile ?? ""
    name = scenario.name
    verdict = findings.isEmpty ? .pass : .fail
    traceHash = Figures.hash(result.traceHash)
    events = result.events
    simulatedSeconds = result.simulated.seconds
    launches = result.launches
    apiCalls = result.calls
    for kind in FaultKind.allCases {
      if let count = result.faults[kind], count > 0 {
        faults.add(FaultCatalogue.entry(kind).name, count)
      }
    }
    messages = Messages(judgement.messages)
    replay = ReplayTraffic.counts(in: result.history)
    self.findings = findings.map { ReportedFinding($0) }
    marks = Tally(result.marks)
    antecedents = Tally(judgement.antecedents)
    crashHashes = judgement.crashHashes
  }
}

extension TimeSpan {
  /// Seconds, for people and reports only.
  var seconds: Double { Double(nanoseconds) / 1e9 }
}
