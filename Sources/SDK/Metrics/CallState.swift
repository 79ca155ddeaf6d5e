/// The instant at which a process read the wall clock, once.
struct Anchor: Hashable, Sendable {
  /// Nanoseconds since the Unix epoch.
  var wall: Int64
  /// The clock that runs in sleep, in nanoseconds.
  var uptime: Int64
  var boot: UInt64

  init(_ clock: any ClockPort) {
    wall = clock.wall()
    uptime = clock.continuous()
    boot = clock.bootIdentifier()
  }

  /// The wall clock at the anchor in milliseconds.
  var milliseconds: Int64 { floorDivide(wall, 1_000_000) }

  /// The anchored time at an uptime of this boot, in milliseconds since the Unix epoch, rounded
  /// down.
  func milliseconds(atUptime uptime: Int64) -> Int64 {
    floorDivide(wall &+ (uptime &- self.uptime), 1_000_000)
  }
}

/// Everything that a public call reads or changes: one state, advanced under the lock at the call.
struct CallState: Sendable {
  /// How far the client has come.
  enum Phase: Sendable {
    /// `load` was not called; calls are held.
    case unloaded
    /// The config is not yet applied; calls are held.
    case loading
    /// Calls are sealed as they are made.
    case running(Circumstances)
    /// `load` was given what cannot work: calls do nothing (S-21).
    case failed
  }

  var phase = Phase.unloaded { didSet { prepareCrash() } }
  var isDebug = false
  /// Set by the first call.
  var anchor: Anchor?
  var ordinal: UInt64 = 0
  var hold = HoldBuffer()
  /// `flush` was called while calls were held.
  var isFlushHeld = false
  var nextSequence: UInt64 = 1
  private var inbox: [Input] = []
  private var isDrainPending = false
  var position = Position.unknown
  /// Whether lifecycle events are sent (OPT-12).
  var tracksLifecycle = false
  /// Decides where one session ends and the next begins; set at the start.
  private(set) var sessionClock = SessionClock(timeoutNanoseconds: .max, idleSince: 0)
  /// The process has had its first `$app_open`.
  var hasOpened = false
  /// The path of the newest screen that its arguments did not refuse, also while calls are held;
  /// empty before the first.
  var shownPath = "" { didSet { prepareCrash() } }
  var screens = ScreenState()
  /// What a crash from here on would say.
  var crashCapture = CrashCapture()
  /// Whether the main thread answers.
  var hangs = HangWatch()
  /// When the first call was accepted that yields a message, on the clock that runs in sleep.
  var firstMessageUptime: Int64?
  /// `load`, from its place in the order of calls on.
  var launch: Launch?
  /// What is to be reported of an update, until it is.
  var update: AppUpdate?
  /// How often marketing was withdrawn: the queue may not have heard of the newest ones.
  private(set) var marketingWithdrawals: UInt64 = 0
  /// The background task that covers the running send.
  var backgroundTask: BackgroundTaskToken?
  /// Background entries that the queue has not heard of yet: a job given before them must not end
  /// their task.
  var unheardEntries = 0

  var circumstances: Circumstances? {
    if case .running(let circumstances) = phase { return circumstances }
    return nil
  }

  /// Notes that a public call was made; the first one anchors the wall clock.
  /// - Returns: the call's ordinal.
  mutating func begin(_ clock: any ClockPort) -> UInt64 {
    ordinal += 1
    if anchor == nil { anchor = Anchor(clock) }
    return ordinal
  }

  /// Takes a call that its arguments do not refuse: holds, seals or drops it by phase.
  mutating func accept(_ call: Call, _ platform: Platform) {
    if case .message(let type) = call.kind {
      if firstMessageUptime == nil { firstMessageUptime = call.uptime }
      if type == .screen {
        shownPath = call.path
        screens.ownPath = call.path
      }
    }
    if case .consent(analytics: false, _) = call.kind { crashCapture.stop() }
    switch phase {
    case .unloaded, .loading:
      if let lost = hold.hold(call), isDebug {
        inbox.append(.diagnostic(.messageDropped(id: lost, .holdOverflow)))
      }
    case .running(let circumstances): perform(call, circumstances, platform)
    case .failed:
      if isDebug { inbox.append(.diagnostic(.callRefused(.neverStarted))) }
    }
  }

