import FuzzHistory
import SimKernel

/// How a run is watched. Watching changes nothing that happens.
public struct RunOptions {
  /// Receives every trace entry.
  public var sink: (any TraceSink)?
  /// Keeps the log lines of the SDK as text in the history (`Fact.logged`).
  public var narrated: Bool = false
  public var bounds = Simulation.Bounds()

  public init() {}
}

/// What one run came to, before it is judged.
public struct RunResult {
  public var history: History
  public var traceHash: UInt64
  public var events: UInt64
  public var simulated: TimeSpan
  public var launches: Int
  public var calls: Int
  /// Faults that took effect, by kind.
  public var faults: [FaultKind: Int]
  /// Marks reached, by name.
  public var marks: [String: Int]
  /// How the loop ended: `.idle` and `.stopped` are healthy, the bounds are findings.
  public var stop: StopReason
  public var lastEntries: [TraceEntry]

  public init(history: History) {
    self.history = history
    traceHash = 0
    events = 0
    simulated = .zero
    launches = 0
    calls = 0
    faults = [:]
    marks = [:]
    stop = .idle
    lastEntries = []
  }
}
