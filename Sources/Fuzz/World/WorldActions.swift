import FuzzHistory
import FuzzScenario
import SDK
import SimKernel

/// What happens in the world: scripted actions and what follows from them.
extension World {
  func scheduleActions() {
    for (place, action) in scenario.actions.enumerated() {
      switch action.moment {
      case .at(let span):
        schedule(action: place, at: .start + span)
      case .after(let trigger):
        triggers.add(action: place, trigger)
      }
    }
  }

  private func schedule(action place: Int, at instant: Instant) {
    var actor: UInt32 = 2
    switch scenario.actions[place].kind {
    case .call(let thread, _): actor = World.actor(of: thread)
    case .appear: actor = World.actor(of: 0)
    default: break
    }
    simulation.schedule(
      Event(instant: instant, actor: actor, kind: EventKind.action, payload: UInt32(place)))
  }

  /// Counts a world event and starts what waits for it.
  func happened(_ event: WorldEvent) {
    for due in triggers.happened(event) { schedule(action: due.action, at: device.now + due.plus) }
  }

  func receive(_ event: Event) {
    switch event.kind {
    case EventKind.action:
      let action = scenario.actions[Int(event.payload)]
      if isCalm { return }
      perform(action)
    case EventKind.step:
      if !isCalm { performStep(of: event.payload) }
    case EventKind.delivery: deliverConversion(event.payload)
    case EventKind.start:
      guard let process = runningProcess, UInt32(process.ordinal) == event.payload else { return }
      onThread(0) { [unowned self] in runStartCode(process) }
    case EventKind.death:
      guard let process = device.process, UInt32(process.ordinal) == event.payload >> 8 else {
        return
      }
      let cause = EndCause(rawValue: UInt8(event.payload & 0xff)) ?? .memoryKill
      if cause == .memoryKill && process.phase != .suspended && process.phase != .background {
        return
      }
      if isCalm { return }
      took(cause == .memoryKill ? .processMemoryKill : .processUserSwipe)
      device.end(cause)
    default:
      break
    }
  }

  func perform(_ action: Action) {
    if case .repeated(let repetition) = action.kind { return begin(repetition, action: action.id) }
    perform(action.kind, action: action.id)
  }

  /// - Parameter round: which turn of a repetition it is, from 1; 0 outside of one.
  func perform(_ kind: ActionKind, action: UInt32, round: UInt32 = 0) {
    switch kind {
    case .launch(let kind): device.launch(kind)
    case .foreground: device.enterForeground()
    case .background: device.leave()
    case .overlay(let span): device.overlay(for: span)
    case .end(.powerLoss): losePower(off: .seconds(30), action: action, round: round)
    case .end(.shutdown): reboot(off: .seconds(30))
    case .end(let cause): endProcess(cause)
    case .crash(let plan): crash(plan)
    case .call(let thread, let call):
      onThread(thread) { [unowned self] in
        perform(call, thread: thread, action: action, round: round)
      }
    case .link(let kind): setLink(kind)
    case .stepWallClock(let span):
      setWallClock(device.clocks.wall(at: device.now) &+ span.nanoseconds, .clockStep)
    case .setWallClock(let milliseconds):
      let fault: FaultKind = milliseconds < 31_536_000_000 ? .clockAtEpoch : .clockStep
      setWallClock(milliseconds &* 1_000_000, fault)
    case .locale(let newLocale, let zone):
      locale = newLocale
      timeZone = zone
      recordLocale()
    case .resize(let size): resizeScreen(size)
    case .update(let version, let build): install(.update, version, build)
    case .install(let kind, let version, let build): install(kind, version, build)
    case .damage(let selector, let damage): damageFile(selector, damage)
    case .diskRoom(let bytes): device.disk.roomBytes = bytes
    case .access(let selector, let denied): setAccess(selector, denied: denied)
    case .patch(let selector, let offset, let bytes): patchFile(selector, offset: offset, bytes)
    case .lock:
      if device.power.isOn, !device.power.isLocked { took(.deviceLocked) }
      device.lock()
    case .unlock: device.unlock()
    case .reboot(let off): reboot(off: off)
    case .powerLoss(let off): losePower(off: off, action: action, round: round)
    case .drift(let rate): drift(rate)
    case .extensionRuns(let span): runExtension(for: span)
    case .appear(let controllers): appear(controllers, action: action)
    case .blockMain(let span, let stack): blockMain(for: span, stack)
    case .spinMain(let span): spinMain(for: span)
    case .debugger(let isAttached): device.setDebugger(isAttached: isAttached)
    case .openScene:
      took(.appSecondScene)
      device.openScene()
    case .tracking(let state): setTracking(state)
    case .systemUpdate(let version, let off): updateSystem(version, off: off)
    case .newDevice(let model, let advertisingId): changeDevice(model, advertisingId)
    case .repeated: break
    }
  }