  /// Takes a flush.
  mutating func acceptFlush() {
    switch phase {
    case .unloaded, .loading: isFlushHeld = true
    case .running: inbox.append(.flush)
    case .failed: break
    }
  }

  /// Leaves something for the queue.
  mutating func add(_ input: Input) { inbox.append(input) }

  /// Whether a job must be given to the queue for what lies in the inbox; says so once per job.
  mutating func needsDrain() -> Bool {
    if isDrainPending || inbox.isEmpty { return false }
    isDrainPending = true
    return true
  }

  /// Takes what calls left for the queue.
  mutating func takeInbox() -> [Input] {
    isDrainPending = false
    let inputs = inbox
    inbox = []
    return inputs
  }

  /// Starts: what is held is replayed in the order in which it happened, then calls are sealed as
  /// they come.
  /// - Parameter update: what is to be reported of an update of the app.
  mutating func start(
    _ initial: Circumstances, _ sessionClock: SessionClock, firstSequence: UInt64,
    _ update: AppUpdate?, _ settings: Settings, _ platform: Platform
  ) {
    screens.isTracking = settings.tracksScreens
    screens.isTimingAllowed = settings.timesScreens
    // What appeared meanwhile was no screen.
    if !settings.tracksScreens { shownPath = screens.ownPath }
    // Before `load` the app is taken to be where it is met.
    screens.timing = ScreenTiming(isInForeground: hold.isLoadedInForeground)
    self.update = update
    nextSequence = firstSequence
    self.sessionClock = sessionClock
    phase = .running(initial)
    for item in hold.takeAll() {
      guard let circumstances else { return }
      switch item {
      case .evicted(let effects): apply(effects, platform)
      case .call(let call): perform(call, circumstances, platform)
      case .lifecycle(let input): perform(input, platform)
      }
    }
    if isFlushHeld { inbox.append(.flush) }
    isFlushHeld = false
  }

  /// Gives up for good and lets everything held go.
  mutating func fail() {
    phase = .failed
    hold = HoldBuffer()
    isFlushHeld = false
    inbox = []
  }

  private mutating func apply(_ effects: HoldBuffer.EvictedEffects, _ platform: Platform) {
    guard var circumstances else { return }
    let hadAnalytics = circumstances.analytics
    if let closing = effects.closing { close(closing, circumstances, platform) }
    if effects.analytics != nil || effects.marketing != nil {
      if effects.hasWithdrawal && effects.analytics != false {
        // What was withdrawn in between is wiped, whatever came later.
        update = nil
        let withdrawn = circumstances.with(analytics: false, marketing: circumstances.marketing)
        inbox.append(.consent(withdrawn, analytics: false, marketing: nil))
      }
      if circumstances.marketing && effects.marketing == false { marketingWithdrawals += 1 }
      circumstances = circumstances.with(
        analytics: effects.analytics ?? circumstances.analytics,
        marketing: effects.marketing ?? circumstances.marketing)
      inbox.append(
        .consent(circumstances, analytics: effects.analytics, marketing: effects.marketing))
    }
    if let ordinal = effects.resetOrdinal {
      circumstances = Self.reset(circumstances, ordinal: ordinal, platform)
      restartSession(circumstances, at: effects.resetUptime)
    }
    if let userId = effects.userId { circumstances = circumstances.with(userId: userId) }
    if effects.resetOrdinal != nil || effects.userId != nil {
      inbox.append(.identity(circumstances))
    }
    phase = .running(circumstances)
    if effects.analytics == false { update = nil }
    if let grant = effects.grant, circumstances.analytics, effects.hasWithdrawal || !hadAnalytics {
      reportLaunch(grant.uptime, grant.current, platform)
    }
  }

  private mutating func perform(
    _ call: Call, _ circumstances: Circumstances, _ platform: Platform
  ) {
    switch call.kind {
    case .consent(let analytics, let marketing):
      let changed = circumstances.with(
        analytics: analytics ?? circumstances.analytics,
        marketing: marketing ?? circumstances.marketing)
      phase = .running(changed)
      if circumstances.marketing && !changed.marketing { marketingWithdrawals += 1 }
      inbox.append(.consent(changed, analytics: analytics, marketing: marketing))
      if analytics == false {
        update = nil
        screens.timing.forget()
        // From the call on, whenever the queue hears of it: nobody looks at a stack any more.
        hangs.disarm()
      }
      if changed.analytics && !circumstances.analytics {
        reportLaunch(call.uptime, call.current, platform)
      }
    case .reset:
      endView(at: call.uptime, call.ordinal, call.current, circumstances, platform)
      let changed = Self.reset(circumstances, ordinal: call.ordinal, platform)
      phase = .running(changed)
      inbox.append(.identity(changed))
      restartSession(changed, at: call.uptime)
    case .message(.screen): show(call, platform)
    case .message(let type):
      seal(call, type, circumstances, platform)
    }
  }

