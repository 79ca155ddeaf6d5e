import FuzzHistory
import SimKernel

/// The queue is bounded, and the oldest message that is not in flight goes first (S-17).
public final class INV10: Invariant {
  static let info = InvariantInfo(
    id: "INV-10",
    statement: "The queue never exceeds maxQueueSize and evicts oldest first.",
    kind: .safety,
    requirements: ["OPT-10", "TRN-25"],
    antecedent: "A message came when the queue was full.")

  public init() { super.init(INV10.info, on: [.requestStarted, .calmEnded]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    if case .calmEnded = record.fact {
      for message in context.model.messages where message.loss == .queueBound { antecedent() }
      return
    }
    for sighting in context.model.sightings where sighting.contradictedLoss == .queueBound {
      antecedent()
      let id = context.text(context.ledger.messages[sighting.wire].fields.messageId)
      report(
        "a message beyond the bound was sent", at: record, context,
        "The message \(id) was sent although the queue of"
          + " \(context.model.options(record.process).maxQueueSize) had no room for it any more.")
    }
  }
}