  private func endProcess(_ cause: EndCause) {
    guard device.process != nil else { return }
    switch cause {
    case .memoryKill: took(.processMemoryKill)
    case .userSwipe: took(.processUserSwipe)
    case .crash: took(.processCrash)
    case .exit: took(.processExit)
    default: break
    }
    device.end(cause)
  }

  func setLink(_ kind: LinkKind) {
    if kind == device.network.link { return }
    recorder.record(.linkChanged(kind), process: -1, detail: UInt64(kind.rawValue))
    device.network.setLink(kind)
  }

  func setWallClock(_ wall: Int64, _ fault: FaultKind?) {
    let before = device.clocks.wall(at: device.now)
    if before == wall || !device.power.isOn { return }
    device.clocks.setWall(wall, at: device.now)
    recorder.record(
      .wallClockSet(before: before, after: wall), process: -1, detail: UInt64(bitPattern: wall))
    if let fault { took(fault) }
    if device.network.inFlight > 0 { reach(.wallClockSteppedWithRequestInFlight) }
  }
}

extension World: DeviceOwner {
  public func deviceLaunched(_ process: AppProcess) {
    launches += 1
    hasStarted = false
    awaitsFirstQueueJob = false
    calledSize = nil
    appearanceHooks = []
    let history = recorder.history
    recorder.record(
      .launched(
        kind: process.kind, boot: device.clocks.bootIdentifier, install: install,
        version: history.store(appVersion), build: history.store(appBuild)),
      detail: UInt64(process.kind.rawValue))
    drawDrift(process)
    client = PostlipMetricsClient(platform: makePlatform(process))
    if process.kind != .prewarmed { scheduleStart(process) }
    happened(.launched)
  }

  public func deviceEnded(_ process: AppProcess, _ cause: EndCause) {
    recorder.record(.ended(cause), process: process.ordinal, detail: UInt64(cause.rawValue))
    if process.requestsAtDeath > 0 { reach(.killedWithRequestInFlight) }
    if isHolding { reach(.killedWhileHolding) }
    isHolding = false
    if cause == .backgroundOverrun {
      took(.processBackgroundOverrun)
      reach(.overrunKilled)
    }
    if cause == .lockHeld { took(.processLockHeld) }
    if cause == .launchWatchdog { took(.processWatchdog) }
    client = nil
    appearanceHooks = []
    crashHandler = nil
    happened(.ended)
  }

  public func deviceChangedPhase(_ process: AppProcess, _ phase: AppPhase) {
    recorder.record(.phase(phase), process: process.ordinal, detail: UInt64(phase.rawValue))
    switch phase {
    case .inactive, .resumed:
      if phase == .resumed { reach(process.isForeground ? .resumedIntoForeground : .resumedByPush) }
      if !hasStarted, process.kind == .prewarmed { scheduleStart(process) }
    case .active:
      happened(.foregrounded)
    case .background:
      happened(.backgrounded)
      drawDeath(.userSwipe, .processUserSwipe, process, within: 60)
    case .suspended:
      if device.network.inFlight > 0 { reach(.suspendedWithRequestInFlight) }
      if isHolding { reach(.suspendedWhileHolding) }
      happened(.suspended)
      drawDeath(.memoryKill, .processMemoryKill, process, within: 1_800)
    }
  }

