import FuzzHistory
import SimKernel

/// Every message tells the consent that held at its call.
public final class INV23: Invariant {
  static let info = InvariantInfo(
    id: "INV-23",
    statement:
      "Each message's context.consent equals the consent model at its call (S-34 for locked"
      + " launches).",
    kind: .safety,
    requirements: [
      "CON-01", "CON-09", "CON-10", "CON-20", "CON-23", "CON-24", "OPT-01", "OPT-04", "OPT-05",
      "OPT-23", "ID-17",
    ],
    antecedent:
      "A message is sent of a process with a stored decision, a call of consent, or flags that are"
      + " off.")

  public init() { super.init(INV23.info, on: [.requestStarted]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    for sighting in context.model.sightings where sighting.isFirst && sighting.expected >= 0 {
      let message = context.model.messages[Int(sighting.expected)]
      if !message.analytics || !message.marketing
        || context.model.hasDecision(message.process)
      {
        antecedent()
      }
      guard sighting.isNewContent, sighting.deviation.contains(.consent) else { continue }
      let fields = context.ledger.messages[sighting.wire].fields
      report(
        "consent is not the model's", at: record, context,
        "The \(context.model.nameText(Int(sighting.expected))) of process \(message.process) was due"
          + " with analytics \(message.analytics) and marketing \(message.marketing), and was sent"
          + " with context \(context.text(fields.context)).")
    }
  }
}
