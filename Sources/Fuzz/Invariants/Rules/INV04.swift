import FuzzHistory
import SimKernel

/// Two batch requests never overlap in time, as the app sees them.
public final class INV04: Invariant {
  static let info = InvariantInfo(
    id: "INV-04",
    statement: "Two batch requests never overlap in time.",
    kind: .safety,
    requirements: ["TRN-07"],
    antecedent:
      "While a batch request is in flight, the app calls flush, leaves or comes back: something that"
      + " would start another.")

  public init() { super.init(INV04.info, on: [.requestStarted, .callBegan, .phase]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    switch record.fact {
    case .callBegan(let call, _, _, _, _):
      if context.lane.inFlight != nil, case .flush = context.history.calls[Int(call)] {
        antecedent()
      }
    case .phase(let phase):
      if context.lane.inFlight != nil, phase == .background || phase == .active { antecedent() }
    case .requestStarted(let number, _, _, _, _, _, _, _, _, _, _):
      guard let other = context.lane.started?.overlapped else { return }
      let age = (record.instant - context.ledger[other].start).milliseconds
      report(
        "a batch request starts while another is in flight", at: record, context,
        "Batch request \(number) starts while request \(other), begun \(age) ms before by the same"
          + " process, has not ended.")
    default: break
    }
  }
}
