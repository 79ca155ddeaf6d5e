import FuzzHistory
import SimKernel

/// Messages leave the queue after 30 days, by the clock of A-03.
public final class INV11: Invariant {
  static let info = InvariantInfo(
    id: "INV-11",
    statement: "No request holds a message older than 30 days.",
    kind: .safety,
    requirements: ["TRN-24"],
    antecedent: "A message in the queue is older than 30 days.")

  public init() { super.init(INV11.info, on: [.requestStarted, .calmEnded]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    if case .calmEnded = record.fact {
      for message in context.model.messages where message.loss == .expired { antecedent() }
      return
    }
    for sighting in context.model.sightings
    where sighting.age > ReferenceModel.largestAge + context.model.slack {
      antecedent()
      let id = context.text(context.ledger.messages[sighting.wire].fields.messageId)
      report(
        "a message older than 30 days was sent", at: record, context,
        "The message \(id) was sent at an age of \(sighting.age / 86_400_000_000_000) days.")
    }
  }
}
