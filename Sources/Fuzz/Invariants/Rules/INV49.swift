import FuzzHistory
import SimKernel

/// No crash goes unreported that could be recorded.
public final class INV49: Invariant {
  static let info = InvariantInfo(
    id: "INV-49",
    statement: "Each eligible crash with a written record gets its $crash after a relaunch.",
    kind: .liveness,
    requirements: ["CRA-01", "CRA-02", "CRA-03"],
    antecedent: "A process crashes that captures crashes.")

  /// The files of the queue, each with its newest barrier.
  private var barriers: [(path: UInt64, instant: Instant, process: Int32)] = []

  public init() { super.init(INV49.info, on: [.disk, .ended, .calmEnded]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    switch record.fact {
    case .disk(.barrier, let outcome, _, _, let path, _, _, _):
      if outcome == .done || outcome == .diedAfter { noteBarrier(path, record, context) }
    case .disk(.remove, let outcome, _, _, let path, _, _, _):
      if outcome == .done || outcome == .diedAfter { judgeRemoval(path, record, context) }
    case .ended(.crash): judgeRecord(record, context)
    case .calmEnded(let pending):
      for truth in context.model.crashes where pending.count == 0 {
        judgeEnd(truth, record, context)
      }
    default: break
    }
  }

  private func noteBarrier(_ path: ByteSlice, _ record: Record, _ context: JudgeContext) {
    guard context.disk.isQueue(path) else { return }
    let hash = hashIdentifier(Array(context.bytes(path)))
    barriers.removeAll { $0.path == hash }
    barriers.append((hash, record.instant, record.process))
  }

  /// The record goes once its event is durable, and no sooner: a power loss in between would leave
  /// neither (S-58).
  private func judgeRemoval(_ path: ByteSlice, _ record: Record, _ context: JudgeContext) {
    guard context.disk.isCrashFile(path) else { return }
    let hash = hashIdentifier(Array(context.bytes(path)))
    guard
      let truth = context.model.crashes.last(where: {
        $0.pathHash == hash && $0.identifierHash != nil
      }), truth.message >= 0, !truth.isDropped, !truth.isExcused
    else { return }
    let message = context.model.messages[Int(truth.message)]
    guard message.loss == nil, !message.isSettled, !message.isDelivered, !message.mayBeEvicted,
      !message.isDoubtful, !message.wasInDamagedFile, message.journalRecord >= 0
    else { return }
    let stored = context.disk.records[message.journalRecord]
    guard context.disk.isLive(message.journalRecord), !stored.wasDamaged,
      let file = context.disk.files.first(where: { $0.journal == stored.journal })
    else { return }
    let name = hashIdentifier(Array(context.bytes(file.path)))
    // The steps of a job on a slow disk may be noted ahead of the end of their process: a later one
    // comes after them.
    if let barrier = barriers.first(where: { $0.path == name }),
      barrier.instant >= stored.appended || barrier.process > stored.process
    {
      return
    }
    report(
      "a record goes before its event is durable", at: record, context,
      "The record of process \(truth.process)'s crash is removed while its event lies in a file of"
        + " the queue that had no barrier since: a power loss now would leave neither.")
  }

  private func judgeRecord(_ record: Record, _ context: JudgeContext) {
    guard let truth = context.model.crashes.last, truth.process == record.process,
      truth.duty == .must
    else { return }
    // A stack that is full leaves no room for a handler, and only the main thread has another.
    if truth.isStackOverflow, truth.thread != 0 { return }
    antecedent()
    if !truth.hasHandler {
      report(
        "no handler is in place", at: record, context,
        "Process \(truth.process) crashed under consent, and the SDK did not hear of it.")
    } else if truth.identifierHash == nil, truth.failure == nil {
      report(
        truth.hasWritten ? "a crash leaves no whole record" : "a crash leaves no record",
        at: record, context,
        "Process \(truth.process) crashed under consent on a disk that works, and no record of it"
          + " can be read.")
    }
  }

  private func judgeEnd(_ truth: CrashTruth, _ record: Record, _ context: JudgeContext) {
    guard truth.identifierHash != nil, truth.message < 0, !truth.isDropped, !truth.isExcused else {
      return
    }
    report(
      "a record never becomes an event", at: record.instant, process: truth.process, context,
      "Process \(truth.process) left a whole record of its crash at \(truth.instant.seconds) s, and"
        + " no $crash of it was ever queued.")
  }
}
