import FuzzInvariants
import FuzzWorld
import SimKernel

/// Findings that the lab makes itself, without an invariant: a run that did not end as runs do.
public enum LabFindings {
  /// Names of what the lab itself can find.
  public enum Name {
    /// Time stopped moving while events went on.
    public static let livelock = "LAB-LIVELOCK"
    /// A run that goes on beyond every bound.
    public static let runaway = "LAB-RUNAWAY"
    /// The process that ran the seed died.
    public static let trap = "LAB-TRAP"
    /// The memory of the process grew beyond its bound in one seed.
    public static let memory = "LAB-MEMORY"
    /// An expectation of a stored scenario did not hold.
    public static let expectation = "EXPECT"
  }

  /// What the way a run stopped says (LAB-03).
  static func of(_ result: RunResult) -> [Finding] {
    let last = result.lastEntries.last
    let instant = last?.instant ?? .start
    switch result.stop {
    case .idle, .reachedLimit, .stopped:
      return []
    case .eventBound:
      return [
        runaway("the run goes on after \(result.events) events", cause: "event bound", at: instant)
      ]
    case .pendingBound:
      return [
        runaway("more events wait than in any healthy run", cause: "pending bound", at: instant)
      ]
    case .livelock(let actor):
      return [
        Finding(
          invariant: Name.livelock, requirements: ["LAB-03"], instant: instant, process: -1,
          message: "time stands still at \(Figures.seconds(instant - .start)) s while events of "
            + "\(TraceWords.actor(actor)) go on",
          signature: "\(Name.livelock): \(TraceWords.actorClass(actor))")
      ]
    }
  }

  private static func runaway(_ message: String, cause: String, at instant: Instant) -> Finding {
    Finding(
      invariant: Name.runaway, requirements: ["LAB-03"], instant: instant, process: -1,
      message: message, signature: "\(Name.runaway): \(cause)")
  }
}
