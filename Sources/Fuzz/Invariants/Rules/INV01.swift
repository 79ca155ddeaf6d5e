import FuzzHistory
import SimKernel

/// Every stored event matches one accepted call or SDK cause, unaltered.
public final class INV01: Invariant {
  static let info = InvariantInfo(
    id: "INV-01",
    statement:
      "Every stored event matches one accepted call or SDK cause, with id, type, name and properties"
      + " unaltered.",
    kind: .safety,
    requirements: ["API-15", "API-28", "API-31", "ID-05", "CMP-06"],
    antecedent: "A batch request carries a message that was not seen before.")

  public init() { super.init(INV01.info, on: [.requestStarted]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {}
}
