import FuzzHistory
import SimKernel

/// `$first_open` and `$app_updated` by the requirements (LIF-06 to LIF-17).
///
/// When exactly the first one is queued is the SDK's affair within its bounds: the model takes it
/// in when it is first found, in the journal or on the wire.
extension ReferenceModel {
  /// The longest that `$first_open` waits for the facts of the install (LIF-09).
  static let patience: Int64 = 20_000_000_000

  // MARK: What a process knows

  /// The process has read what the decision's file says of `$first_open`.
  func readOpened(_ outcome: DiskOutcome, _ record: Record, _ context: JudgeContext) {
    let process = Int(record.process)
    guard process >= 0, process < processes.count, processes[process].stage != .started else {
      return
    }
    let value = context.disk.decisionContent.flatMap { try? JSONValue.parse($0) }
    let isSound = context.disk.decisionContent.flatMap { ConsentDecision.parse($0) } != nil
    processes[process].lifecycle.isOpenedByDecision =
      outcome == .done && isSound && value?["opened"]?.bool == true
  }

  /// What a process starts with.
  func adoptMarks(_ index: Int) {
    let read = processes[index].lifecycle.read
    processes[index].lifecycle.isOpened =
      read?.isOpened ?? false || processes[index].lifecycle.isOpenedByDecision
    processes[index].lifecycle.app = processes[index].options.tracksLifecycle ? read?.app : nil
  }

  // MARK: What is due

  /// Analytics is on, from `load` or from a grant on (A-28, S-31).
  func reportLaunch(_ index: Int, _ moment: CauseMoment, _ record: Record, _ context: JudgeContext)
  {
    let state = processes[index]
    guard state.analytics, state.lifecycle.hasBegun else { return }
    reportUpdate(index, moment, record, context)
    guard !state.isMemoryOnly, state.lifecycle.due == nil, !state.lifecycle.isOpened,
      let load = state.lifecycle.load
    else { return }
    guard state.options.tracksLifecycle else {
      processes[index].lifecycle.isOpened = true
      openings.isWaived = true
      return
    }
    var launch = load
    launch.continuous = min(
      load.continuous, state.lifecycle.firstMessageContinuous ?? load.continuous)
    var due = DueOpen(
      milliseconds: millisecondsFloor(state.anchoredTime(continuous: launch.continuous)),
      session: processes[index].session, anonymous: state.anonymous, user: state.user,
      isLate: false, moment: launch, sinceContinuous: context.continuousNow(record),
      sinceRunning: running(record, context))
    if let pending = state.lifecycle.read?.firstOpen, state.lifecycle.withdrawn < 0,
      state.revoked == nil
    {
      due.isLate = true
      // It was queued before, and the mark did not come after it.
      due.isOptional = byIdentifier[pending.identifierHash] >= 0
      due.milliseconds = pending.milliseconds
      due.identifierHash = pending.identifierHash
      due.session = newDrawn()
      drawn[Int(due.session)].bytes = pending.session
      drawn[Int(due.session)].isRead = true
    }
    // A record that is read only later may say that the install was opened before (B06).
    if state.lifecycle.isOpeningOpen || state.installIsUncertain { due.isOptional = true }
    processes[index].lifecycle.due = due
    // Without a token to ask for nothing is waited for.
    if !state.options.collectsAppleSearchAds || !state.hasAttribution {
      conclude(.nothing, index, record, context)
    }
    noteFullness(index)
  }

  private func reportUpdate(
    _ index: Int, _ moment: CauseMoment, _ record: Record, _ context: JudgeContext
  ) {
    let launch = context.processes[Int32(index)]
    let running = AppPair(
      version: Array(arena.slice(launch.version)), build: Array(arena.slice(launch.build)))
    guard let previous = processes[index].lifecycle.app, previous != running else { return }
    processes[index].lifecycle.app = running
    changes.append(AppChange(previous: previous, current: running))
    let cause = MessageCause.appUpdated(change: Int32(changes.count - 1))
    let message = add(cause, .track, 0, index, moment)
    enqueue(Int(message), index, record, context)
  }

  /// Everything that consent governs goes; the bit stays unless `$first_open` was dropped before
  /// any attempt (A-06, S-48).
  func withdrawFirstOpen(_ index: Int, _ context: JudgeContext) {
    if processes[index].lifecycle.due?.isOptional ?? false {
      processes[index].lifecycle.isOpeningOpen = true
    }
    processes[index].lifecycle.due = nil
    processes[index].lifecycle.app = nil
    openings.pendingMilliseconds = nil
    let newest = openings.newest
    guard newest >= 0, messages[Int(newest)].place == .queued,
      !messages[Int(newest)].isSighted
    else { return }
    processes[index].lifecycle.isOpened = false
    processes[index].lifecycle.withdrawn = newest
    if openings.mayBeMarked || !isSurelyQueued(newest, index, context) {
      processes[index].lifecycle.isOpeningOpen = true
      openings.withdrawnInDoubt = newest
    } else {
      openings.isMade = false
    }
  }

