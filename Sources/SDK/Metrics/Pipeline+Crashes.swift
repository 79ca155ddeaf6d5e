/// The ids that a process has where it has none on disk.
struct OwnIds: Sendable {
  var anonymous: String
  var session: String
  /// Of the event of its crash (S-57).
  var crash: String
}

/// Crashes: what the process leaves if it dies, and what earlier ones have left.
///
/// A record is deleted once its event lies on disk durably (S-58), and the event is sent only after
/// that: whatever dies in between, and whatever fails, there is one event under one id.
extension Pipeline {
  /// Draws the ids of the process, once: who crashes before the config is there is the one who
  /// would have started (B99).
  func drawOwnIds() -> OwnIds {
    if let ownIds { return ownIds }
    let random = platform.random
    let ids = OwnIds(
      anonymous: Identifier.uuid(random.random128(.anonymousIdentifier, key: 0)),
      session: Identifier.uuid(random.random128(.sessionIdentifier, key: 0)),
      crash: Identifier.uuid(random.random128(.lifecycle, key: 1 << 61)))
    ownIds = ids
    return ids
  }

  /// Captures crashes from `load` on where nothing has to be waited for: analytics was decided, or
  /// the app's own mode allows it.
  func captureCrashesEarly(_ options: PostlipMetrics.Options) {
    guard options.captureCrashes ?? true, !isMemoryOnly, let decision = store.consent.decision,
      decision.analytics ?? options.consent?.allowsByDefault ?? false,
      store.install != .unreadable
    else { return }
    settings = Settings(options, .none)
    let own = drawOwnIds()
    var early = CrashCapture.Early(
      anonymousId: own.anonymous, sessionId: storedSession?.id ?? own.session)
    if case .known(let record) = store.install {
      early.anonymousId = record.anonymousId
      early.userId = record.userId
    }
    captureCrashes(early)
  }

  /// Makes the file for a record, goes in front of other handlers, and prepares the record. What
  /// fails is tried again.
  private func captureCrashes(_ early: CrashCapture.Early?) {
    guard platform.crashes.isAvailable, !store.isWipePending, !store.consent.hasWork, holdStorage()
    else { return }
    do throws(StorageError) {
      if let error = store.makeDirectories() { throw error }
      if !hasReadCrashes {
        crashReports = try crashFiles.load()
        // The event of a record that is gone may be in the queue, and the process before may have
        // died ahead of its barrier: what is sent now must not come back (S-58).
        if !loaded.isEmpty || !messages.isEmpty { try crashFiles.synchronize() }
      }
      hasReadCrashes = true
      guard let path = try crashFiles.makeOwn() else { return }
      try platform.crashes.open(path)
    } catch {
      return log(.storageFailed(error))
    }
    hasCrashFile = true
    let fixed = platform.context.fixed()
    let app = AppVersion(version: fixed.appVersion, build: fixed.appBuild)
    let messageId = drawOwnIds().crash
    crashRecorder.install()
    state.withLock { state in
      // A withdrawal among the calls that are held is one already (CON-13).
      if early != nil, state.hold.hasWithdrawal { return }
      state.crashCapture.start(messageId: messageId, app: app, early: early)
      state.prepareCrash()
    }
  }

  /// Brings records and capture in line with consent, option and switch.
  func advanceCrashes() {
    guard platform.crashes.isAvailable, isStarted, !isMemoryOnly, !store.isWipePending else {
      return
    }
    guard isStoring, settings.capturesCrashes else { return dropCrashes() }
    if !hasCrashFile { captureCrashes(nil) }
    if crashReports.isEmpty { return }
    queueCrashes()
    let hadPlace = crashReports.count < CrashFiles.mostFiles
    removeCrashes()
    if !hasCrashFile, !hadPlace { captureCrashes(nil) }
  }

  /// Whether something is to be tried again.
  var hasCrashWork: Bool {
    guard platform.crashes.isAvailable, isStarted, !isMemoryOnly else { return false }
    if isStoring && settings.capturesCrashes {
      return !hasCrashFile || !crashReports.isEmpty || crashFiles.hasUnread
    }
    return !hasDroppedCrashes
  }

  /// Tries to read what could not be read at the launch.
  func readCrashesAgain() {
    guard hasReadCrashes, crashFiles.hasUnread, holdStorage() else { return }
    crashFiles.readAgain(into: &crashReports)
  }

  /// Crashes are not to be reported: what lies there goes unsent.
  private func dropCrashes() {
    if hasDroppedCrashes { return }
    stopCrashCapture()
    guard holdStorage() else { return }
    do {
      try crashFiles.removeAll()
    } catch {
      return log(.storageFailed(error))
    }
    hasDroppedCrashes = true
  }

  /// A crash from here on leaves nothing, and what was read of records is not known any more.
  func stopCrashCapture() {
    state.withLock { $0.crashCapture.stop() }
    if hasCrashFile { platform.crashes.close() }
    hasCrashFile = false
    hasReadCrashes = false
    crashReports = []
    crashFiles.forget()
  }

  private func queueCrashes() {
    for index in crashReports.indices where crashReports[index].sequence == nil {
      guard hasRoom, unknownBelow == nil else { break }
      let record = crashReports[index].record
      if let sequence = sequence(ofQueued: record.subject.messageId) {
        // A process has queued it and did not come to delete the record.
        crashReports[index].sequence = sequence
      } else if let sequence = state.withLock({ $0.sealCrash(record) }) {
        crashReports[index].sequence = sequence
        takeInputs()
        // One of them may have been a withdrawal.
        if crashReports.isEmpty { return }
      }
    }
    commit()
  }

  private func removeCrashes() {
    guard crashReports.contains(where: isQueuedSafely), isDurable() else { return }
    do {
      for index in crashReports.indices where isQueuedSafely(crashReports[index]) {
        if !crashReports[index].isRemoved { try crashFiles.remove(crashReports[index].path) }
        crashReports[index].isRemoved = true
      }
      try crashFiles.synchronize()
    } catch {
      return log(.storageFailed(error))
    }
    crashReports.removeAll { $0.isRemoved }
  }

  private func isQueuedSafely(_ report: CrashReport) -> Bool {
    guard let sequence = report.sequence else { return false }
    guard let index = messages.index(of: sequence) else { return true }
    return messages[index].place != nil
  }

  /// Takes out of a batch the events whose records may still be there: a later process would send
  /// them once more.
  func withoutUnsettledCrashes(_ list: [UInt64]) -> [UInt64] {
    let isUnread =
      isStoring && settings.capturesCrashes && (!hasReadCrashes || crashFiles.hasUnread)
    if crashReports.isEmpty && !isUnread { return list }
    return list.filter { sequence in
      guard let index = messages.index(of: sequence) else { return true }
      let isHeld =
        crashReports.contains { $0.sequence == sequence } || isUnread && isCrash(messages[index])
      if isHeld { setAside(at: index) }
      return !isHeld
    }
  }

  /// A hang has an event of this name too, and no record.
  private func isCrash(_ message: QueuedMessage) -> Bool {
    platform.crashes.isAvailable && message.record.type == .track
      && message.bytes.map { MessageBytes.isEvent("$crash", $0) && MessageBytes.isFatal($0) }
        ?? false
  }
}
