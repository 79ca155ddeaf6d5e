import FuzzHistory
import SimKernel

/// Retries keep the backoff: not too early, and not too late while the process ran undisturbed.
public final class INV09: Invariant {
  static let info = InvariantInfo(
    id: "INV-09",
    statement:
      "In the Postlip lane each other retry gap lies within ±20 % of min(24 h, 10 s × 4^attempt),"
      + " counted anew after a success or foreground return; flush() and a longer Retry-After aside.",
    kind: .safety,
    requirements: ["TRN-17", "TRN-22", "TRN-26", "TRN-27", "CMP-13"],
    antecedent: "After a kept batch, 429 aside, the same process starts its next batch request.")

  public init() {
    super.init(INV09.info, on: [.requestStarted, .phase, .ended, .calmEnded])
  }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    if let wait = context.lane.overdue {
      late(wait, "has not begun", at: wait.deadline, record.process, context)
    }
    guard case .requestStarted(let number, _, _, _, _, _, _, _, _, _, _) = record.fact,
      let wait = context.lane.started?.wait, !wait.isRateLimit
    else { return }
    antecedent()
    let gap = (record.instant - wait.began).milliseconds
    if record.instant + .milliseconds(1) < wait.due {
      let cause =
        record.instant < wait.floor
        ? "a retry comes before Retry-After" : "a retry comes too early"
      report(
        cause, at: record, context,
        "Batch request \(number) starts \(gap) ms after request \(wait.exchange) \(end(wait)); at"
          + " least \((wait.due - wait.began).milliseconds) ms are owed.")
    }
    guard !wait.isDisturbed, !wait.mayBeVoid else { return }
    let slack = context.lane.slack(context, sinceDiskSteps: wait.diskSteps)
    if record.instant > wait.deadline + slack {
      late(wait, "starts only after \(gap) ms", at: record.instant, record.process, context)
    }
  }

  private func late(
    _ wait: LaneWait, _ what: String, at instant: Instant, _ process: Int32,
    _ context: JudgeContext
  ) {
    let owner = context.ledger[wait.exchange].process
    let allowed = (wait.deadline - wait.began).milliseconds
    report(
      wait.skipped == nil
        ? "a retry comes too late" : "a flush or return does not skip the backoff",
      at: instant, process: process < 0 ? owner : process, context,
      "Request \(wait.exchange) \(end(wait)) and the next batch request \(what); it was due \(allowed)"
        + " ms after, and the process ran undisturbed.")
  }

  private func end(_ wait: LaneWait) -> String {
    wait.status == 0 ? "failed without an answer" : "was answered \(wait.status)"
  }
}
