/// What the queue does for sessions: goes on with a stored one, and stores the present one.
extension Pipeline {
  /// The stored session if it goes on in this process (S-44).
  var storedSession: SessionRecord? {
    guard let record = store.session, idleMilliseconds(record) != nil else { return nil }
    return record
  }

  private func idleMilliseconds(_ record: SessionRecord) -> Int64? {
    guard let anchor else { return nil }
    return SessionClock.idleMilliseconds(
      since: record.lastActivity, now: anchor.milliseconds,
      timeoutNanoseconds: settings.sessionTimeoutNanoseconds)
  }

  /// Takes up the session that the process starts with.
  /// - Returns: the clock by which it ends.
  func beginSession(_ initial: Circumstances) -> SessionClock {
    let start = anchor?.uptime ?? now
    let timeout = settings.sessionTimeoutNanoseconds
    guard let stored = storedSession, stored.id == initial.sessionId,
      let idle = idleMilliseconds(stored)
    else {
      leaveSession()
      session = SessionRecord(
        id: initial.sessionId, isFlagged: false, lastActivity: anchor?.milliseconds ?? 0)
      return SessionClock(timeoutNanoseconds: timeout, idleSince: start)
    }
    session = stored
    session.isFlagged = stored.isFlagged || isFlagStored(stored)
    if session.isFlagged { flaggedSession = initial.sessionNumber }
    return SessionClock(timeoutNanoseconds: timeout, idleSince: start - idle * 1_000_000)
  }

  /// Another session begins. Without consent the stored record stays as it is; if it does not know
  /// yet of the start flag in the stored queue, which is sent now, it could come to a second one.
  private func leaveSession() {
    guard !isStoring, let record = store.session, !record.isFlagged, isFlagStored(record) else {
      return
    }
    store.forgetSession()
  }

  /// Whether the stored queue holds the message with a session's start flag: the process may have
  /// died before the session's record said so, and not in the newest session that it had begun.
  ///
  /// Of one that cannot be read now its time tells: whatever was flagged since the record was
  /// written is of that session, as a newer one would have replaced the record.
  private func isFlagStored(_ session: SessionRecord) -> Bool {
    loaded.reversed().contains { message in
      guard message.record.flags.contains(.startsSession), let place = message.place else {
        return false
      }
      switch store.journal.read(place, sequence: message.sequence) {
      case .bytes(let bytes): return MessageBytes.isOf(session: session.id, bytes)
      case .unreadable: return message.record.stamp.time >= session.lastActivity
      case .lost: return false
      }
    }
  }

  /// A session began, or the app went to the background.
  func noteSession(_ circumstances: Circumstances, _ activity: Int64) {
    if circumstances.sessionNumber > sessionNumber {
      sessionNumber = circumstances.sessionNumber
      session = SessionRecord(
        id: circumstances.sessionId, isFlagged: false, lastActivity: activity)
    } else {
      session.lastActivity = max(session.lastActivity, activity)
    }
    keepSession()
  }

  /// A message came into the queue: made in the foreground, it shows that the app is in use.
  func noteUse(_ message: SealedMessage, startsSession: Bool) {
    if startsSession { session.isFlagged = true }
    if message.isFromForeground {
      session.lastActivity = max(session.lastActivity, message.time)
    }
    if startsSession || message.isFromForeground { keepSession() }
  }

  /// Stores the session with the next commit (SES-09).
  func keepSession() {
    if isStoring { store.keep(session) }
  }
}
