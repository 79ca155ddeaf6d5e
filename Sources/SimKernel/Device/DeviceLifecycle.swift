/// The life of the app: launch, foreground, background, suspension, death.
extension Device {
  /// Times of the platform, in true time.
  enum Pace {
    /// From launch or return until the app is active.
    static let activation = TimeSpan.milliseconds(180)
    /// From leaving until the background is entered.
    static let leaving = TimeSpan.milliseconds(350)
    /// In the background without a task.
    static let grace = TimeSpan.seconds(5)
    /// For the handling of a push or a fetch.
    static let pushGrace = TimeSpan.seconds(12)
    /// All background time with tasks together.
    static let budget = TimeSpan.seconds(30)
    /// Tasks are told this long before the budget ends.
    static let notice = TimeSpan.seconds(5)
    /// From the end of the last task until suspension.
    static let afterTasks = TimeSpan.seconds(1)
    /// From suspension until the device sleeps.
    static let untilSleep = TimeSpan.seconds(10)
    /// From launch until the first scene is connected.
    static let scene = TimeSpan.milliseconds(60)
    /// The longest that a step of its life may wait for the app's main thread.
    static let transition = TimeSpan.seconds(10)
    /// A turn of a run loop that does not wait.
    static let turn = TimeSpan.milliseconds(100)
  }

  // MARK: What the user and the system do

  /// Starts the app in the background, or wakes it there; prewarmed processes freeze at once.
  ///
  /// A user unlocks the device first. As long as nobody has since the boot, the system starts the
  /// app for a push or a fetch, but prewarms nothing.
  public func launch(_ kind: LaunchKind) {
    guard power.isOn else { return }
    if kind == .foreground { unlock() }
    if kind == .prewarmed, !power.isUnlockedSinceBoot { return }
    if let process, process.isAlive {
      if kind == .background, process.phase == .suspended { resume(process, grace: Pace.pushGrace) }
      if kind == .foreground { enterForeground() }
      return
    }
    clocks.wake(at: now)
    writeBackIfQuiet()
    let phase: AppPhase
    switch kind {
    // An app with scenes is in the background until the first of them is there.
    case .foreground: phase = appStyle == .scenes ? .background : .inactive
    case .background: phase = .background
    case .prewarmed: phase = .suspended
    }
    let process = AppProcess(ordinal: nextOrdinal, kind: kind, phase: phase)
    nextOrdinal += 1
    self.process = process
    process.awaitsScene = kind == .foreground && appStyle == .scenes
    process.backgroundSince = now
    process.graceSpan = Pace.grace
    owner?.deviceLaunched(process)
    owner?.deviceChangedPhase(process, phase)
    switch kind {
    case .foreground:
      if process.awaitsScene {
        lifecycle(.connectScene, after: Pace.scene, process)
      } else {
        lifecycle(.becomeActive, after: Pace.activation, process)
      }
      finishLaunching(process)
    case .background:
      process.graceSpan = Pace.pushGrace
      finishLaunching(process)
      reconsiderSuspension(process)
    case .prewarmed:
      lifecycle(.sleep, after: Pace.untilSleep, process)
    }
  }

  private func finishLaunching(_ process: AppProcess) {
    process.hasFinishedLaunching = true
    notify(process, .didFinishLaunching)
  }

  /// The user opens the app or comes back to it; a locked device is unlocked first.
  public func enterForeground() {
    guard power.isOn else { return }
    unlock()
    guard let process, process.isAlive else {
      launch(.foreground)
      return
    }
    if process.phase == .suspended, isMainBlocked { resume(process, grace: Pace.budget) }
    if waits(process, isTransition: true, { self.enterForeground() }) { return }
    process.tasksExpired = false
    if process.isForeground {
      if process.isLeaving {
        process.isLeaving = false
        lifecycle(.becomeActive, after: Pace.activation, process)
      }
      return
    }
    let wasSuspended = process.phase == .suspended
    process.awaitsScene = false
    simulation.cancel(process.suspendEvent)
    setPhase(process, .inactive)
    if wasSuspended { wakeUp(process) }
    if !process.hasFinishedLaunching { finishLaunching(process) }
    guard process.isAlive else { return }
    process.scenes = 1
    notify(process, .willEnterForeground)
    lifecycle(.becomeActive, after: Pace.activation, process)
  }

