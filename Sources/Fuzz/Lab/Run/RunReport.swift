import FuzzInvariants
import SimKernel

/// What one scenario came to: everything that `simlab run --json` prints.
public struct RunReport: Sendable {
  /// What a run came to.
  public enum Verdict: String, Sendable {
    case pass
    case fail
  }

  /// A violated invariant, as reports tell it.
  public struct ReportedFinding: Hashable, Sendable {
    public var invariant: String
    public var requirements: [String]
    /// Seconds since the start of the run, as printed.
    public var atSeconds: Double
    public var process: Int
    public var message: String
    public var signature: String
  }

  /// What became of the messages.
  public struct Messages: Hashable, Sendable {
    public var accepted: Int = 0
    public var delivered: Int = 0
    public var queued: Int = 0
    public var dropped = Tally()
  }

  /// What replay sent.
  public struct Replay: Hashable, Sendable {
    public var segments: Int = 0
    public var frames: Int = 0
    public var bytes: Int = 0
    public var maxBytesPerMinute: Int = 0
  }

  /// The generating seed; absent for a scenario that was written by hand.
  public var seed: UInt64?
  public var profile: String = ""
  public var name: String = ""
  public var verdict: Verdict = .pass
  /// 16 hexadecimal digits.
  public var traceHash: String = ""
  public var events: UInt64 = 0
  public var simulatedSeconds: Double = 0
  public var cpuMilliseconds: Double = 0
  public var launches: Int = 0
  public var apiCalls: Int = 0
  public var faults = Tally()
  public var messages = Messages()
  public var replay = Replay()
  public var findings: [ReportedFinding] = []
  public var marks = Tally()
  public var antecedents = Tally()
  /// One for each different crash whose event was sent.
  public var crashHashes: [CrashHash] = []

  public init() {}

  /// The signatures of all findings, each once, in the order found.
  public var signatures: [String] {
    var known: [String] = []
    for finding in findings where !known.contains(finding.signature) {
      known.append(finding.signature)
    }
    return known
  }
}

extension RunReport.ReportedFinding {
  public init(_ finding: Finding) {
    self.init(
      invariant: finding.invariant, requirements: finding.requirements,
      atSeconds: finding.instant.seconds, process: Int(finding.process),
      message: finding.message, signature: finding.signature)
  }
}

extension RunReport.Messages {
  public init(_ counts: MessageCounts) {
    self.init(
      accepted: counts.accepted, delivered: counts.delivered, queued: counts.queued,
      dropped: Tally(counts.dropped))
  }
}
