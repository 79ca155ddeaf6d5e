/// The user's decision: read before anything that it governs is used, and written ahead of it.
extension Pipeline {
  /// Reads the decision, and what it lets the process use: ids, session and queue, or nothing.
  /// Where analytics was declined, the wipe comes first.
  func readStored() {
    isMemoryOnly = false
    if !holdStorage() {
      // Nobody can tell what was decided while another process has the folder (A-25, S-34).
      log(.storageElsewhere)
      isMemoryOnly = true
      store.leave()
    } else if let error = store.loadDecision() {
      log(.storageFailed(error))
      isMemoryOnly = true
    } else if store.isWipePending {
      commit()
      // What could not be removed may hold numbers.
      if store.isWipePending { firstSequence = numberOfNow + 1 }
    } else {
      if let error = store.loadInstall() { log(.storageFailed(error)) }
      if let error = store.loadSession() { log(.storageFailed(error)) }
      noteFirstSequence(loadQueue())
    }
  }

  /// Numbers begin above all that lie on disk, and above those that the decision speaks of.
  func noteFirstSequence(_ highest: UInt64) {
    firstSequence = max(highest, store.consent.idsAfter) + 1
  }

  /// The flags that the process starts with: what was decided, else what the mode gives, flag by
  /// flag (CON-11); nothing where the decision could not be read (S-34).
  var consentAtStart: (analytics: Bool, marketing: Bool) {
    guard !isMemoryOnly, let decision = store.consent.decision else { return (false, false) }
    let byMode = settings.mode.allowsByDefault
    return (decision.analytics ?? byMode, decision.marketing ?? byMode)
  }

  /// Takes what the app decided. The decision is on disk before anything else changes there.
  func take(_ circumstances: Circumstances, analytics: Bool?, marketing: Bool?) {
    if store.consent.isLocked { logAlways(.consentNotStored) }
    // What was asked for before has its effect before: a flush has its request on the way (B62).
    if analytics == false && isStarted { advance() }
    let idsAfter = takeMarketing(circumstances.marketing)
    store.consent.decide(analytics: analytics, marketing: marketing, idsAfter: idsAfter)
    if analytics == false {
      revoke()
      // At once: a grant that follows must not bring back what was refused in between.
      commit()
    }
    if circumstances.analytics && !isStoring && !isMemoryOnly { grant(circumstances) }
    if isStarted { watchHangs() }
  }

  /// Analytics was allowed: what waits in memory is stored from now on (S-31).
  private func grant(_ circumstances: Circumstances) {
    isStoring = true
    for index in 0..<messages.count where messages[index].place == nil {
      store.journal.add(messages[index].sequence)
    }
    keepIdentity(circumstances)
    keepSession()
  }

  /// Analytics was refused: what was made under consent goes, from memory and from disk; what was
  /// made without stays in memory (C-16). A request on its way may end and is never tried again
  /// (S-01).
  private func revoke() {
    isStoring = false
    stopCrashCapture()
    // The wipe takes them.
    hasDroppedCrashes = true
    forgetMarks()
    var index = 0
    while index < messages.count {
      if messages[index].record.flags.contains(.analytics) {
        remove(at: index, .consentRevoked)
      } else if bringToMemory(index) {
        messages[index].place = nil
        index += 1
      } else {
        remove(at: index, .fileFault)
      }
    }
    store.wipe()
    unknownBelow = nil
    forgetGone()
  }
}
