import FuzzHistory
import SimKernel

/// The start flag: once a session, on its first message.
public final class INV36: Invariant {
  static let info = InvariantInfo(
    id: "INV-36",
    statement: "Each session has at most one start flag, on its first queued message.",
    kind: .safety,
    requirements: ["SES-06", "SES-07"],
    antecedent:
      "A message is sent of a session that an earlier process began, or a session's first message"
      + " that is not the first of its process.")

  /// The sessions whose start flag was seen, with the id of the message that carried it.
  private var seen = HashIndex()
  private var flags: [(session: ByteSlice, message: ByteSlice)] = []

  public init() { super.init(INV36.info, on: [.requestStarted]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    for sighting in context.model.sightings where sighting.isNewContent {
      let isFlagged = context.ledger.messages[sighting.wire].context.startsSession
      if isFlagged, !sighting.isRenamed { count(sighting, record, context) }
      guard sighting.isFirst, sighting.expected >= 0 else { continue }
      let message = context.model.messages[Int(sighting.expected)]
      if message.startsSession ? message.sessionOrigin != .launch : message.sessionOrigin == .stored
      {
        antecedent()
      }
      // In a session that it must not be in, nothing is due (INV-35).
      guard sighting.deviation.intersection([.session, .sessionStart]) == .sessionStart else {
        continue
      }
      report(
        isFlagged ? "a later message has the start flag" : "the first message has no start flag",
        at: record, context,
        "The \(context.model.nameText(Int(sighting.expected))) was sent"
          + " \(isFlagged ? "with" : "without") the start flag of its session.")
    }
  }

  /// Two messages of one session must not both have its flag, unless the second was made by a
  /// process that failed to read the file with the first: unreadable is not absent, and holds up
  /// nothing (B06, B07).
  private func count(_ sighting: Sighting, _ record: Record, _ context: JudgeContext) {
    let fields = context.ledger.messages[sighting.wire].fields
    let session = context.ledger.messages[sighting.wire].context.session
    let hash = hashIdentifier(context.bytes(session))
    let place = Int(seen[hash])
    guard place >= 0 else {
      seen[hash] = Int32(flags.count)
      flags.append((session, fields.messageId))
      return
    }
    let first = flags[place]
    if bytesEqual(context.bytes(first.message), context.bytes(fields.messageId)) { return }
    if context.model.mayMissFlag(sighting.expected) { return }
    report(
      "a session has two start flags", at: record, context,
      "\(context.text(fields.messageId)) and \(context.text(first.message)) both carry the start flag"
        + " of session \(context.text(session)).")
  }
}
