import FuzzHistory
import SimKernel

/// Every stored event matches one accepted call, unaltered. What has an invariant of its own
/// (time, id, user, attempts) is judged there.
public final class INV01: Invariant {
  static let info = InvariantInfo(
    id: "INV-01",
    statement:
      "Every stored event matches one accepted call or SDK cause, with id, type, name and properties"
      + " unaltered.",
    kind: .safety,
    requirements: [
      "API-15", "API-17", "API-18", "API-19", "API-28", "API-31", "ID-05", "ID-11", "ID-12",
      "LIF-13", "OPT-25", "PRV-04", "PRV-05", "PRV-06",
      "CMP-06",
    ],
    antecedent: "A batch request carries a message that was in no request before.")

  /// The parts that no other invariant judges.
  static let parts: Deviation = [
    .type, .name, .properties, .traits, .anonymousId, .context, .shape,
  ]

  public init() { super.init(INV01.info, on: [.requestStarted]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    guard case .requestStarted(let exchange, _, _, _, _, _, _, _, _, _, _) = record.fact else {
      return
    }
    let request = context.ledger[exchange]
    guard request.isBatch else { return }
    if !request.isWellFormed {
      report(
        "the body is no batch", at: record, context,
        "The body of request \(exchange) is not an object with batch and sentAt.")
    }
    for sighting in context.model.sightings where sighting.isNewContent {
      judge(sighting, record, context)
    }
  }

  private func judge(_ sighting: Sighting, _ record: Record, _ context: JudgeContext) {
    let fields = context.ledger.messages[sighting.wire].fields
    guard sighting.expected >= 0 else {
      let isReserved = context.bytes(fields.event).first == 0x24
      // Screens of controllers have a rule of their own (INV-46).
      if sighting.isRenamed || isReserved || context.model.isOfController(fields) { return }
      report(
        "no accepted call", at: record, context,
        "The \(context.text(fields.type)) \(context.text(fields.messageId)) matches no accepted call."
      )
      return
    }
    antecedent()
    if sighting.contradictedLoss == .refused {
      report(
        "a refused call was sent", at: record, context,
        "The \(context.text(fields.type)) \(context.text(fields.messageId)) comes from a refused call."
      )
    }
    var deviation = sighting.deviation.intersection(INV01.parts)
    // Under consent the visitor is that of the install, which has a rule of its own (INV-34).
    if context.model.messages[Int(sighting.expected)].analytics { deviation.remove(.anonymousId) }
    if !sighting.isFirst || deviation.isEmpty { return }
    let words = deviation.words.joined(separator: ", ")
    report(
      words + " altered", at: record, context,
      "The \(context.text(fields.type)) \(context.text(fields.messageId)) differs from its call in"
        + " \(words): "
        + context.model.differenceText(
          Int(sighting.expected), deviation,
          sent: context.ledger.messages[sighting.wire].bytes) + ".")
  }
}
