/// The folder of a shared group belongs to one process at a time (A-25, S-39). The process that has
/// it holds it in the foreground, and in the background only under a background task, with which it
/// goes: a process that is suspended with the lock dies.
///
/// Whoever asks in vain, or finds that another process has had the folder since, runs from memory
/// for the rest of its life: numbers, ids and queue on disk are the other one's. It still sends
/// what it makes, and writes what the user decides as soon as it has the lock.
extension Pipeline {
  /// Makes sure that files may be written now.
  func holdStorage() -> Bool {
    if !isStorageShared || isHoldingStorage { return true }
    guard hasTimeToHold() else { return false }
    let answer = platform.storageLock.tryLock()
    isHoldingStorage = answer != .refused
    if answer != .granted && isStarted { leaveStorage() }
    if isHoldingStorage { holdCrashes(true) }
    return isHoldingStorage
  }

  /// A process that may be suspended at any instant must not take the lock.
  private func hasTimeToHold() -> Bool {
    if state.withLock({ $0.position == .foreground || $0.backgroundTask != nil }) { return true }
    guard
      let token = platform.application.beginBackgroundTask(expiration: { [weak self] in
        self?.backgroundTimeExpired()
      })
    else { return false }
    let isNeeded = state.withLock { state in
      if state.backgroundTask != nil { return false }
      state.backgroundTask = token
      return true
    }
    if !isNeeded { platform.application.endBackgroundTask(token) }
    return true
  }

  /// Gives the lock back, with everything durable that was written under it.
  func giveStorageBack() {
    guard isHoldingStorage else { return }
    synchronize()
    if isMemoryOnly { store.consent.forgetStored() }
    // A process that dies without the lock writes nothing.
    holdCrashes(false)
    isHoldingStorage = false
    platform.storageLock.unlock()
  }

  /// Gives the lock back where nothing is to be done with it: in the background, or in a process
  /// that runs from memory.
  func giveIdleStorageBack() {
    guard isHoldingStorage else { return }
    if isMemoryOnly && !hasStoreWork || state.withLock({ $0.position != .foreground }) {
      giveStorageBack()
    }
  }

  /// What was read before the start is not known any more once the lock was given back.
  func forgetWithoutLock() {
    guard isStorageShared, !isHoldingStorage, !isMemoryOnly else { return }
    store.leave()
    stopCrashCapture()
    loaded = []
    isMemoryOnly = true
  }

  private func holdCrashes(_ isHeld: Bool) {
    state.withLock { state in
      state.crashCapture.setStorage(isHeld)
      state.prepareCrash()
    }
  }

  /// Leaves everything on disk to others.
  private func leaveStorage() {
    store.leave()
    let told = crashReports.compactMap { $0.sequence }
    stopCrashCapture()
    if isMemoryOnly { return }
    log(.storageElsewhere)
    isMemoryOnly = true
    isStoring = false
    endFirstOpen()
    // What they are made of lies there: where they could not be stored yet, they are the next
    // process's.
    for sequence in told + unmarked.filter({ $0.origin == .firstOpen }).map(\.sequence) {
      if let index = messages.index(of: sequence) { messages.remove(at: index) }
    }
    unmarked = []
    unknownBelow = nil
    var index = 0
    while index < messages.count {
      // Who has the folder sends what lies there.
      if messages[index].place != nil {
        messages.remove(at: index)
      } else {
        index += 1
      }
    }
    clearSetAside()
    forgetGone()
  }
}
