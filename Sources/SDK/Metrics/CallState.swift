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

  /// Where the app stands as far as it was heard of.
  enum Position: Sendable {
    case unknown
    case foreground
    case background
  }

  var phase = Phase.unloaded
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

  /// Starts: the held calls are sealed in the order made, then calls are sealed as they come.
  mutating func start(_ initial: Circumstances, firstSequence: UInt64, _ platform: Platform) {
    nextSequence = firstSequence
    phase = .running(initial)
    applyEvicted(platform)
    for call in hold.takeAll() {
      guard let circumstances else { return }
      perform(call, circumstances, platform)
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

  private mutating func applyEvicted(_ platform: Platform) {
    guard var circumstances else { return }
    let effects = hold.evicted
    if effects.analytics != nil || effects.marketing != nil {
      circumstances = circumstances.with(
        analytics: effects.analytics ?? circumstances.analytics,
        marketing: effects.marketing ?? circumstances.marketing)
      inbox.append(.consent(circumstances, isWithdrawal: effects.hasWithdrawal))
    }
    if let ordinal = effects.resetOrdinal {
      circumstances = Self.reset(circumstances, ordinal: ordinal, platform)
    }
    if let userId = effects.userId { circumstances = circumstances.with(userId: userId) }
    if effects.resetOrdinal != nil || effects.userId != nil {
      inbox.append(.identity(circumstances))
    }
    phase = .running(circumstances)
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
      inbox.append(.consent(changed, isWithdrawal: analytics == false))
    case .reset:
      let changed = Self.reset(circumstances, ordinal: call.ordinal, platform)
      phase = .running(changed)
      inbox.append(.identity(changed))
    case .message(let type):
      seal(call, type, circumstances)
    }
  }

  private mutating func seal(_ call: Call, _ type: MessageType, _ before: Circumstances) {
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
    inbox.append(
      .message(
        SealedMessage(
          call: call, type: type, sequence: nextSequence,
          time: anchor.milliseconds(atUptime: call.uptime), userId: userId,
          previousId: previousId, circumstances: circumstances)))
    nextSequence += 1
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