  /// Whether the process knows of a message: it could read its file, and no bound took it.
  private func isSurelyQueued(_ message: Int32, _ index: Int, _ context: JudgeContext) -> Bool {
    let expected = messages[Int(message)]
    return !expected.isDoubtful && !expected.mayBeEvicted && !expected.wasInDamagedFile
      && !openings.mayBeEvicted && !processes[index].installIsUncertain
      && context.disk.lastReadFailure?.process != Int32(index)
      && context.disk.lastDecisionFailure?.process != Int32(index)
  }

  /// A launch after a decline, or a late withdrawal, has wiped the queue.
  func loseStoredFirstOpen() {
    let newest = openings.newest
    // Where the process that heard the decline may not have known of it, the bit stays.
    if newest >= 0, messages[Int(newest)].loss == .consentRevoked,
      !messages[Int(newest)].isSighted, !openings.mayBeMarked,
      openings.withdrawnInDoubt != newest
    {
      openings.isMade = false
    }
  }

  /// The decision's file says from now on that `$first_open` was tried.
  func noteMark(_ record: Record, _ context: JudgeContext) {
    let value = context.disk.decisionContent.flatMap { try? JSONValue.parse($0) }
    let isMarked = value?["opened"]?.bool == true
    if isMarked, openings.marked.process < 0 {
      openings.marked = (record.process, running(record, context))
    } else if !isMarked {
      openings.marked = (-1, 0)
      openings.mayBeMarked = false
    }
  }

  /// The decision's file could not be written: a `$first_open` that was not tried yet waits for the
  /// next interval, as one that cannot be read does (A-06, B07).
  func noteFailedMark(_ record: Record, _ context: JudgeContext) {
    guard openings.newest >= 0, context.disk.lastDecisionFailure?.instant == record.instant else {
      return
    }
    if !messages[Int(openings.newest)].isSighted {
      messages[Int(openings.newest)].heldBackProcess = record.process
    }
  }

  /// The process ends: what it wrote of an attempt may be all that there was of it.
  private func noteGap(_ now: Int64, _ record: Record, _ context: JudgeContext) {
    let newest = openings.newest
    guard newest >= 0, !messages[Int(newest)].isSighted else { return }
    let hasFailed = context.disk.lastDecisionFailure?.process == record.process
    guard openings.marked.process == record.process else { return }
    if hasFailed || now - openings.marked.running <= slack {
      openings.mayBeMarked = true
    }
  }

  /// A message that a revoke seemed to have taken away untried was on its way.
  func noteAttempt(_ message: Int) {
    guard queueProcess >= 0, processes[Int(queueProcess)].lifecycle.withdrawn == Int32(message)
    else { return }
    processes[Int(queueProcess)].lifecycle.due?.isOptional = true
    processes[Int(queueProcess)].lifecycle.isOpened = true
    openings.isMade = true
  }

  // MARK: What is found

  /// Whether a message of these bytes is the `$first_open` that the running process owes.
  func isOwedFirstOpen(_ bytes: UnsafeRawBufferPointer, _ process: Int32) -> Bool {
    guard process == queueProcess, process >= 0,
      processes[Int(process)].lifecycle.due != nil
    else { return false }
    return MessageScan.fields(of: 0..<bytes.count, in: bytes).isEvent("$first_open", in: bytes)
  }

  /// `$first_open` has come into the queue.
  /// - Parameter bytes: as found.
  /// - Returns: its expected message.
  func makeFirstOpen(
    _ bytes: UnsafeRawBufferPointer, _ record: Record, _ context: JudgeContext
  ) -> Int32 {
    let process = Int(queueProcess)
    guard process >= 0, let due = processes[process].lifecycle.due else { return -1 }
    processes[process].lifecycle.due = nil
    processes[process].lifecycle.isOpened = true
    occurrences += 2
    var moment = due.moment
    moment.occurrence = occurrences
    // When in its job the wait began is known to a hand-off.
    let hasWaited =
      context.continuousNow(record) - due.sinceContinuous >= ReferenceModel.patience - slack
    let index = add(
      .firstOpen(answer: answer(due, of: bytes, hasWaited)), .track, 0, process, moment)
    messages[Int(index)].timestampMilliseconds = due.milliseconds
    if let hash = due.identifierHash {
      messages[Int(index)].identifierHash = hash
      messages[Int(index)].previousSameIdentifier = byIdentifier[hash]
      byIdentifier[hash] = index
    }
    madeAtRecord = context.recordIndex
    if due.isLate { lateFirstOpens.append(index) }
    noteFault(Int(index), due, hasWaited)
    if isLate(due, queueProcess, record, context) { firstOpenFaults.append((index, .late)) }
    openings.isMade = true
    openings.pendingMilliseconds = nil
    enqueue(Int(index), process, record, context, due)
    if messages[Int(index)].loss == nil { openings.newest = index }
    // Its append may have failed before, and its mark as well while nobody could see it.
    if context.disk.lastDecisionFailure?.process == queueProcess,
      context.disk.lastWriteFailure?.process == queueProcess
    {
      messages[Int(index)].heldBackProcess = queueProcess
    }
    noteQueueing(Int(index), due, record, context)
    return index
  }