  public func deviceBackgroundTaskExpired(_ process: AppProcess, task: UInt32) {
    reach(.backgroundTaskExpired)
    recorder.record(.backgroundTaskExpired(task: task), detail: UInt64(task))
  }

  public func deviceRanJob(_ process: AppProcess, queue: UInt16) {
    if queue != 0, process.isAlive { noteFirstQueueJob() }
  }

  /// The calls before the first job are all in it; what it writes or sends comes after them in the
  /// history.
  func noteFirstQueueJob() {
    guard awaitsFirstQueueJob else { return }
    awaitsFirstQueueJob = false
    recorder.record(.firstQueueJobEnded)
  }

  public func deviceHandOff(actor: UInt32) -> TimeSpan {
    let now = UInt64(bitPattern: device.now.nanoseconds)
    let range = timing.handOffMicroseconds
    var span = TimeSpan.microseconds(draw(range, World.handOffStream, UInt64(actor), now))
    if let slow = faults.strikes(
      .queueSlow, key: mixBits(now ^ UInt64(actor)), at: device.now)
    {
      took(.queueSlow)
      span = span + .milliseconds(slow)
    }
    return span
  }

  public func deviceReceived(_ event: Event) { receive(event) }

  // MARK: Helpers

  static let handOffStream = StreamName("queue.hand_off")
  static let deathStream = StreamName("process.death")

  /// A number in a range of the scenario; a range of one value draws nothing.
  func draw(_ range: ClosedRange<Int64>, _ name: StreamName, _ key: UInt64, _ second: UInt64 = 0)
    -> Int64
  {
    if range.lowerBound == range.upperBound { return range.lowerBound }
    var stream = randomness.stream(name, key, second)
    return stream.within(range)
  }

  /// By chance the process dies some time from now.
  private func drawDeath(
    _ cause: EndCause, _ fault: FaultKind, _ process: AppProcess, within seconds: Int64
  ) {
    let key = UInt64(UInt32(bitPattern: process.ordinal)) << 32 | UInt64(cause.rawValue)
    let now = UInt64(bitPattern: device.now.nanoseconds)
    guard faults.strikes(fault, key: key ^ mixBits(now), at: device.now) != nil else { return }
    let delay = draw(0...seconds * 1_000, World.deathStream, key, now)
    simulation.schedule(
      Event(
        instant: device.now + .milliseconds(delay), actor: 3, kind: EventKind.death,
        payload: UInt32(process.ordinal) << 8 | UInt32(cause.rawValue)))
  }

  /// The quartz has another temperature than at the launch before.
  private func drawDrift(_ process: AppProcess) {
    let key = UInt64(UInt32(bitPattern: process.ordinal))
    guard let rate = faults.strikes(.clockDrift, key: key, at: device.now),
      rate != device.clocks.driftPartsPerMillion
    else { return }
    took(.clockDrift)
    device.clocks.setDrift(partsPerMillion: rate, at: device.now)
  }

  private func scheduleStart(_ process: AppProcess) {
    guard let start = scenario.start else { return }
    simulation.schedule(
      Event(
        instant: device.now + .milliseconds(start.afterMilliseconds), actor: 0x100,
        kind: EventKind.start, payload: UInt32(process.ordinal)))
  }

  private func runStartCode(_ process: AppProcess) {
    guard let start = scenario.start, !hasStarted else { return }
    perform(
      .load(writeKey: start.writeKey, options: start.options), thread: 0, action: .max)
  }

  private func makePlatform(_ process: AppProcess) -> Platform {
    Platform(
      clock: SimClockPort(self), random: SimRandomPort(self, process),
      storage: SimStoragePort(self, process), storageLock: SimStorageLockPort(self, process),
      http: SimHTTPPort(self, process),
      scheduler: SimSchedulerPort(self, process),
      application: SimApplicationPort(self, process), context: SimContextPort(self),
      viewControllers: SimViewControllerPort(self, process),
      mainThread: SimMainThreadPort(self, process),
      attribution: SimAttributionPort(self, process), identity: SimIdentityPort(self, process),
      log: SimLogPort(self, process), crashes: SimCrashPort(self, process))
  }
}
