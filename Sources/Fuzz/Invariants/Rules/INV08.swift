import FuzzHistory
import SimKernel

/// After a 429 the same batch comes again, and not before it may.
public final class INV08: Invariant {
  static let info = InvariantInfo(
    id: "INV-08",
    statement:
      "After a 429 the next request comes no earlier than Retry-After, at least a second, from the"
      + " third in a row at least the backoff, and has the same id list.",
    kind: .safety,
    requirements: ["TRN-20", "CMP-12"],
    antecedent: "A process that received a 429 starts its next batch request.")

  public init() { super.init(INV08.info, on: [.requestStarted]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    guard case .requestStarted(let number, _, _, _, _, _, _, _, _, _, _) = record.fact,
      let start = context.lane.started
    else { return }
    checkList(start, number, record, context)
    guard let wait = start.wait, wait.isRateLimit else { return }
    antecedent()
    // A millisecond of rounding is nobody's loss.
    guard record.instant + .milliseconds(1) < wait.due else { return }
    let gap = (record.instant - wait.began).milliseconds
    let owed = (wait.due - wait.began).milliseconds
    let cause =
      record.instant < wait.floor
      ? "a request comes too early after a 429" : "a request after 429 ignores the backoff"
    report(
      cause, at: record, context,
      "Batch request \(number) starts \(gap) ms after request \(wait.exchange) was answered 429,"
        + " number \(wait.rateLimitsInRow) in a row; at least \(owed) ms are owed.")
  }

  /// A batch that waits for its retry counts as in flight: its list stays.
  private func checkList(
    _ start: BatchLane.Start, _ number: UInt32, _ record: Record, _ context: JudgeContext
  ) {
    guard case .changed(let other) = start.list else { return }
    let what = context.ledger[other].received?.status == 429 ? "a 429" : "a kept batch"
    report(
      "after \(what) another list of messages is sent", at: record, context,
      "Batch request \(number) does not carry the messages of request \(other), which were kept for"
        + " a retry; no revoke, age or damage explains it.")
  }
}