  /// It is queued in the job that hears of the facts, or when 20 s have passed; what that job
  /// writes is found later.
  private func noteQueueing(
    _ index: Int, _ due: DueOpen, _ record: Record, _ context: JudgeContext
  ) {
    let late = context.continuousNow(record) - due.sinceContinuous - ReferenceModel.patience
    var ready =
      due.told != nil ? due.toldInstant : record.instant - TimeSpan(nanoseconds: max(0, late))
    if let entry = context.processes[queueProcess].lastForegroundEntry {
      // Timers that are due in a suspension fire at its end.
      ready = max(ready, entry)
    }
    if (record.instant - ready).nanoseconds <= slack {
      messages[index].enqueuedInstant = ready
    } else {
      // A barrier that failed keeps it from the queue, a write that failed from being found there.
      messages[index].isQueueingOpen = true
    }
  }

  /// A full queue may have taken a `$first_open` out again in the job that queued it.
  func loosenDue(_ process: Int) {
    guard processes[process].lifecycle.due != nil else { return }
    processes[process].lifecycle.due?.isOptional = true
    openings.mayBeEvicted = true
  }

  private func noteFault(_ index: Int, _ due: DueOpen, _ hasWaited: Bool) {
    if due.told == nil, !hasWaited { firstOpenFaults.append((Int32(index), .early)) }
    if isUnasked(due) { firstOpenFaults.append((Int32(index), .unasked)) }
    if let pending = openings.pendingMilliseconds, pending != due.milliseconds {
      firstOpenFaults.append((Int32(index), .wrongLaunch))
    }
  }

  /// Whether a `$first_open` had to be in the queue by now: at once with the facts, else after
  /// 20 s. A disk that fails, a record that cannot be read and a full queue hold it up.
  func isLate(_ due: DueOpen, _ process: Int32, _ record: Record, _ context: JudgeContext) -> Bool {
    if due.isOptional || due.mayLackRoom || hasDamagedIdentity { return false }
    if context.disk.lastWriteFailure?.process == process { return false }
    if context.disk.lastReadFailure?.process == process { return false }
    let ready =
      due.told != nil ? due.toldRunning : due.sinceRunning + ReferenceModel.patience
    return running(process, record, context) - ready > slack + history.header.longestHandOff * 2
  }

  /// Whether `$first_open` was sent ahead of a message that had to be in the queue before it: the
  /// `$app_open` of its load, and what came well before its facts.
  func isOvertakenByFirstOpen(_ index: Int) -> Bool {
    guard sightedFirstOpen >= 0, let queued = messages[index].enqueuedInstant else { return false }
    let opening = messages[Int(sightedFirstOpen)]
    guard opening.process == messages[index].process else { return false }
    if case .appOpen = messages[index].cause,
      queued == processes[Int(opening.process)].startedInstant
    {
      return true
    }
    guard !opening.isQueueingOpen, let ready = opening.enqueuedInstant else { return false }
    return (ready - queued).nanoseconds > slack
  }

  // MARK: The end of a process

  /// What the next process must find of a `$first_open` that was due and not queued.
  func noteDue(_ index: Int, _ now: Int64, _ record: Record, _ context: JudgeContext) {
    noteGap(now, record, context)
    let state = processes[index]
    let hasFailed = context.disk.lastWriteFailure?.process == record.process
    if now > durableBound, !hasFailed { openings.isPendingDurable = true }
    guard state.stage == .started, let due = state.lifecycle.due, !due.isLate else { return }
    let isWritten = now - due.sinceRunning > slack
    openings.isPendingDurable = now - due.sinceRunning > durableBound
    let isSure =
      isWritten && !hasFailed && !hasDamagedIdentity && !state.installIsUncertain
      && !due.isOptional
    openings.pendingMilliseconds = isSure ? due.milliseconds : nil
  }
}
