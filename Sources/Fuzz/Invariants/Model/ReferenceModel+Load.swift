import FuzzHistory
import SimKernel

/// What a process leaves in its queue at its end, and what the next one finds there.
extension ReferenceModel {
  /// In its first job a new process finds what lies on disk; it comes into its queue with the
  /// config.
  func loadQueue(_ record: Record, _ context: JudgeContext) {
    let process = Int(record.process)
    guard process >= 0, process < processes.count, processes[process].hasToLoadQueue else { return }
    queue.removeAll(keepingCapacity: true)
    dormant.removeAll(keepingCapacity: true)
    recentLosses.removeAll(keepingCapacity: true)
    doubtfulCount = 0
    queueProcess = record.process
    guard let decision = decisionAtLaunch(process) else { return }
    processes[process].hasToLoadQueue = false
    if decision.analytics == false {
      loseStored(process, record, context)
      return
    }
    var found: [Int] = []
    for index in context.disk.records.indices {
      let item = Int(context.disk.records[index].expected)
      guard item >= 0, context.disk.isLive(index) else { continue }
      let newest = messages[item].journalRecord
      if newest != index {
        // A later copy that was cut off leaves the one that an append has failed to write whole.
        if newest >= 0, context.disk.isLive(newest) { continue }
        messages[item].journalRecord = index
      }
      found.append(index)
    }
    found.sort { context.disk.records[$0].sequence < context.disk.records[$1].sequence }
    for index in found { reload(Int(context.disk.records[index].expected)) }
    loseMissing(record, context)
  }

  private func reload(_ index: Int) {
    if messages[index].loss != nil { messages[index].cameBack = true }
    switch messages[index].loss {
    case .queueBound, .serverFinal, .expired, .duplicateInQueue, .holdOverflow, .traitsLost,
      .fileFault:
      // Its removal was not durable: it is back (B29).
      takeBack(index)
    case .diskFullThenDeath, .diedBeforeAppend:
      // An append that failed has brought it to the disk all the same.
      takeBack(index)
    case .consentRevoked, .memoryOnlyProcessEnd:
      if messages[index].isDoubtful { takeBack(index) } else { return }
    case nil: break
    default: return
    }
    messages[index].isDoubtful = false
    messages[index].isSettled = false
    messages[index].place = .dormant
    messages[index].isInFlight = false
    dormant.append(Int32(index))
  }

  /// The stored queue is used: too old ones, identifies of nobody and those over the bound leave at
  /// once, oldest first (S-24, B43).
  func adoptDormant(_ record: Record, _ context: JudgeContext) {
    if dormant.isEmpty { return }
    let loaded = dormant
    dormant.removeAll()
    var adopted: [Int32] = []
    var isOpen = false
    for item in loaded {
      let index = Int(item)
      putAgeRight(index, record, context)
      if isGuestIdentify(index) {
        lose(index, .traitsLost, record.instant)
      } else if age(index, record, context) > ReferenceModel.largestAge {
        lose(index, .expired, record.instant)
      } else {
        messages[index].place = .queued
        adopted.append(item)
        // Age and ids may take out more than the model sees: then less goes for the bound.
        if age(index, record, context) + slack > ReferenceModel.largestAge { isOpen = true }
        if sharesIdentifier(index) { isOpen = true }
      }
    }
    queue = adopted + queue
    let bound = processes[Int(record.process)].options.maxQueueSize
    let now = running(record, context)
    while queue.count > bound,
      let victim = queue.firstIndex(where: { !messages[Int($0)].isInFlight })
    {
      let evicted = queue.remove(at: victim)
      lose(Int(evicted), .queueBound, record.instant)
      // Nothing is on its way yet that could be older than the bound (B43).
      if isOpen { recentLosses.append((evicted, now)) }
    }
  }

  /// An identify of nobody: without its traits nothing is left of it.
  func isGuestIdentify(_ index: Int) -> Bool {
    messages[index].type == .identify && messages[index].user < 0
  }

  /// Messages that were on disk when the last process ended and are not any more.
  private func loseMissing(_ record: Record, _ context: JudgeContext) {
    defer {
      mayBeWiped = false
      hasLostPower = false
    }
    for index in messages.indices where messages[index].place == .stored {
      if mayBeWiped {
        lose(index, .consentRevoked, record.instant)
      } else if wasDamaged(index, context) {
        lose(index, .fileFault, record.instant)
      } else if hasLostPower, messages[index].mayBeUnsynced {
        lose(index, .powerLossUnsynced, record.instant)
      } else {
        messages[index].unlawful = hasLostPower ? .notDurable : .goneFromDisk
        messages[index].place = .gone
        messages[index].lossInstant = record.instant
      }
    }
  }

