import FuzzHistory
import SimKernel

/// Crashes by the requirements: whether one leaves a record, and what its event says.
///
/// The event is taken in when it is first found, in the journal or on the wire; until then the
/// record is the message.
extension ReferenceModel {
  /// More unsent records are not kept (S-57).
  static let mostCrashRecords = 10

  // MARK: The crash

  func takeCrash(_ record: Record, _ context: JudgeContext) {
    switch record.fact {
    case .crashed: noteCrash(record, context)
    case .crashHandlerRan(.sdk, _):
      if dyingCrash >= 0 { crashes[dyingCrash].hasHandler = true }
    case .fileLost(let path): excuseCrashes(path, context)
    default: break
    }
  }

  /// A step of the file system did not end well.
  func noteFailure(_ record: Record, _ context: JudgeContext) {
    noteFailedMark(record, context)
    if !crashes.isEmpty { noteCrashTrouble(record) }
  }

  func noteCrash(_ record: Record, _ context: JudgeContext) {
    guard
      case .crashed(
        let kind, let thread, let threadName, let name, let reason, let frames, let isOverflow,
        let continuous) = record.fact
    else { return }
    let index = Int(record.process)
    guard index >= 0, index < processes.count else { return }
    let ids = crashIds(index)
    var user = ids.user
    if user >= 0, users[Int(user)].utf8.count > 8_192 { user = -1 }
    let path = processes[index].shownPath
    crashes.append(
      CrashTruth(
        process: record.process, kind: kind, thread: thread, threadName: history.text(threadName),
        name: history.text(name), reason: history.text(reason),
        frames: frames.count == 0
          ? []
          : history.text(frames).utf8.split(separator: 0x0a, omittingEmptySubsequences: false).map {
            String(Substring($0))
          },
        isStackOverflow: isOverflow, continuous: continuous, instant: record.instant,
        milliseconds: millisecondsFloor(processes[index].anchoredTime(continuous: continuous)),
        anonymous: ids.anonymous, session: ids.session, user: user,
        path: String(String.UnicodeScalarView(path.unicodeScalars.prefix(2_048))),
        duty: captureDuty(index, record, context)))
    dyingCrash = crashes.count - 1
  }

  /// Who the process is: until it starts, who it would start as (B99).
  private func crashIds(_ index: Int) -> (anonymous: Int32, session: Int32, user: Int32) {
    let state = processes[index]
    if state.stage == .started { return (state.anonymous, state.session, state.user) }
    let anonymous = newDrawn()
    var user: Int32 = -1
    if let stored = state.installAnonymousId {
      drawn[Int(anonymous)].bytes = stored
      drawn[Int(anonymous)].isRead = true
      if let userId = state.installUserId {
        users.append(userId)
        user = Int32(users.count - 1)
      }
    }
    let session = newDrawn()
    if let stored = state.readSession {
      let idle = millisecondsFloor(state.anchorWall ?? 0).subtractingReportingOverflow(
        stored.lastActivity)
      let timeout = state.options.sessionTimeoutNanoseconds / 1_000_000
      if !idle.overflow, idle.partialValue >= 0, idle.partialValue <= timeout {
        drawn[Int(session)].bytes = stored.id
        drawn[Int(session)].isRead = true
      }
    }
    return (anonymous, session, user)
  }

  /// Whether consent allows a process to capture crashes before its config is there.
  func knowsConsentEarly(_ process: Int32) -> Bool {
    let index = Int(process)
    guard index >= 0, index < processes.count, processes[index].stage == .loading,
      processes[index].options.capturesCrashes
    else { return false }
    guard !isUndecided(index), let decision = decisionAtLaunch(index) else { return false }
    let options = processes[index].options
    return decision.analytics ?? (options.isModeFixed && options.mode != .required)
  }

