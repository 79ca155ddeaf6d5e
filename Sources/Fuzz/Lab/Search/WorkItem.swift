import FuzzScenario

/// One piece of work for a worker: a line on its standard input.
public struct WorkItem: Sendable {
  /// What the work is of, for whoever asked for it.
  public var index: Int
  /// `42 default`, or a scenario as one line of JSON.
  public var line: String
  /// A worker that must not have it, so that two runs of one seed meet two processes.
  var avoiding: Int?

  /// The run of a seed.
  init(index: Int, seed: UInt64, profile: String) {
    self.index = index
    line = "\(seed) \(profile)"
  }

  /// The run of a scenario.
  init(index: Int, scenario: Scenario) {
    self.index = index
    // Line feeds in a scenario file are layout alone; those inside texts are escaped.
    line = scenario.fileText.split(separator: "\n").joined(separator: " ")
  }
}

/// What came of a piece of work.
public enum WorkOutcome: Sendable {
  /// The worker's line, and the report in it.
  case report(RunReport)
  case death(WorkerDeath)
}

/// The end of a worker in the middle of a piece of work.
public struct WorkerDeath: Hashable, Sendable {
  /// How a worker ended.
  public enum Kind: Hashable, Sendable {
    case signal(Int32)
    case exit(Int32)
    /// Ended because one seed took more processor time than any healthy one.
    case runaway(seconds: Int)
    /// Ended because its memory grew beyond its bound.
    case memory(bytes: Int)
  }

  public var kind: Kind
  /// The end of what it wrote to standard error.
  public var lastWords: String

  /// The death as a finding.
  public var finding: RunReport.ReportedFinding {
    let cause = self.cause
    return RunReport.ReportedFinding(
      invariant: cause.name, requirements: ["API-03", "LAB-15"], atSeconds: 0, process: -1,
      message: cause.message, signature: "\(cause.name): \(cause.normalised)")
  }

  private var cause: (name: String, message: String, normalised: String) {
    switch kind {
    case .signal(let number):
      let reason = TrapWords.reason(in: lastWords)
      let place = TrapWords.place(in: lastWords)
      let what = [reason, place.map { "in \($0)" }].compactMap { $0 }.joined(separator: " ")
      return (
        LabFindings.Name.trap,
        "the process that ran it died by signal \(number)" + (what.isEmpty ? "" : ": \(what)"),
        what.isEmpty ? "signal \(number)" : what
      )
    case .exit(let code):
      return (
        LabFindings.Name.trap, "the process that ran it ended with code \(code)", "exit \(code)"
      )
    case .runaway(let seconds):
      return (
        LabFindings.Name.runaway,
        "it was still running after \(seconds) s of processor time", "processor time"
      )
    case .memory(let bytes):
      return (
        LabFindings.Name.memory,
        "the memory of its process grew to \(bytes / 1_000_000) MB", "memory"
      )
    }
  }
}
