/// Watches the main thread from a queue of its own, which nothing else keeps busy (HNG).
///
/// The main run loop is observed from the first instant at which hangs may be reported; while they
/// may not, the watch rests (S-106).
extension Pipeline {
  /// Arms the watch where the user allows it; called at the start and at each decision. A
  /// withdrawal has ended it at its call, which this queue may not have heard of yet.
  func watchHangs() {
    guard settings.capturesHangs else { return }
    let begins = state.withLock { state -> Bool? in
      guard state.circumstances?.analytics ?? false else { return nil }
      let isForeground = state.position == .foreground
      return !state.hangs.isArmed
        && state.hangs.arm(isForeground: isForeground, at: platform.clock.awake())
    }
    guard let begins else { return }
    if !isMainThreadObserved {
      isMainThreadObserved = true
      platform.mainThread.observe { [weak self] activity in self?.note(activity) }
      // Whoever waits for something to do answers at once.
      platform.scheduler.main.async {}
    }
    if begins { lookLater() }
  }

  /// Takes a sign of life. Runs on the main thread.
  private func note(_ activity: RunLoopActivity) {
    if state.withLock({ $0.hangs.note(activity, at: platform.clock.awake()) }) { lookLater() }
  }

  /// Runs on any thread.
  func lookLater() {
    _ = hangQueue.schedule(afterNanoseconds: HangWatch.intervalNanoseconds, clock: .awake) {
      [weak self] in self?.look()
    }
  }

  /// Looks whether the main thread is still silent. Runs on the watch's queue.
  private func look() {
    let isDebugged = platform.mainThread.isDebuggerAttached()
    let verdict = state.withLock {
      $0.hangs.look(at: platform.clock.awake(), isDebugged: isDebugged)
    }
    switch verdict {
    case .rest: break
    case .goOn: lookLater()
    case .report: reportHang()
    }
  }

  /// Queues the event at once, while the main thread hangs (HNG-02).
  private func reportHang() {
    let stack = CallStack(rawFrames: platform.mainThread.sampleStack())
    let fixed = platform.context.fixed()
    let app = AppVersion(version: fixed.appVersion, build: fixed.appBuild)
    let current = platform.context.current()
    let wakes = state.withLock { state in
      state.sealHang(stack, app: app, current, platform) && state.needsDrain()
    }
    if wakes { wake() }
  }
}
