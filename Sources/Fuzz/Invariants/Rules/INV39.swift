import FuzzHistory
import SimKernel

/// No install goes without its `$first_open`: also not where a withdrawal took it away untried.
///
/// One thing is excused: a process that wrote down its attempt and died before the request. Which
/// comes first is a choice, and the other order lets two reach the collector (A-06, INV-38).
public final class INV39: Invariant {
  static let info = InvariantInfo(
    id: "INV-39",
    statement:
      "Every install that keeps analytics and lifecycle on gets its $first_open, by 20 s or at a later"
      + " launch.",
    kind: .liveness,
    requirements: ["LIF-06", "LIF-09", "LIF-10", "LIF-12"],
    antecedent: "A $first_open is due when its process ends, or goes without facts.")

  public init() {
    super.init(INV39.info, on: [.requestStarted, .phase, .ended, .calmEnded])
  }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    switch record.fact {
    case .requestStarted: judgeSent(record, context)
    case .phase(.suspended): judgeWait(record, context)
    case .ended:
      if context.model.owesFirstOpen(record.process) != nil { antecedent() }
      judgeWait(record, context)
    case .calmEnded: judgeEnd(record, context)
    default: return
    }
  }

  private func judgeSent(_ record: Record, _ context: JudgeContext) {
    for sighting in context.model.sightings where sighting.isFirst && sighting.expected >= 0 {
      let message = context.model.messages[Int(sighting.expected)]
      guard case .firstOpen(let installer) = message.cause else { continue }
      if installer == nil { antecedent() }
      let faults = context.model.faults(ofFirstOpen: sighting.expected)
      if faults.contains(.late) {
        report(
          "$first_open was queued late", at: record, context,
          "The $first_open of process \(message.process) was not in the queue when the facts of the"
            + " install had been told, or 20 s had passed.")
      }
      if faults.contains(.early) {
        report(
          "$first_open left without waiting for the facts", at: record, context,
          "The $first_open of process \(message.process) went before the facts of the install were told,"
            + " and before 20 s had passed.")
      }
    }
  }

  /// It must have been queued once the facts were told, or 20 s after it became due.
  private func judgeWait(_ record: Record, _ context: JudgeContext) {
    guard context.model.lacksFirstOpen(record.process, record, context),
      let since = context.model.owesFirstOpen(record.process)
    else { return }
    let waited = context.model.running(record.process, record, context) - since
    report(
      "$first_open is not queued in time", at: record, context,
      "Process \(record.process) has owed a $first_open for \(waited / 1_000_000) ms of running time."
    )
  }

  private func judgeEnd(_ record: Record, _ context: JudgeContext) {
    let process = context.model.queueProcess
    if context.model.owesFirstOpen(process) != nil {
      report(
        "$first_open is due at the end and was not queued", at: record.instant, process: process,
        context, "At the end of the calm process \(process) still owes a $first_open.")
      return
    }
    let openings = context.model.openings
    guard context.model.countsAsOpened(process), !openings.isMade, !openings.isWaived,
      !openings.isExcused, !openings.mayBeEvicted
    else { return }
    report(
      "an install counts as opened without a $first_open", at: record.instant, process: process,
      context, "What process \(process) has read says that a $first_open was queued; none ever was."
    )
  }
}
