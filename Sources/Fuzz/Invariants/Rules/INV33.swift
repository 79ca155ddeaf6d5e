import FuzzHistory
import SimKernel

/// Who a message is of: `userId` and `previousId`, and what the getters say of it.
public final class INV33: Invariant {
  static let info = InvariantInfo(
    id: "INV-33",
    statement:
      "userId and previousId of each message equal the identity model's, and the getters agree with it.",
    kind: .safety,
    requirements: [
      "ID-02", "ID-09", "ID-13", "ID-14", "ID-15", "ID-16", "API-21", "API-22", "SES-10",
    ],
    antecedent: "A message of a known user or an alias is sent, or a getter is called.")

  public init() { super.init(INV33.info, on: [.requestStarted, .callReturned]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    if case .callReturned(let call, let hasValue, let value) = record.fact {
      judgeGetter(call, hasValue ? value : nil, record, context)
      return
    }
    for sighting in context.model.sightings where sighting.isFirst && sighting.expected >= 0 {
      let message = context.model.messages[Int(sighting.expected)]
      if message.isOfUser || message.type == .alias { antecedent() }
      let deviation = sighting.deviation.intersection([.userId, .previousId])
      if deviation.isEmpty { continue }
      let words = deviation.words.joined(separator: ", ")
      let fields = context.ledger.messages[sighting.wire].fields
      report(
        words + " is not the model's", at: record, context,
        "The \(context.model.nameText(Int(sighting.expected))) was sent with userId"
          + " \"\(context.text(fields.userId))\" and previousId \"\(context.text(fields.previousId))\"."
      )
    }
  }

  private func judgeGetter(
    _ call: UInt32, _ value: ByteSlice?, _ record: Record, _ context: JudgeContext
  ) {
    guard Int(call) < context.history.calls.count else { return }
    switch context.history.calls[Int(call)] {
    case .getAnonymousId, .getContext: antecedent()
    default: return
    }
    guard let verdict = context.model.getterVerdict else { return }
    switch verdict {
    case .right: return
    case .early:
      report(
        "a getter answered before the start", at: record, context,
        "A getter gave \(value.map { context.text($0) } ?? "nil") before the config was applied.")
    case .missing:
      report(
        "a getter gave nil after the start", at: record, context,
        "A getter gave nil although the SDK had started.")
    case .wrong(let part):
      report(
        "a getter gave a wrong \(part)", at: record, context,
        "A getter gave \(value.map { context.text($0) } ?? "nil"), in which \(part) is wrong.")
    }
  }
}
