import FuzzHistory
import SimKernel

/// `$app_open` tells the true entries of the foreground.
public final class INV41: Invariant {
  static let info = InvariantInfo(
    id: "INV-41",
    statement: "$app_open events equal true foreground entries of loaded processes, flag included.",
    kind: .safety,
    requirements: ["LIF-01", "LIF-02", "LIF-03", "LIF-04", "LIF-05", "OPT-12", "API-30"],
    antecedent: "A loaded process enters the foreground, or load meets it there.")

  public init() { super.init(INV41.info, on: [.requestStarted, .calmEnded]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    if case .calmEnded(let pending) = record.fact {
      return judgeEnd(record, context, isQuiet: pending.count == 0)
    }
    for sighting in context.model.sightings where sighting.isNewContent {
      let fields = context.ledger.messages[sighting.wire].fields
      guard fields.isEvent("$app_open", in: context.arena) else { continue }
      antecedent()
      if sighting.expected < 0 {
        if sighting.isRenamed { continue }
        report(
          "an $app_open without an entry of the foreground", at: record, context,
          "The $app_open \(context.text(fields.messageId)) at \(context.text(fields.timestamp)) matches"
            + " no entry of the foreground.")
      } else if sighting.isFirst, sighting.deviation.contains(.properties) {
        report(
          "from_background is wrong", at: record, context,
          "The $app_open \(context.text(fields.messageId)) was sent with"
            + " \(context.text(fields.properties)).")
      }
    }
  }

  private func judgeEnd(_ record: Record, _ context: JudgeContext, isQuiet: Bool) {
    context.model.forEachUnmade(context, isQuiet: isQuiet) { message in
      guard case .appOpen = message.cause else { return }
      report(
        "an entry of the foreground without $app_open", at: record.instant,
        process: message.process, context,
        "Process \(message.process) entered the foreground at \(message.callInstant.seconds) s and made"
          + " no $app_open of it.")
    }
  }
}
