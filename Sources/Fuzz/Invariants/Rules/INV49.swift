import FuzzHistory
import SimKernel

/// No crash goes unreported that could be recorded.
public final class INV49: Invariant {
  static let info = InvariantInfo(
    id: "INV-49",
    statement: "Each eligible crash with a written record gets its $crash after a relaunch.",
    kind: .liveness,
    requirements: ["CRA-01", "CRA-02", "CRA-03"],
    antecedent: "A process crashes that captures crashes.")

  public init() { super.init(INV49.info, on: [.ended, .calmEnded]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    switch record.fact {
    case .ended(.crash): judgeRecord(record, context)
    case .calmEnded(let pending):
      for truth in context.model.crashes where pending.count == 0 {
        judgeEnd(truth, record, context)
      }
    default: break
    }
  }

  private func judgeRecord(_ record: Record, _ context: JudgeContext) {
    guard let truth = context.model.crashes.last, truth.process == record.process,
      truth.duty == .must
    else { return }
    // A stack that is full leaves no room for a handler, and only the main thread has another.
    if truth.isStackOverflow, truth.thread != 0 { return }
    antecedent()
    if !truth.hasHandler {
      report(
        "no handler is in place", at: record, context,
        "Process \(truth.process) crashed under consent, and the SDK did not hear of it.")
    } else if truth.identifierHash == nil, truth.failure == nil {
      report(
        truth.hasWritten ? "a crash leaves no whole record" : "a crash leaves no record",
        at: record, context,
        "Process \(truth.process) crashed under consent on a disk that works, and no record of it"
          + " can be read.")
    }
  }

  private func judgeEnd(_ truth: CrashTruth, _ record: Record, _ context: JudgeContext) {
    guard truth.identifierHash != nil, truth.message < 0, !truth.isDropped, !truth.isExcused else {
      return
    }
    report(
      "a record never becomes an event", at: record.instant, process: truth.process, context,
      "Process \(truth.process) left a whole record of its crash at \(truth.instant.seconds) s, and"
        + " no $crash of it was ever queued.")
  }
}
