import FuzzHistory
import SimKernel

/// A process whose storage another one has (A-25, S-39).
extension ReferenceModel {
  func takeLock(_ record: Record, _ context: JudgeContext) {
    let index = Int(record.process)
    guard index >= 0, index < processes.count else { return }
    switch processes[index].stage {
    case .fresh, .refused: return
    case .loading:
      if context.storageLock.tookKnowledge || context.storageLock.isNewGrant {
        forgetFound(index, isRefused: context.storageLock.holder != record.process)
      }
    case .started:
      if context.storageLock.tookKnowledge { leaveStorage(index, record, context) }
    }
  }

  /// What a process has read before its start is read again, or not at all.
  private func forgetFound(_ index: Int, isRefused: Bool) {
    for item in dormant { messages[Int(item)].place = .stored }
    dormant.removeAll(keepingCapacity: true)
    processes[index].hasToLoadQueue = true
    if isRefused, processes[index].decisionRead != .locked {
      processes[index].decisionRead = .uncertain
      processes[index].isRefusedStorage = true
    }
  }

  /// From now on a process runs from memory: what it has stored by now is what the next one finds,
  /// and what it had not is its own to send.
  private func leaveStorage(_ index: Int, _ record: Record, _ context: JudgeContext) {
    guard !processes[index].isMemoryOnly else { return }
    let now = running(record, context)
    if queueProcess == record.process {
      noteIdentity(index, now, record, context)
      noteDecision(index, now, record, context)
      noteDue(index, now, record, context)
      noteSession(index, now, record, context)
      leaveQueue(now, record, context)
    }
    processes[index].isMemoryOnly = true
    processes[index].isRefusedStorage = true
    processes[index].storingSince = nil
    processes[index].decisionChanged = nil
    processes[index].revoked = nil
    processes[index].lifecycle.due = nil
    processes[index].lifecycle.isOpeningOpen = true
  }

  private func leaveQueue(_ now: Int64, _ record: Record, _ context: JudgeContext) {
    var kept: [Int32] = []
    for item in queue {
      let index = Int(item)
      let journal = messages[index].journalRecord
      guard journal >= 0, context.disk.isLive(journal) else {
        kept.append(item)
        continue
      }
      messages[index].isInFlight = false
      messages[index].place = .stored
      noteUnsynced(index, now, record, context)
    }
    queue = kept
    // Whether a full queue was emptied before they came is open.
    for loss in recentLosses where now - loss.running <= slack {
      messages[Int(loss.message)].isDoubtful = true
    }
  }

  /// Whether a process has given up its storage, or never had it.
  func runsFromMemory(_ process: Int32) -> Bool {
    let index = Int(process)
    return index >= 0 && index < processes.count && processes[index].isMemoryOnly
  }

  /// Whether analytics was withdrawn in a process that had no storage then: to be written once it
  /// has.
  func owesWithdrawal(_ process: Int32) -> Bool {
    let index = Int(process)
    guard index >= 0, index < processes.count else { return false }
    let state = processes[index]
    return state.stage == .started && state.isRefusedStorage && state.isMemoryOnly
      && state.hasWithdrawnInMemory
  }
}
