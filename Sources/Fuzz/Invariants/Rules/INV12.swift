import FuzzHistory
import SimKernel

/// Once everything is well and the app is in front, the queue empties.
public final class INV12: Invariant {
  static let info = InvariantInfo(
    id: "INV-12",
    statement: "Once faults stop and the app is in the foreground, the queue empties.",
    kind: .liveness,
    requirements: ["TRN-02", "TRN-04", "TRN-27"],
    antecedent:
      "When the calm begins, a batch waits for its retry or the journal holds messages unsent.")

  public init() { super.init(INV12.info, on: [.calmBegan, .calmEnded]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    switch record.fact {
    case .calmBegan:
      if context.lane.wait != nil || !context.lane.expected.isEmpty || stored(context) > 0 {
        antecedent()
      }
    case .calmEnded(let pending): end(pending, record, context)
    default: break
    }
  }

  private func end(_ pending: ByteSlice, _ record: Record, _ context: JudgeContext) {
    if pending.count > 0 {
      report(
        "work is pending at the end of the calm", at: record, context,
        "The calm ends after \(length(record, context)) with work pending: \(context.text(pending))."
      )
    }
    let stored = stored(context)
    if stored > 0 {
      report(
        "messages lie in the journal at the end of the calm", at: record, context,
        "The calm ends after \(length(record, context)) with \(stored) messages in the journal that"
          + " were neither delivered nor removed.")
    }
    if let list = context.lane.expected.first {
      report(
        "a kept batch is never sent again", at: record, context,
        "The calm ends after \(length(record, context)) and the batch of request \(list.exchange) still"
          + " waits to be sent again.")
    }
  }

  private func length(_ record: Record, _ context: JudgeContext) -> String {
    guard let began = context.calmBeganInstant else { return "no time" }
    return "\((record.instant - began).milliseconds / 1_000) s"
  }

  private func stored(_ context: JudgeContext) -> Int {
    var count = 0
    for record in context.disk.records.indices where context.disk.isLive(record) { count += 1 }
    return count
  }
}
