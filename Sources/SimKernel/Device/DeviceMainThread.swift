/// What the main run loop tells those who observe it.
public enum RunLoopActivity: UInt8, Sendable, CaseIterable {
  /// It has woken: a cycle begins.
  case afterWaiting
  /// It goes on to the next turn without having waited.
  case beforeSources
  /// Nothing is left to do: it waits.
  case beforeWaiting
}

/// The main thread: free, blocked by the app's own code, or busy without being blocked.
///
/// While it is blocked nothing reaches the app there: no job of the main queue, no notification, no
/// step of its life. The system lets such a step wait, and ends an app that lets it wait too long.
extension Device {
  /// Whether the app's code blocks the main thread of the process.
  public var isMainBlocked: Bool {
    guard let process, process.isAlive else { return false }
    return process.mainBlockedUntil != nil || process.mainBlockedLeft != nil
  }

  /// Code of the app blocks the main thread for so long; in a suspension that span stands still.
  /// - Returns: false where no code can run there now.
  @discardableResult
  public func blockMain(for span: TimeSpan) -> Bool {
    guard let process, process.isAlive, process.phase != .suspended, !isMainBlocked else {
      return false
    }
    tell(process, .afterWaiting)
    owner?.deviceChangedMainThread(process, isBlocked: true)
    block(process, for: span)
    return true
  }

  /// The main run loop turns for so long without waiting: busy, not blocked.
  public func spinMain(for span: TimeSpan) {
    guard let process, process.isAlive, process.phase != .suspended, !isMainBlocked else { return }
    process.spinsUntil = now + span
    tell(process, .afterWaiting)
    lifecycle(.turn, after: Pace.turn, process)
  }

  /// Calls an observer on the main thread for each activity of the main run loop from now on.
  public func observeRunLoop(_ process: AppProcess, _ observer: @escaping (RunLoopActivity) -> Void)
  {
    if process.isAlive { process.runLoopObservers.append(observer) }
  }

  /// A debugger comes or goes; one that is there keeps the system from ending the app.
  public func setDebugger(isAttached: Bool) {
    guard let process, process.isAlive, process.isDebugged != isAttached else { return }
    process.isDebugged = isAttached
    owner?.deviceChangedDebugger(process, isAttached: isAttached)
  }

  /// Runs a body once the main thread is free, in order.
  public func deferToMain(_ process: AppProcess, _ body: @escaping () -> Void) {
    process.deferred.append(body)
  }

  /// Runs code on the main thread as one cycle of its run loop.
  func runMain(_ process: AppProcess, _ body: () -> Void) {
    guard !process.runLoopObservers.isEmpty, !process.isInCycle else { return body() }
    process.isInCycle = true
    let isSpinning = process.spinsUntil != nil
    tell(process, isSpinning ? .beforeSources : .afterWaiting)
    body()
    process.isInCycle = false
    if process.isAlive, process.mainBlockedUntil == nil, !isSpinning {
      tell(process, .beforeWaiting)
    }
  }

  // MARK: Steps

  private func block(_ process: AppProcess, for span: TimeSpan) {
    let end = now + max(span, .zero)
    process.mainBlockedLeft = nil
    process.mainBlockedUntil = end
    process.unblockEvent = lifecycle(.mainFree, after: end - now, process)
  }

  /// The process is suspended: what blocks its main thread goes on after it.
  func freezeMain(_ process: AppProcess) {
    guard let until = process.mainBlockedUntil else { return }
    simulation.cancel(process.unblockEvent)
    process.mainBlockedUntil = nil
    process.mainBlockedLeft = max(until - now, .zero)
  }

  func thawMain(_ process: AppProcess) {
    if let left = process.mainBlockedLeft { block(process, for: left) }
  }

  func freeMain(_ process: AppProcess) {
    process.mainBlockedUntil = nil
    process.transitionSince = nil
    owner?.deviceChangedMainThread(process, isBlocked: false)
    let waiting = process.deferred
    process.deferred = []
    for (place, body) in waiting.enumerated() where process.isAlive {
      // One of them may block it again.
      if isMainBlocked {
        process.deferred = Array(waiting[place...]) + process.deferred
        return
      }
      body()
    }
    guard process.isAlive, !isMainBlocked else { return }
    tell(process, .beforeWaiting)
    if process.isAlive, !process.queues[0].isEmpty { wake(process, 0) }
  }

  func turn(_ process: AppProcess) {
    guard let until = process.spinsUntil else { return }
    if isMainBlocked || process.phase == .suspended || now >= until {
      process.spinsUntil = nil
      if !isMainBlocked, process.phase != .suspended { tell(process, .beforeWaiting) }
      return
    }
    tell(process, .beforeSources)
    lifecycle(.turn, after: Pace.turn, process)
  }

  /// A step of the app's life that needs its main thread has to wait for it.
  /// - Returns: false if the main thread is free.
  func waits(_ process: AppProcess, isTransition: Bool, _ step: @escaping () -> Void) -> Bool {
    guard process.mainBlockedUntil != nil else { return false }
    deferToMain(process, step)
    if isTransition, process.transitionSince == nil {
      process.transitionSince = now
      lifecycle(.watchdog, after: Pace.transition, process)
    }
    return true
  }

  /// The app has let a step of its life wait for too long.
  func watch(_ process: AppProcess) {
    guard let since = process.transitionSince, now - since >= Pace.transition,
      !process.isDebugged
    else { return }
    end(.launchWatchdog)
  }

  private func tell(_ process: AppProcess, _ activity: RunLoopActivity) {
    if process.runLoopObservers.isEmpty { return }
    let outer = runningQueue
    runningQueue = 0
    for observer in process.runLoopObservers where process.isAlive { observer(activity) }
    runningQueue = outer
  }
}