  private func captureDuty(
    _ index: Int, _ record: Record, _ context: JudgeContext
  ) -> CaptureDuty {
    let state = processes[index]
    guard state.options.capturesCrashes, !state.isMemoryOnly else { return .mustNot }
    if history.header.hasSharedGroup, context.storageLock.holder != record.process {
      return .mustNot
    }
    let now = running(record.process, record, context)
    let since: Int64
    switch state.stage {
    case .fresh, .refused: return .mustNot
    case .loading:
      if isUndecided(index) { return .mustNot }
      guard knowsConsentEarly(record.process) else {
        // The start may have happened in the job that has not told of it yet.
        return state.decisionRead == .notYet || !state.options.remoteConfig ? .may : .mustNot
      }
      if state.held.contains(where: isHeldWithdrawal) { return .mustNot }
      since = state.lifecycle.loadRunning
    case .started:
      if !state.analytics { return .mustNot }
      if !state.options.panelErrors {
        return now - (state.startedRunning ?? 0) > slack ? .mustNot : .may
      }
      guard let storing = state.storingSince else { return .mustNot }
      since = storing
    }
    let hasFailed =
      context.disk.lastWriteFailure?.process == record.process
      || context.disk.lastReadFailure?.process == record.process
      || context.disk.lastDecisionFailure?.process == record.process
      || context.disk.lastCrashFailure?.process == record.process
      || state.installIsUncertain || hasDamagedCrash || state.sessionIsUnreadable
    let isFull = context.disk.crashRecords.count >= ReferenceModel.mostCrashRecords
    return now - since > slack && !hasFailed && !isFull ? .must : .may
  }

  private func isHeldWithdrawal(_ item: HeldItem) -> Bool {
    if case .call(let call) = item.kind,
      case .consent(analytics: false, _) = history.calls[Int(call)]
    {
      return true
    }
    return false
  }

  /// What the dying process does to its record.
  func noteDyingWrite(_ outcome: DiskOutcome, _ path: ByteSlice, _ context: JudgeContext) {
    guard dyingCrash >= 0, context.disk.isCrash(path) else { return }
    crashes[dyingCrash].hasWritten = true
    if outcome != .done { crashes[dyingCrash].failure = outcome }
    crashes[dyingCrash].pathHash = hashIdentifier(arena.slice(path))
  }

  /// The process has crashed and is gone: what lies on disk is its record, or nothing does.
  func finishCrash(_ record: Record, _ context: JudgeContext) {
    reopenDropped(record, context)
    defer { dyingCrash = -1 }
    guard dyingCrash >= 0, crashes[dyingCrash].process == record.process,
      crashes[dyingCrash].hasWritten
    else { return }
    let hash = crashes[dyingCrash].pathHash
    guard let found = context.disk.crashRecords.first(where: { $0.pathHash == hash }) else {
      return
    }
    crashes[dyingCrash].identifierHash = hashIdentifier(found.file.messageId)
    crashes[dyingCrash].file = found.file
  }

  // MARK: What becomes of records

  /// A process has started: without consent, or with the switch off, it deletes what it finds.
  func noteCrashesAtStart(_ index: Int) {
    let state = processes[index]
    if state.isMemoryOnly { return }
    if !state.analytics || !state.options.capturesCrashes || !state.options.panelErrors {
      dropCrashes()
    }
  }

  /// Events of crashes that were not found yet may be in the queue, in the place of others, and may
  /// have been evicted again (S-17). So may a `$first_open` that the disk does not take.
  func doubtForHidden(_ process: Int, _ context: JudgeContext) {
    if processes[process].isMemoryOnly || processes[process].stage != .started { return }
    let hidden = crashes.indices.filter {
      crashes[$0].identifierHash != nil && !crashes[$0].isDropped
        && crashes[$0].process != Int32(process)
        && (crashes[$0].message < 0 || mayComeAgain($0, context))
    }
    let hasFailed = context.disk.lastWriteFailure?.process == Int32(process)
    let openings = hasFailed && processes[process].lifecycle.due != nil ? 1 : 0
    let count = max(hidden.count + openings, processes[process].hiddenMessages)
    // Whom it has pushed out stays open once it is found.
    processes[process].hiddenMessages = count
    let bound = processes[process].options.maxQueueSize
    if count == 0 || queue.count + doubtfulCount + count < bound { return }
    doubtOldest(count + doubtfulCount)
    for place in hidden { crashes[place].isExcused = true }
  }