  mutating func seal(
    _ call: Call, _ type: MessageType, _ before: Circumstances, _ platform: Platform
  ) {
    guard let anchor else { return }
    var circumstances = before
    var userId = before.userId
    var previousId: String?
    switch type {
    case .identify where !call.name.isEmpty && call.name != before.userId:
      circumstances = before.with(userId: call.name)
      userId = call.name
      phase = .running(circumstances)
      inbox.append(.identity(circumstances))
    case .alias:
      previousId = call.previousId ?? before.userId ?? before.anonymousId
      userId = call.name
      if call.name == previousId {
        if isDebug { inbox.append(.diagnostic(.callRefused(.aliasToItself))) }
        return
      }
    default: break
    }
    if sessionClock.message(at: call.uptime) {
      circumstances = beginSession(after: circumstances, at: call.uptime, platform)
    }
    inbox.append(
      .message(
        SealedMessage(
          call: call, type: type, sequence: nextSequence,
          time: anchor.milliseconds(atUptime: call.uptime), userId: userId,
          previousId: previousId, circumstances: circumstances,
          isFromForeground: sessionClock.isInForeground)))
    nextSequence += 1
  }

  /// The app is in the foreground from an input on: called once at `load` if it is there, and once
  /// for each true entry, in the order of calls.
  /// - Returns: whether a session began with it.
  @discardableResult
  mutating func noteForeground(_ input: LifecycleInput, _ platform: Platform) -> Bool {
    let isOver = sessionClock.foreground(at: input.uptime)
    if isOver { leaveAutomaticScreen(input, platform) }
    screens.timing.foreground(at: input.uptime)
    guard isOver, let circumstances else { return false }
    _ = beginSession(after: circumstances, at: input.uptime, platform)
    return true
  }

  /// The app is in the background from an input on: as `noteForeground`.
  mutating func noteBackground(_ input: LifecycleInput, _ platform: Platform) {
    pauseView(input, platform)
    guard sessionClock.background(at: input.uptime), let circumstances else { return }
    noteActivity(circumstances, at: input.uptime)
  }

  /// Evicted calls have ended the view that showed: a reset says so, a withdrawal does not.
  private mutating func close(
    _ closing: HoldBuffer.Closing, _ circumstances: Circumstances, _ platform: Platform
  ) {
    if closing.isReset {
      endView(at: closing.uptime, closing.ordinal, closing.current, circumstances, platform)
    } else {
      screens.timing.forget()
    }
  }

  /// The session is over: the next one begins with what happens now (SES-03, SES-04).
  private mutating func beginSession(
    after circumstances: Circumstances, at uptime: Int64, _ platform: Platform
  ) -> Circumstances {
    // Keys of calls count from 1: these are apart from them.
    let key = 1 << 63 | circumstances.sessionNumber
    let changed = circumstances.with(
      sessionId: Identifier.uuid(platform.random.random128(.sessionIdentifier, key: key)))
    phase = .running(changed)
    noteActivity(changed, at: uptime)
    return changed
  }

  /// A reset has begun a session (SES-02).
  private mutating func restartSession(_ circumstances: Circumstances, at uptime: Int64) {
    sessionClock.restart(at: uptime)
    noteActivity(circumstances, at: uptime)
  }

  private mutating func noteActivity(_ circumstances: Circumstances, at uptime: Int64) {
    guard let anchor else { return }
    inbox.append(.session(circumstances, activity: anchor.milliseconds(atUptime: uptime)))
  }

  private static func reset(
    _ circumstances: Circumstances, ordinal: UInt64, _ platform: Platform
  ) -> Circumstances {
    circumstances.reset(
      anonymousId: Identifier.uuid(
        platform.random.random128(.anonymousIdentifier, key: ordinal)),
      sessionId: Identifier.uuid(platform.random.random128(.sessionIdentifier, key: ordinal)))
  }
}
