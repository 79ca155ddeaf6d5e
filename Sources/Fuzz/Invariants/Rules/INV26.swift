import FuzzHistory
import SimKernel

/// What the user decided is remembered, and governs the launches after it.
public final class INV26: Invariant {
  static let info = InvariantInfo(
    id: "INV-26",
    statement: "A durable decision governs every later launch over the mode's default.",
    kind: .safety,
    requirements: ["CON-11", "CON-21"],
    antecedent:
      "A process is launched after a decision was durable, or sends a message under a decision that"
      + " differs from the mode's default.")

  public init() { super.init(INV26.info, on: [.launched, .requestStarted]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    if case .launched = record.fact {
      judgeFile(record, context)
      return
    }
    for sighting in context.model.sightings where sighting.isFirst && sighting.expected >= 0 {
      judge(sighting, record, context)
    }
  }

  /// The file must say at the launch what was decided.
  private func judgeFile(_ record: Record, _ context: JudgeContext) {
    guard let due = context.model.durableDecision else { return }
    antecedent()
    let found = context.disk.decisionContent.flatMap { ConsentDecision.parse($0) }
    if found == due { return }
    report(
      "a decision is not on disk", at: record, context,
      "The decision was \(due.words), and consent.json says \(found?.words ?? "nothing").")
  }

  /// A message of a process in which nothing was decided yet carries what was decided before.
  private func judge(_ sighting: Sighting, _ record: Record, _ context: JudgeContext) {
    let message = context.model.messages[Int(sighting.expected)]
    guard message.isUnderStoredDecision else { return }
    antecedent()
    guard sighting.isNewContent, sighting.deviation.contains(.consent) else { return }
    report(
      "a stored decision does not govern", at: record, context,
      "Process \(message.process) began under a stored decision, analytics \(message.analytics) and"
        + " marketing \(message.marketing), and a message of it says otherwise.")
  }
}
