extension Pipeline {
  /// Takes what the platform says of the app's life; events may repeat. Runs on the main thread.
  func note(_ event: ApplicationEvent) {
    switch event {
    case .didEnterBackground:
      let isEntry = state.withLock { state in
        if state.position == .background { return false }
        state.position = .background
        state.unheardEntries += 1
        return true
      }
      if isEntry { enterBackground() }
    case .willEnterForeground, .didBecomeActive:
      let isReturn = state.withLock { state in
        defer { state.position = .foreground }
        // A cold start that goes straight to active is no return.
        return state.position == .background
          || state.position == .unknown && event == .willEnterForeground
      }
      if isReturn { queue.async { self.enterForeground() } }
    case .didFinishLaunching, .willResignActive, .willTerminate, .protectedDataDidBecomeAvailable,
      .protectedDataWillBecomeUnavailable:
      break
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

  /// The time is up: the task ends here and now, the request is given up on the queue (S-19). Runs
  /// on the main thread.
  private func backgroundTimeExpired() {
    endBackgroundTask()
    queue.async {
      if let token = self.requestToken { self.platform.http.cancel(token) }
    }
  }

  /// Ends the background task if nothing is left to do under it.
  func finishBackgroundTask() {
    if state.withLock({ $0.unheardEntries == 0 }) { endBackgroundTask() }
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
    lane.enterForeground()
    loadUnreadable()
    settle()
  }
}
