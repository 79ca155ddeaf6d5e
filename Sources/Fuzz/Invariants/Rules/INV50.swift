import FuzzHistory
import SimKernel

/// The event of a crash speaks of the process that died, not of the one that sends it.
public final class INV50: Invariant {
  static let info = InvariantInfo(
    id: "INV-50",
    statement: "$crash carries the dead process's time, ids, session, screen and version.",
    kind: .safety,
    requirements: ["CRA-04", "CRA-05", "CRA-06", "CRA-17", "CRA-21"],
    antecedent: "A $crash is sent for the first time.")

  public init() { super.init(INV50.info, on: [.requestStarted]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    for sighting in context.model.sightings
    where sighting.isNewContent && sighting.expected >= 0 {
      guard let place = context.model.messages[Int(sighting.expected)].crash else { continue }
      if sighting.isFirst { antecedent() }
      if sighting.crashDeviation.isEmpty { continue }
      let words = sighting.crashDeviation.words.joined(separator: ", ")
      report(
        "a $crash differs from its crash in \(words)", at: record, context,
        "The $crash of process \(context.model.crashes[place].process) differs in \(words): "
          + context.model.differenceText(
            Int(sighting.expected), sighting.crashDeviation,
            sent: context.ledger.messages[sighting.wire].bytes) + ".")
    }
  }
}