  /// The user leaves the app.
  ///
  /// With several scenes in the foreground only one of them goes.
  public func leave(allScenes: Bool = false) {
    guard let process, process.isAlive, process.isForeground, !process.isLeaving else { return }
    if waits(process, isTransition: true, { self.leave(allScenes: allScenes) }) { return }
    if process.scenes > 1, !allScenes { return closeScene(process) }
    process.scenes = 1
    process.isLeaving = true
    if process.phase == .active {
      setPhase(process, .inactive)
      notify(process, .willResignActive)
    }
    lifecycle(.enterBackground, after: Pace.leaving, process)
  }

  /// The user opens a second window of the app, which is active too.
  public func openScene() {
    guard let process, process.isAlive, process.phase == .active, !process.isLeaving else { return }
    if waits(process, isTransition: false, { self.openScene() }) { return }
    process.scenes += 1
    notify(process, .willEnterForeground)
    if process.isAlive { notify(process, .didBecomeActive) }
  }

  /// One window goes; the app stays in the foreground with the other.
  private func closeScene(_ process: AppProcess) {
    process.scenes -= 1
    notify(process, .willResignActive)
    if process.isAlive, process.phase == .active { notify(process, .didBecomeActive) }
  }

  /// A system overlay covers the app for a while.
  public func overlay(for span: TimeSpan) {
    guard let process, process.isAlive, process.phase == .active else { return }
    if waits(process, isTransition: false, { self.overlay(for: span) }) { return }
    setPhase(process, .inactive)
    notify(process, .willResignActive)
    lifecycle(.overlayEnds, after: span, process)
  }

  /// The process ends, wherever it is.
  public func end(_ cause: EndCause) {
    guard let process, process.isAlive else { return }
    if cause == .userSwipe, process.phase != .suspended, !isMainBlocked {
      notify(process, .willTerminate)
      guard process.isAlive else { return }
    }
    simulation.cancel(process.suspendEvent)
    process.requestsAtDeath = network.inFlight
    holdsStorageLock = false
    process.die()
    self.process = nil
    if quietSince == nil { quietSince = now }
    network.appDied()
    lifecycle(.sleep, after: Pace.untilSleep, process)
    owner?.deviceEnded(process, cause)
  }

  /// Calls every observer on the main thread.
  public func notify(_ process: AppProcess, _ notification: AppNotification) {
    if waits(process, isTransition: false, { self.notify(process, notification) }) { return }
    let outer = runningQueue
    runningQueue = 0
    let times = owner?.deviceRepeats(notification) == true ? 2 : 1
    runMain(process) {
      for _ in 0..<times {
        for observer in process.observers where process.isAlive { observer(notification) }
      }
    }
    runningQueue = outer
  }

  /// Tells a process of notifications from now on.
  public func observe(_ process: AppProcess, _ observer: @escaping (AppNotification) -> Void) {
    if process.isAlive { process.observers.append(observer) }
  }

  // MARK: Background tasks

  /// Asks for background time.
  /// - Returns: the task's number; nil if no time is left.
  public func beginTask(_ process: AppProcess, expiration: @escaping () -> Void) -> UInt32? {
    guard process.isAlive, !process.tasksExpired else { return nil }
    let task = process.nextTask
    process.nextTask += 1
    process.tasks.append(AppProcess.BackgroundTask(id: task, expiration: expiration))
    reconsiderSuspension(process)
    return task
  }

  /// Gives background time back.
  public func endTask(_ process: AppProcess, _ task: UInt32) {
    guard process.isAlive, let place = process.tasks.firstIndex(where: { $0.id == task }) else {
      return
    }
    process.tasks.remove(at: place)
    if process.tasks.isEmpty, process.phase == .background {
      simulation.cancel(process.suspendEvent)
      process.suspendEvent = lifecycle(.suspend, after: Pace.afterTasks, process)
    }
  }

  // MARK: Steps

