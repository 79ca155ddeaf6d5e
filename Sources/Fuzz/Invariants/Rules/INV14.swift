import FuzzHistory
import SimKernel

/// A batch that was too large comes as two halves, first half first.
public final class INV14: Invariant {
  static let info = InvariantInfo(
    id: "INV-14",
    statement: "Halves of a 413 batch are disjoint, non-empty and together equal to it.",
    kind: .safety,
    requirements: ["TRN-18"],
    antecedent: "After a 413 for several messages the same process starts its next batch request.")

  public init() { super.init(INV14.info, on: [.requestStarted]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    guard case .requestStarted(let number, _, _, _, _, _, _, _, _, _, _) = record.fact,
      let start = context.lane.started
    else { return }
    switch start.list {
    case .half: antecedent()
    case .wrongHalf(let other): wrong(other, number, record, context)
    case .changed(let other):
      // The second half of a batch that was split is owed like a retry.
      if context.ledger[other].received?.status == 413 { wrong(other, number, record, context) }
    case .free, .same: break
    }
  }

  private func wrong(
    _ other: UInt32, _ number: UInt32, _ record: Record, _ context: JudgeContext
  ) {
    antecedent()
    let whole = context.ledger[other].slots.count
    let part = context.ledger[number].slots.count
    report(
      "what follows a 413 is not half of the batch", at: record, context,
      "Request \(other) with \(whole) messages was answered 413; batch request \(number) with \(part)"
        + " messages is neither its first half nor what was left of it.")
  }
}
