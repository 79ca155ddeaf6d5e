import FuzzHistory
import SimKernel

/// A withdrawal empties the disk in time, and only after the decision is written.
public final class INV22: Invariant {
  static let info = InvariantInfo(
    id: "INV-22",
    statement:
      "After a revoke all SDK files but the decision vanish, the spool included; the decision is"
      + " written first.",
    kind: .liveness,
    requirements: ["CON-16"],
    antecedent: "Analytics is withdrawn while files lie on disk that consent governs.")

  /// The revoke that was counted and judged, by its process.
  private var judged: (process: Int32, revoked: Int64)?

  public init() {
    super.init(INV22.info, on: [.callReturned, .disk, .phase, .ended, .calmEnded])
  }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    switch record.fact {
    case .callReturned(let call, _, _):
      if case .consent(false?, _) = context.history.calls[Int(call)],
        context.model.isStarted(record.process), !context.disk.governedFiles.isEmpty
      {
        antecedent()
      }
      judgeWipe(record, context)
    case .disk(let operation, let outcome, _, _, let path, _, _, _):
      if operation == .remove, outcome == .done || outcome == .diedAfter {
        judgeOrder(path, record, context)
      }
      judgeWipe(record, context)
    case .calmEnded: judgeEnd(record, context)
    case .ended(.calmKill):
      judgeOwed(record, context)
      judgeWipe(record, context)
    default: judgeWipe(record, context)
    }
  }

  /// What only a wipe removes, before the decision is on disk (A-08).
  private func judgeOrder(_ path: ByteSlice, _ record: Record, _ context: JudgeContext) {
    guard context.disk.isInstall(path) || context.disk.isQueueFolder(path),
      context.disk.lastDecisionFailure?.process != record.process,
      context.model.decisionOf(record.process).analytics == false,
      context.model.revokedSince(record.process, at: record, context) != nil
    else { return }
    let stored = context.disk.decisionContent.flatMap { ConsentDecision.parse($0) }
    if stored?.analytics == false { return }
    report(
      "wiped before the decision was written", at: record, context,
      "\(context.text(path)) was removed while the stored decision was"
        + " \(stored?.words ?? "none").")
  }

  /// What was withdrawn while another process had the storage is written once that has it no more
  /// (A-25, as A-07 has it for files that cannot be read yet).
  private func judgeOwed(_ record: Record, _ context: JudgeContext) {
    guard context.model.owesWithdrawal(record.process) else { return }
    antecedent()
    let stored = context.disk.decisionContent.flatMap { ConsentDecision.parse($0) }
    let wanted = context.model.decisionOf(record.process).analytics
    if stored?.analytics != wanted {
      report(
        "a decision made without the storage is never written", at: record, context,
        "consent.json says \(stored?.words ?? "nothing").")
    } else if wanted == false, let file = context.disk.governedFiles.first {
      report(
        "a wipe is never finished", at: record, context,
        "Analytics was withdrawn without the storage, and \(context.text(file.path)) is there.")
    }
  }

  private func judgeWipe(_ record: Record, _ context: JudgeContext) {
    guard let since = context.model.revokedSince(record.process, at: record, context),
      judged?.process != record.process || judged?.revoked != since.revoked,
      since.elapsed > ReferenceModel.wipeBound + context.model.slack
    else { return }
    judged = (record.process, since.revoked)
    if context.disk.lastWipeFailure?.process == record.process { return }
    if context.disk.lastWriteFailure?.process == record.process { return }
    guard let file = context.disk.governedFiles.first else { return }
    report(
      "a wipe is late", at: record, context,
      "\(since.elapsed / 1_000_000) ms of running time after analytics was withdrawn,"
        + " \(context.text(file.path)) is still there.")
  }

  private func judgeEnd(_ record: Record, _ context: JudgeContext) {
    guard context.model.isWithdrawnAtEnd, let file = context.disk.governedFiles.first else {
      return
    }
    report(
      "a wipe is never finished", at: record, context,
      "Analytics is withdrawn, nothing hinders, and \(context.text(file.path)) is still there.")
  }
}