  func perform(_ step: LifecycleStep, _ process: AppProcess) {
    switch step {
    case .becomeActive, .overlayEnds, .enterBackground, .connectScene:
      let isTransition = step != .overlayEnds
      if waits(process, isTransition: isTransition, { self.perform(step, process) }) { return }
    default: break
    }
    switch step {
    case .becomeActive, .overlayEnds:
      guard process.phase == .inactive, !process.isLeaving else { return }
      setPhase(process, .active)
      notify(process, .didBecomeActive)
    case .enterBackground:
      guard process.phase == .inactive, process.isLeaving else { return }
      process.isLeaving = false
      process.backgroundSince = now
      process.graceSpan = Pace.grace
      process.tasksExpired = false
      setPhase(process, .background)
      notify(process, .didEnterBackground)
      if process.isAlive { reconsiderSuspension(process) }
    case .suspend:
      timeIsUp(process)
    case .sleep:
      fallAsleepIfIdle()
    case .connectScene:
      guard process.awaitsScene, process.phase == .background else { return }
      // Who locks the screen right after the launch never sees the app.
      if power.isLocked { return reconsiderSuspension(process) }
      enterForeground()
    case .mainFree: freeMain(process)
    case .turn: turn(process)
    case .watchdog: watch(process)
    }
  }

  func fallAsleepIfIdle() {
    guard power.isOn else { return }
    if let process, process.isAlive, process.phase != .suspended { return }
    clocks.sleep(at: now)
  }

  private func setPhase(_ process: AppProcess, _ phase: AppPhase) {
    process.phase = phase
    owner?.deviceChangedPhase(process, phase)
  }

  @discardableResult
  func lifecycle(_ step: LifecycleStep, after span: TimeSpan, _ process: AppProcess)
    -> EventHandle
  {
    simulation.schedule(
      Event(
        instant: now + span, actor: 1, kind: EventKind.lifecycle, generation: process.generation,
        payload: step.rawValue))
  }

  /// Sets the instant at which the background time is over.
  private func reconsiderSuspension(_ process: AppProcess) {
    guard process.phase == .background else { return }
    simulation.cancel(process.suspendEvent)
    let end: Instant
    if process.tasks.isEmpty {
      end = process.backgroundSince + process.graceSpan
    } else if process.tasksExpired {
      end = process.backgroundSince + Pace.budget
    } else {
      end = process.backgroundSince + Pace.budget - Pace.notice
    }
    process.suspendEvent = lifecycle(.suspend, after: max(end, now) - now, process)
  }

  private func timeIsUp(_ process: AppProcess) {
    guard process.phase == .background else { return }
    if process.tasks.isEmpty {
      suspend(process)
    } else if !process.tasksExpired {
      process.tasksExpired = true
      for task in process.tasks {
        if waits(process, isTransition: false, { self.expire(process, task) }) { continue }
        expire(process, task)
        if !process.isAlive { return }
      }
      if !process.tasks.isEmpty { reconsiderSuspension(process) }
    } else {
      end(.backgroundOverrun)
    }
  }

  private func expire(_ process: AppProcess, _ task: AppProcess.BackgroundTask) {
    guard process.tasks.contains(where: { $0.id == task.id }) else { return }
    owner?.deviceBackgroundTaskExpired(process, task: task.id)
    runCode(thread: 0, task.expiration)
  }

  private func suspend(_ process: AppProcess) {
    if holdsStorageLock { return end(.lockHeld) }
    setPhase(process, .suspended)
    freezeMain(process)
    if quietSince == nil { quietSince = now }
    freezeTimers(process)
    network.appSuspended()
    lifecycle(.sleep, after: Pace.untilSleep, process)
  }

  /// A suspended app runs again in the background.
  private func resume(_ process: AppProcess, grace: TimeSpan) {
    process.backgroundSince = now
    process.graceSpan = grace
    process.tasksExpired = false
    setPhase(process, .background)
    wakeUp(process)
    if process.isAlive { reconsiderSuspension(process) }
  }

  /// After a suspension: clocks, timers, requests and queues go on.
  private func wakeUp(_ process: AppProcess) {
    writeBackIfQuiet()
    clocks.wake(at: now)
    owner?.deviceChangedPhase(process, .resumed)
    thawMain(process)
    if let missed = process.missedProtection {
      process.missedProtection = nil
      notify(process, missed)
    }
    guard process.isAlive else { return }
    thawTimers(process)
    network.appResumed()
    for place in process.queues.indices where !process.queues[place].isEmpty {
      wake(process, place)
    }
  }
}
