extension Pipeline {
  /// Takes what the platform says of the app's life; events may repeat. Runs on the main thread.
  func note(_ event: ApplicationEvent) {
    let current = platform.context.current()
    let (transition, wakes, looks) = state.withLock { state in
      let transition = state.move(
        event, uptime: platform.clock.continuous(), current, platform)
      if transition == .toBackground { state.unheardEntries += 1 }
      let looks =
        transition != .none
        && state.hangs.move(
          isForeground: transition == .toForeground, at: platform.clock.awake())
      return (transition, state.needsDrain(), looks)
    }
    if wakes { wake() }
    if looks { lookLater() }
    if event == .protectedDataDidBecomeAvailable {
      // A withdrawal may wait for it.
      queue.async { self.settle() }
    }
    switch transition {
    case .toBackground: enterBackground()
    case .toForeground: queue.async { self.enterForeground() }
    case .none: break
    }
  }

  /// Asks the main thread where the app stands, for a `load` that came from another one.
  func askForPosition() {
    platform.scheduler.main.async {
      let isForeground = self.platform.application.state() != .background
      self.state.withLock { $0.settlePosition(isForeground: isForeground) }
      self.queue.async { self.applyIfPlaced() }
    }
  }

  /// Asks for time at once: the app may be suspended before the queue's job has run. Runs on the
  /// main thread.
  private func enterBackground() {
    if state.withLock({ $0.backgroundTask == nil }) {
      let token = platform.application.beginBackgroundTask { [weak self] in
        self?.backgroundTimeExpired()
      }
      state.withLock { $0.backgroundTask = token }
    }
    queue.async { self.sendInBackground() }
  }

  /// The time is up: the task ends here and now, the request is given up on the queue (S-19). Where
  /// the storage is shared, the task ends there too, once the lock is given back. Runs on the main
  /// thread.
  func backgroundTimeExpired() {
    if !isStorageShared { endBackgroundTask() }
    queue.async {
      if let token = self.requestToken { self.platform.http.cancel(token) }
      guard self.isStorageShared else { return }
      self.giveStorageBack()
      self.endBackgroundTask()
    }
  }

  /// Ends the background task if nothing is left to do under it.
  func finishBackgroundTask() {
    guard state.withLock({ $0.unheardEntries == 0 }) else { return }
    giveIdleStorageBack()
    endBackgroundTask()
  }

  /// Ends the background task, exactly once. Runs on any thread.
  private func endBackgroundTask() {
    let token = state.withLock { state in
      defer { state.backgroundTask = nil }
      return state.backgroundTask
    }
    if let token { platform.application.endBackgroundTask(token) }
  }

  private func sendInBackground() {
    state.withLock { $0.unheardEntries -= 1 }
    guard isStarted else {
      isBackgroundHeld = true
      return
    }
    commit()
    synchronize()
    trigger()
    settle()
  }

  private func enterForeground() {
    guard isStarted else { return }
    if !isMemoryOnly { _ = holdStorage() }
    lane.enterForeground()
    loadUnreadable()
    settle()
  }
}