  /// The event of a crash has left the queue, or may have, and its record has not: a disk that
  /// failed let the event not be made durable. The next look at the record queues it once more.
  private func mayComeAgain(_ place: Int, _ context: JudgeContext) -> Bool {
    let message = messages[Int(crashes[place].message)]
    guard message.loss != nil || message.mayBeEvicted, !message.isDelivered else { return false }
    return hasRecord(place, context)
  }

  /// Whether the record of a crash still lies on disk.
  private func hasRecord(_ place: Int, _ context: JudgeContext) -> Bool {
    context.disk.crashRecords.contains {
      hashIdentifier($0.file.messageId) == crashes[place].identifierHash
    }
  }

  /// Records that no event was made of yet are deleted, or wiped.
  func dropCrashes() {
    for place in crashes.indices where crashes[place].message < 0 {
      crashes[place].isDropped = true
    }
  }

  /// A process has ended that had to delete records, and they are still there: a disk that failed
  /// or an early death allows that, and so does a start without the files (A-07, S-34).
  private func reopenDropped(_ record: Record, _ context: JudgeContext) {
    let index = Int(record.process)
    guard index >= 0, index < processes.count, crashes.contains(where: \.isDropped) else { return }
    let now = running(record.process, record, context)
    let since = max(processes[index].startedRunning ?? now, processes[index].revoked ?? 0)
    guard
      hasCrashTrouble(record.process, context) || now - since <= slack + ReferenceModel.wipeBound
        || processes[index].isMemoryOnly
    else { return }
    for found in context.disk.crashRecords {
      let id = hashIdentifier(found.file.messageId)
      for place in crashes.indices where crashes[place].identifierHash == id {
        crashes[place].isDropped = false
        crashes[place].isExcused = true
      }
    }
  }

  /// The world did something to the files of records.
  func excuseCrashes(_ path: ByteSlice?, _ context: JudgeContext) {
    guard let path else {
      for place in crashes.indices { crashes[place].isExcused = true }
      return
    }
    // A folder takes what lies in it along.
    guard context.disk.isCrash(path) || context.disk.isFolder(path) else { return }
    hasDamagedCrash = true
    let hash = hashIdentifier(arena.slice(path))
    for place in crashes.indices
    where crashes[place].pathHash == hash || !context.disk.isCrashFile(path) {
      crashes[place].isExcused = true
    }
  }

  // MARK: The event

  /// The crash that a message is the event of, if it is one: its place in `crashes`, else -1.
  func crash(of fields: MessageFields, in bytes: UnsafeRawBufferPointer) -> Int {
    guard !crashes.isEmpty, fields.isEvent("$crash", in: bytes) else { return -1 }
    let hash = hashIdentifier(bytes.slice(fields.messageId))
    return crashes.firstIndex { $0.identifierHash == hash } ?? -1
  }

  /// Whether the process that is dying may not capture its crash.
  var isCaptureOff: Bool { dyingCrash >= 0 && crashes[dyingCrash].duty == .mustNot }

  /// Whether a crash has an event that is still on its way, so that a message with its id is that.
  private func hasLiveEvent(_ place: Int) -> Bool {
    let message = Int(crashes[place].message)
    guard message >= 0 else { return false }
    return messages[message].loss == nil
  }

  /// Whether the event that was thought lost is the only one: the record is gone, and nobody but
  /// its maker has put one on the disk.
  private func isStillItsOwn(_ place: Int, _ context: JudgeContext) -> Bool {
    let message = Int(crashes[place].message)
    guard message >= 0, messages[message].journalRecord >= 0, !hasRecord(place, context) else {
      return false
    }
    return context.disk.records[messages[message].journalRecord].process
      == messages[message].process
  }

