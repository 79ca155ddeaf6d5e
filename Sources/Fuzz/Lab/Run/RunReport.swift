import FuzzInvariants
import SimKernel

/// What one scenario came to: everything that `simlab run --json` prints.
public struct RunReport: Sendable, Decodable {
  public enum Verdict: String, Sendable, Decodable {
    case pass
    case fail
  }

  /// A violated invariant, as reports tell it.
  public struct ReportedFinding: Hashable, Sendable, Decodable {
    public var invariant: String
    public var requirements: [String]
    /// Seconds since the start of the run, as printed.
    public var atSeconds: Double
    public var process: Int
    public var message: String
    public var signature: String

    enum CodingKeys: String, CodingKey {
      case invariant, requirements, process, message, signature
      case atSeconds = "at_seconds"
    }
  }

  /// What became of the messages.
  public struct Messages: Hashable, Sendable, Decodable {
    public var accepted: Int = 0
    public var delivered: Int = 0
    public var queued: Int = 0
    public var dropped = Tally()
  }

  /// What replay sent.
  public struct Replay: Hashable, Sendable, Decodable {
    public var segments: Int = 0
    public var frames: Int = 0
    public var bytes: Int = 0
    public var maxBytesPerMinute: Int = 0

    enum CodingKeys: String, CodingKey {
      case segments, frames, bytes
      case maxBytesPerMinute = "max_bytes_per_minute"
    }
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

  enum CodingKeys: String, CodingKey {
    case seed, profile, name, verdict, events, launches, faults, messages, replay, findings
    case marks, antecedents
    case traceHash = "trace_hash"
    case simulatedSeconds = "simulated_seconds"
    case cpuMilliseconds = "cpu_milliseconds"
    case apiCalls = "api_calls"
  }

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
