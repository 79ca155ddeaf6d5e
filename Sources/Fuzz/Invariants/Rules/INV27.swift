import FuzzHistory
import SimKernel

/// Where files could not be read at first, nothing is written, not even once they can be; only a
/// withdrawal is. A container that the app shares is written to under its lock alone, and
/// the lock is given back before a suspension.
public final class INV27: Invariant {
  static let info = InvariantInfo(
    id: "INV-27",
    statement:
      "A process launched before first unlock performs no write, and none writes to a shared"
      + " container without its lock, or keeps that into suspension.",
    kind: .safety,
    requirements: ["CON-30"],
    antecedent:
      "A process that was launched before the first unlock after a boot looked for its files, or one"
      + " asked for the lock of a shared container while or after an extension had it.")

  /// The newest process that was counted.
  private var counted: Int32 = -1
  /// What the app withdrew in the running process.
  private var withdrawn: (process: Int32, analytics: Bool)?

  public init() {
    super.init(INV27.info, on: [.disk, .callBegan, .storageLock, .ended])
  }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    if context.header.hasSharedGroup { judgeLock(record, context) }
    guard context.processes[record.process].isLockedLaunch else { return }
    switch record.fact {
    case .callBegan(let call, _, _, _, _): noteCall(context.history.calls[Int(call)], record)
    case .disk(let operation, _, _, _, let path, let target, _, _):
      if counted < record.process { antecedent() }
      counted = max(counted, record.process)
      judge(operation, path, target, record, context)
    default: break
    }
  }

  private func judgeLock(_ record: Record, _ context: JudgeContext) {
    switch record.fact {
    case .storageLock: if context.storageLock.tookKnowledge { antecedent() }
    case .ended(.lockHeld):
      report(
        "a process is suspended with the lock", at: record, context,
        "Process \(record.process) held the lock of the shared container when it was suspended.")
    case .disk(let operation, _, _, _, let path, _, _, _):
      switch operation {
      case .list, .size, .read: return
      default: break
      }
      if context.storageLock.holder == record.process { return }
      report(
        "a process writes without the lock", at: record, context,
        "The step `\(operation)` on \(context.text(path)) is made by a process that does not hold"
          + " the lock of the shared container.")
    default: break
    }
  }

  private func noteCall(_ call: HostCall, _ record: Record) {
    guard case .consent(let analytics, let marketing) = call,
      analytics == false || marketing == false
    else { return }
    let wasAnalytics = withdrawn?.process == record.process && withdrawn?.analytics == true
    withdrawn = (record.process, wasAnalytics || analytics == false)
  }

  private func judge(
    _ operation: DiskOperation, _ path: ByteSlice, _ target: ByteSlice, _ record: Record,
    _ context: JudgeContext
  ) {
    if !operation.isChange { return }
    if context.processes.isUnlockedSinceBoot, let withdrawn, withdrawn.process == record.process {
      if isPartOfDecision(path, context), target.count == 0 || isPartOfDecision(target, context) {
        return
      }
      if operation == .remove || operation == .barrier, withdrawn.analytics { return }
    }
    report(
      context.processes.isUnlockedSinceBoot
        ? "a process that was launched locked writes once it can"
        : "a process tries to write before the first unlock", at: record, context,
      "The step `\(operation)` on \(context.text(path)) is made by a process that was launched"
        + " before the device was unlocked after its boot.")
  }

  /// The decision, its spare, or the folder that they need.
  private func isPartOfDecision(_ path: ByteSlice, _ context: JudgeContext) -> Bool {
    context.disk.isDecisionOrSpare(path)
      || Int(path.count) == context.header.storageDirectory.utf8.count
  }
}
