import FuzzHistory
import SimKernel

/// Sessions by the requirements: where one ends and the next begins, and what is stored of it.
extension ReferenceModel {
  // MARK: The start of a process

  /// The session that a process starts with (SES-01, SES-09, S-44).
  func adoptSession(_ index: Int, _ now: Int64) {
    let state = processes[index]
    processes[index].hasStartedWithConsent = state.analytics
    let anchor = millisecondsFloor(state.anchorWall ?? 0)
    var session = SessionModel()
    session.timeout = state.options.sessionTimeoutNanoseconds
    session.idleSince = state.anchorContinuous
    session.set(anchor, now)
    session.began = now
    processes[index].sessionModel = session
    processes[index].sessionHasStart = false
    processes[index].startIsOpen = false
    guard state.analytics, !state.sessionIsUnreadable, let stored = foundSession(state) else {
      processes[index].session = newDrawn()
      return
    }
    let (idle, isHuge) = anchor.subtractingReportingOverflow(stored.latest)
    if isHuge || idle < 0 || idle > session.timeout / 1_000_000 {
      processes[index].sessionModel.origin = .lateLaunch
      processes[index].session = newDrawn()
      return
    }
    processes[index].sessionModel.origin = .stored
    processes[index].sessionModel.idleSince = state.anchorContinuous - idle * 1_000_000
    processes[index].sessionModel.set(stored.latest, now)
    processes[index].session = stored.session
    processes[index].mayMissFlag =
      state.readSession?.isFlagged == false
      && (hidesFlag(index) || isFlaggedElsewhere(stored.session))
    processes[index].sessionHasStart = stored.hasStart
    processes[index].startIsOpen = stored.isStartOpen
    processes[index].sessionModel.flagMessage = stored.flagMessage
  }

  /// Whether a process failed to read a file that holds a message with a start flag.
  private func hidesFlag(_ process: Int) -> Bool {
    messages.contains { $0.startsSession && $0.troubledProcess == Int32(process) }
  }

  /// Whether a process that had to leave the folder to others has flagged a session since: it
  /// writes nothing there any more.
  private func isFlaggedElsewhere(_ session: Int32) -> Bool {
    let id = drawn[Int(session)].bytes
    return !id.isEmpty
      && messages.contains { message in
        message.startsSession && message.isSighted
          && processes[Int(message.process)].isMemoryOnly
          && drawn[Int(message.session)].bytes == id
      }
  }

  /// The stored session with its stamp: what must be on disk, else what was read.
  private func foundSession(_ state: ProcessModel) -> KnownSession? {
    switch storedSession {
    case .absent: return nil
    case .known(var known):
      if let read = state.readSession, known.earliest < known.latest {
        known.latest = min(max(read.lastActivity, known.earliest), known.latest)
      }
      return known
    case .open:
      guard let read = state.readSession else { return nil }
      let session = newDrawn()
      drawn[Int(session)].bytes = read.id
      drawn[Int(session)].isRead = true
      return KnownSession(
        session: session, hasStart: read.isFlagged, isStartOpen: true,
        earliest: read.lastActivity, latest: read.lastActivity)
    }
  }

  /// A process has read the session of the install.
  func readSession(_ outcome: DiskOutcome, _ record: Record, _ context: JudgeContext) {
    let process = Int(record.process)
    guard process >= 0, process < processes.count, processes[process].stage != .started else {
      return
    }
    processes[process].sessionIsUnreadable = outcome != .done && outcome != .notFound
    processes[process].readSession =
      outcome == .done ? context.disk.sessionContent.flatMap { ReadSession($0) } : nil
  }

  // MARK: What moves a session

  /// Moves the session of a started process along.
  func move(_ isForeground: Bool, _ index: Int, _ continuous: Int64, _ now: Int64) {
    if isForeground {
      let isOver = processes[index].sessionModel.isOver(at: continuous)
      processes[index].sessionModel.idleSince = nil
      if isOver { beginSession(.foreground, index, continuous, now) }
    } else if processes[index].sessionModel.idleSince == nil {
      processes[index].sessionModel.idleSince = continuous
      processes[index].sessionModel.use(
        millisecondsFloor(processes[index].anchoredTime(continuous: continuous)), running: now,
        slack: slack)
    }
  }

  /// A message arises: in the background after more than the timeout it begins a session.
  func moveByMessage(_ index: Int, _ process: Int, _ now: Int64) {
    let continuous = messages[index].continuous
    if processes[process].sessionModel.isOver(at: continuous) {
      beginSession(.message, process, continuous, now)
    }
    messages[index].isFromForeground = processes[process].sessionModel.idleSince == nil
    messages[index].sessionOrigin = processes[process].sessionModel.origin
    messages[index].flagMessage = processes[process].sessionModel.flagMessage
  }

  /// Whether the world's delays leave open which message took the start flag.
  func isStartOpen(_ index: Int) -> Bool {
    if messages[index].startIsOpen { return true }
    let flag = Int(messages[index].flagMessage)
    return flag >= 0 && !messages[flag].isSighted
      && (messages[flag].isDoubtful || messages[flag].mayBeEvicted)
  }

  func beginSession(_ origin: SessionOrigin, _ index: Int, _ continuous: Int64, _ now: Int64) {
    processes[index].session = newDrawn()
    processes[index].sessionHasStart = false
    processes[index].startIsOpen = false
    processes[index].sessionModel.begin(
      origin, at: continuous,
      stamp: millisecondsFloor(processes[index].anchoredTime(continuous: continuous)), running: now)
  }

  /// A message came into the queue.
  func noteQueued(_ index: Int, _ process: Int) {
    if !processes[process].sessionHasStart {
      processes[process].sessionModel.flagged = messages[index].enqueuedRunning
      processes[process].sessionModel.flagMessage = Int32(index)
    }
    processes[process].sessionHasStart = true
    guard messages[index].isFromForeground else { return }
    processes[process].sessionModel.use(
      messages[index].timestampMilliseconds, running: messages[index].enqueuedRunning, slack: slack)
  }

  // MARK: The end of a process

  /// Notes at the end of a process what the session's record must say, unless the disk failed.
  func noteSession(_ index: Int, _ now: Int64, _ record: Record, _ context: JudgeContext) {
    let state = processes[index]
    guard state.stage == .started else { return }
    if state.isMemoryOnly {
      if state.revoked != nil { storedSession = .open }
      return
    }
    let written = max(state.sessionModel.began, state.backgroundRunning ?? 0)
    sessionMayBeUnsynced =
      state.isForeground || context.disk.lastWriteFailure?.process == record.process
      || mayBeUnsynced(index, writtenAt: written, now: now)
    if let since = state.storingSince {
      let hasFailed = context.disk.lastWriteFailure?.process == record.process
      let isWritten = now - max(since, state.sessionModel.began) > slack
      if hasFailed || hasDamagedSession || !isWritten {
        storedSession = .open
        return
      }
      let bounds = state.sessionModel.bounds(running: now, slack: slack)
      let isFlagRecent = state.sessionModel.flagged.map { now - $0 <= slack } ?? false
      storedSession = .known(
        KnownSession(
          session: state.session, hasStart: state.sessionHasStart,
          isStartOpen: state.startIsOpen || isFlagRecent,
          flagMessage: state.sessionModel.flagMessage, earliest: bounds.lowerBound,
          latest: bounds.upperBound))
    } else if let revoked = state.revoked {
      storedSession = now - revoked > ReferenceModel.wipeBound + slack ? .absent : .open
    }
  }
}
