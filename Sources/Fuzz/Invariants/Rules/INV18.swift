import FuzzHistory
import SimKernel

/// What `track` returns, and that reserved names stay with the SDK.
public final class INV18: Invariant {
  static let info = InvariantInfo(
    id: "INV-18",
    statement:
      "track() returns a non-empty id, the caller's iff valid, equal to the wire id; no app call yields a"
      + " `$` event.",
    kind: .safety,
    requirements: ["API-11", "API-12", "API-13", "API-14", "API-15", "API-26"],
    antecedent: "track() is called with an id of the caller or with a reserved or empty name.")

  public init() { super.init(INV18.info, on: [.callReturned, .requestStarted]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    if case .callReturned(let call, let hasValue, let value) = record.fact {
      guard Int(call) < context.history.calls.count,
        case .track(let event, _, let messageId) = context.history.calls[Int(call)]
      else { return }
      if messageId != nil || ReferenceModel.isRefusedByArguments(context.history.calls[Int(call)]) {
        antecedent()
      }
      judgeReturn(event, messageId, hasValue ? value : .empty, record, context)
      return
    }
    for sighting in context.model.sightings where sighting.isNewContent {
      judgeSent(sighting, record, context)
    }
  }

  private func judgeReturn(
    _ event: String, _ messageId: String?, _ value: ByteSlice, _ record: Record,
    _ context: JudgeContext
  ) {
    if value.count == 0 {
      report(
        "track returned no id", at: record, context, "track(\"\(event)\") returned no id.")
      return
    }
    if let messageId, ReferenceModel.isValidIdentifier(messageId) {
      if !sameBytes(context.text(value), messageId) {
        report(
          "a valid id of the caller was not used", at: record, context,
          "track(\"\(event)\") returned \(context.text(value)) for the valid id \(messageId).")
      }
    } else if !UUIDText.isRandom(context.bytes(value)) {
      report(
        messageId == nil ? "a made id is no random UUID" : "an invalid id of the caller was used",
        at: record, context,
        "track(\"\(event)\") returned \(context.text(value)), which is no random UUID.")
    }
  }

  private func judgeSent(_ sighting: Sighting, _ record: Record, _ context: JudgeContext) {
    let fields = context.ledger.messages[sighting.wire].fields
    if sighting.expected < 0 {
      if !sighting.isRenamed, isReserved(fields.event, context) {
        report(
          "a reserved name was sent", at: record, context,
          "The event \(context.text(fields.event)) was sent, but no part of the SDK makes it.")
      }
      return
    }
    if sighting.isFirst, sighting.deviation.contains(.identifier) {
      report(
        "the wire id is not the returned one", at: record, context,
        "The \(context.text(fields.type)) was sent under \(context.text(fields.messageId)), which is"
          + " not the id of its call.")
    }
  }

  /// Names that the SDK sends have a rule of their own.
  private func isReserved(_ event: ByteSlice, _ context: JudgeContext) -> Bool {
    guard context.bytes(event).first == 0x24 else { return false }
    let own = ["$app_open", "$app_updated", "$first_open", "$pageleave"]
    return !own.contains(context.text(event))
  }
}