  func endProcess(_ record: Record, _ context: JudgeContext) {
    let process = Int(record.process)
    guard process >= 0, process < processes.count else { return }
    for held in processes[process].held where held.message >= 0 && !held.isEvicted {
      lose(Int(held.message), .diedInHold, record.instant)
    }
    processes[process].held = []
    guard queueProcess == record.process else { return }
    let now = running(record, context)
    for item in dormant { leave(Int(item), now, record, context) }
    for item in queue { leave(Int(item), now, record, context) }
    dormant.removeAll(keepingCapacity: true)
    markUnfinishedWipes(now, context)
    noteIdentity(process, now, record, context)
    noteDecision(process, now, record, context)
    noteAdvertising(process)
    noteDue(process, now, record, context)
    noteSession(process, now, record, context)
    queue.removeAll(keepingCapacity: true)
    unjournaled.removeAll(keepingCapacity: true)
    recentLosses.removeAll(keepingCapacity: true)
    doubtfulCount = 0
    endedQueueProcess = queueProcess
    queueProcess = -1
  }

  /// One message of the queue of a process that ends.
  private func leave(_ index: Int, _ now: Int64, _ record: Record, _ context: JudgeContext) {
    messages[index].isInFlight = false
    let journal = messages[index].journalRecord
    if journal >= 0, context.disk.isLive(journal), mayBeStored(index, record) {
      messages[index].place = .stored
      noteUnsynced(index, now, record, context)
    } else if age(index, record, context) > ReferenceModel.largestAge {
      lose(index, .expired, record.instant)
    } else if let reason = reasonAtDeath(index, now, record, context) {
      lose(index, reason, record.instant)
    } else {
      messages[index].place = .gone
      messages[index].unlawful = .notOnDiskAtProcessEnd
      messages[index].lossInstant = record.instant
    }
  }

  /// What a process made that never had consent is not on disk lawfully (CON-04).
  private func mayBeStored(_ index: Int, _ record: Record) -> Bool {
    if messages[index].analytics || messages[index].process != record.process { return true }
    let state = processes[Int(record.process)]
    return state.storingSince != nil || state.revoked != nil
  }

  private func reasonAtDeath(
    _ index: Int, _ now: Int64, _ record: Record, _ context: JudgeContext
  ) -> LossReason? {
    let state = processes[Int(record.process)]
    if messages[index].isTakenOff { return nil }
    if state.isMemoryOnly {
      return state.decisionRead == .locked ? .lockedProcessEnd : .memoryOnlyProcessEnd
    }
    if !messages[index].analytics {
      // A grant stores also what was made before it (S-31).
      guard let since = state.storingSince, messages[index].journalRecord < 0 else {
        return .memoryOnlyProcessEnd
      }
      if now - max(since, messages[index].enqueuedRunning) <= slack { return .memoryOnlyProcessEnd }
    }
    if messages[index].journalRecord < 0, now - messages[index].enqueuedRunning <= slack {
      return .diedBeforeAppend
    }
    if let failure = context.disk.lastWriteFailure, failure.process == record.process,
      hasStillFailed(index, failure, context)
    {
      return failure.outcome == .noSpace ? .diskFullThenDeath : .fileFault
    }
    guard let enqueued = messages[index].enqueuedInstant else { return nil }
    if let failure = context.disk.lastReadFailure, failure.process == record.process,
      messages[index].journalRecord < 0, failure.instant >= enqueued,
      (context.disk.lastAppend ?? .start) < failure.instant
    {
      // What it may add to could not be read since.
      return .fileFault
    }
    if wasDamaged(index, context) { return .fileFault }
    if let append = context.disk.lastGarbledAppend, messages[index].journalRecord < 0,
      append >= enqueued
    {
      // It was added to a file that cannot be read to its end any more.
      return .fileFault
    }
    return nil
  }

  /// The world damaged the file that the message was in (A-02: the file named).
  private func wasDamaged(_ index: Int, _ context: JudgeContext) -> Bool {
    let journal = messages[index].journalRecord
    return journal >= 0 && context.disk.records[journal].wasDamaged
  }

  /// A write failed since the message was made, and nothing of the journal was written since then,
  /// or the message came when everything failed.
  private func hasStillFailed(
    _ index: Int, _ failure: DiskShadow.Failure, _ context: JudgeContext
  ) -> Bool {
    guard let enqueued = messages[index].enqueuedInstant, failure.instant >= enqueued else {
      return false
    }
    guard let append = context.disk.lastAppend else { return true }
    return append <= failure.instant + TimeSpan(nanoseconds: slack)
  }

  /// Revoked messages may still lie on disk if the process ends before its wipe had to be done, or
  /// if the disk refused the wipe.
  private func markUnfinishedWipes(_ now: Int64, _ context: JudgeContext) {
    let failure = context.disk.lastWriteFailure
    for record in context.disk.records where record.expected >= 0 && !record.isGone {
      let index = Int(record.expected)
      let isWiped =
        messages[index].loss == .consentRevoked
        || messages[index].loss == .memoryOnlyProcessEnd
          && messages[index].lossProcess == queueProcess && messages[index].process != queueProcess
      guard isWiped else { continue }
      let isInTime =
        now - messages[index].enqueuedRunning <= ReferenceModel.wipeBound + slack
      let isRefused =
        messages[index].lossProcess == failure?.process
        && messages[index].lossInstant.map { $0 <= failure?.instant ?? .start } ?? false
      if isInTime || isRefused { messages[index].isDoubtful = true }
    }
  }
}