  /// The event of a crash is found.
  /// - Returns: its expected message, made now if it was not met before; nil if it is none.
  func makeCrash(
    _ bytes: UnsafeRawBufferPointer, _ record: Record, _ context: JudgeContext
  ) -> Int32? {
    let fields = MessageScan.fields(of: 0..<bytes.count, in: bytes)
    let place = crash(of: fields, in: bytes)
    let process = Int(queueProcess)
    guard place >= 0, process >= 0 else { return nil }
    if hasLiveEvent(place) { return crashes[place].message }
    // No second event comes of a record that is gone: it is the one that was thought lost.
    if isStillItsOwn(place, context) { return crashes[place].message }
    guard processes[process].stage == .started, let load = processes[process].lifecycle.load,
      let hash = crashes[place].identifierHash
    else { return nil }
    let truth = crashes[place]
    occurrences += 1
    var moment = load
    moment.occurrence = occurrences
    moment.continuous = min(
      load.continuous,
      processes[process].lifecycle.firstMessageContinuous ?? load.continuous)
    let index = add(.crash(Int32(place)), .track, 0, process, moment)
    messages[Int(index)].timestampMilliseconds = truth.milliseconds
    messages[Int(index)].identifierHash = hash
    messages[Int(index)].previousSameIdentifier = byIdentifier[hash]
    byIdentifier[hash] = index
    crashFoundAtRecord = context.recordIndex
    crashes[place].message = index
    crashes[place].events += 1
    crashes[place].madeAnalytics = processes[process].analytics
    crashes[place].madeSwitch =
      processes[process].options.capturesCrashes && processes[process].options.panelErrors
    let due = DueOpen(
      milliseconds: truth.milliseconds, session: truth.session, anonymous: truth.anonymous,
      user: truth.user, isLate: true, moment: moment, sinceContinuous: 0, sinceRunning: 0)
    enqueue(Int(index), process, record, context, due)
    messages[Int(index)].isQueueingOpen = true
    if hasCrashTrouble(queueProcess, context) {
      messages[Int(index)].heldBackProcess = queueProcess
    }
    return index
  }

  /// The event waits for its record to be gone, durably: otherwise a later process would send it
  /// once more (S-58). A disk that fails holds it back.
  func noteCrashTrouble(_ record: Record) {
    for truth in crashes where truth.message >= 0 && !messages[Int(truth.message)].isSettled {
      messages[Int(truth.message)].heldBackProcess = record.process
    }
  }

  private func hasCrashTrouble(_ process: Int32, _ context: JudgeContext) -> Bool {
    context.disk.lastCrashFailure?.process == process
      || context.disk.lastWriteFailure?.process == process
  }

  /// Whether a process may have the event of a crash in its queue that a failing disk keeps there.
  func holdsCrashBack(_ process: Int32, _ context: JudgeContext) -> Bool {
    crashes.contains { truth in
      if truth.message >= 0 { return messages[Int(truth.message)].heldBackProcess == process }
      return truth.identifierHash != nil && truth.process != process
        && hasCrashTrouble(process, context)
    }
  }

  /// Whether flags changed since the start of the process that sealed the event: when exactly it
  /// was sealed is the SDK's affair.
  func hasChangedMind(_ message: Int) -> Bool {
    processes[Int(messages[message].process)].decisionChanged != nil
  }

  /// The properties of the event of a crash (CRA-05, CRA-17).
  func crashProperties(_ place: Int) -> [PropertyEntry] {
    if crashes[place].kind == .exception, crashes[place].written == nil {
      crashes[place].written = RedactionShared.stack.frames(crashes[place].frames)
    }
    let truth = crashes[place]
    let launch = processes[Int(truth.process)]
    func text(_ bytes: [UInt8]) -> PropertyValue {
      let whole = String(decoding: bytes, as: UTF8.self).unicodeScalars.prefix(256)
      return .string(String(String.UnicodeScalarView(whole)))
    }
    var entries = [
      PropertyEntry("path", .string(truth.path)), PropertyEntry("kind", .string("crash")),
      PropertyEntry("fatal", .bool(true)), PropertyEntry("type", .string(truth.type)),
      PropertyEntry("stack_hash", .string(truth.stackHash)),
      PropertyEntry("thread", .string(truth.threadWord)),
      PropertyEntry("app_version", text(launch.appPair.version)),
      PropertyEntry("app_build", text(launch.appPair.build)),
    ]
    if truth.kind == .exception {
      entries.append(PropertyEntry("message", .string(truth.messageText)))
      entries.append(PropertyEntry("stack", .string(truth.stack)))
    }
    return entries
  }
}

extension ExpectedMessage {
  /// The place of the crash that it reports in `ReferenceModel.crashes`; nil for other messages.
  var crash: Int? {
    if case .crash(let place) = cause { return Int(place) }
    return nil
  }
}
