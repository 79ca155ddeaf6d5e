import FuzzHistory
import SimKernel

/// Where one session ends and the next begins.
public final class INV35: Invariant {
  static let info = InvariantInfo(
    id: "INV-35",
    statement:
      "The session id changes exactly at first launch, reset, and the first foreground or message"
      + " after a background stay over the timeout, and at a process start without consent or by the"
      + " age of the stored session.",
    kind: .safety,
    requirements: [
      "SES-01", "SES-02", "SES-03", "SES-04", "SES-05", "SES-08", "SES-09", "SES-11", "OPT-11",
      "OPT-24",
    ],
    antecedent:
      "A message is sent of a session that began, or went on from an earlier process, by the time"
      + " between two uses of the app.")

  public init() { super.init(INV35.info, on: [.requestStarted]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    for sighting in context.model.sightings where sighting.isFirst && sighting.expected >= 0 {
      let message = context.model.messages[Int(sighting.expected)]
      if message.sessionOrigin.isDecidedByTime { antecedent() }
      guard sighting.deviation.contains(.session) else { continue }
      let session = context.ledger.messages[sighting.wire].context.session
      let goesOn = context.model.isKnownSession(
        context.bytes(session), besides: context.model.session(of: Int(sighting.expected)))
      report(
        goesOn ? "an earlier session goes on" : "a session that nothing begins", at: record,
        context,
        "The \(context.model.nameText(Int(sighting.expected))) was sent with the session"
          + " \(context.text(session)), \(goesOn ? "an earlier one" : "one never seen before"); due is"
          + " \(message.sessionOrigin.words).")
    }
  }
}
