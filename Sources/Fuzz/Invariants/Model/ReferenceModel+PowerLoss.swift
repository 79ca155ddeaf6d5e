import FuzzHistory
import SimKernel

/// What a power loss may take, and what it may not: everything is durable soon after it was written
/// by a barrier at each entry of the background and at least every 5 s while there is
/// something to make durable.
extension ReferenceModel {
  /// Whether what was written at an instant of a process need not be durable yet.
  /// - Parameters:
  ///   - written: in running time of the process; what it found on disk counts from its start.
  ///   - now: when the process ended, in its running time.
  func mayBeUnsynced(_ process: Int, writtenAt written: Int64, now: Int64) -> Bool {
    let state = processes[process]
    guard let started = state.startedRunning else { return true }
    let since = max(written, started)
    var due = since + ReferenceModel.barrierBound
    if let background = state.backgroundRunning, background >= since { due = min(due, background) }
    return now <= due + slack
  }

  /// Whether what happened at an instant of a process is durable by its end.
  func mustBeDurable(_ process: Int32, writtenAt written: Int64, now: Int64) -> Bool {
    let index = Int(process)
    return index >= 0 && index < processes.count
      && !mayBeUnsynced(index, writtenAt: written, now: now)
  }

  /// Notes what a power loss could take of a message that lies on disk when its process ends.
  func noteUnsynced(_ index: Int, _ now: Int64, _ record: Record, _ context: JudgeContext) {
    let process = Int(record.process)
    // A process that never started has made nothing durable, and nothing less so.
    if processes[process].startedRunning == nil { return }
    let journal = messages[index].journalRecord
    let isOwn = journal >= 0 && context.disk.records[journal].process == record.process
    messages[index].mayBeUnsynced =
      hasFailedBarrier(record, context)
      || mayBeUnsynced(
        process, writtenAt: isOwn ? messages[index].appendedRunning : 0, now: now)
  }

  private func hasFailedBarrier(_ record: Record, _ context: JudgeContext) -> Bool {
    context.disk.lastWriteFailure?.process == record.process
  }

  /// The power went: ids that were written last may be the old ones again.
  func losePower() {
    hasLostPower = true
    if identityMayBeUnsynced { storedIdentity = .open }
    if sessionMayBeUnsynced { storedSession = .open }
    loseUnsyncedMarks()
  }

  /// Another copy of the app has come: what the one before has stored went with it.
  func takeInstall(_ kind: InstallKind, _ record: Record) {
    guard kind == .reinstall || kind == .restore else { return }
    storedIdentity = .open
    storedDecision = .open
    storedSession = .open
    for index in messages.indices where messages[index].place == .stored {
      lose(index, .fileFault, record.instant)
    }
  }
}
