/// Everything behind the calls: start, queue, storage and transport of one client.
///
/// Confined to the SDK's serial queue: every method runs there, except where its comment says
/// otherwise. It is a shell around values that decide (`Lane`, `MessageQueue`, `Settings`) and
/// objects that act (`Store`, the ports). Each job ends with `settle`, which brings disk, transport
/// and timers in line with what the job changed.
final class Pipeline: @unchecked Sendable {
  let platform: Platform
  let queue: any SerialQueuePort
  /// Where the main thread is watched from.
  let hangQueue: any SerialQueuePort
  let state: Protected<CallState>
  let store: Store
  let appearances: AppearanceHook

  // What is fixed at the start.
  var isStarted = false
  var isDebug = false
  /// What the start waits with until it is known where the app stands.
  var awaitingPosition: (options: PostlipMetrics.Options, config: RemoteConfig)?
  var connection: Connection?
  var settings = Settings(.init(), .none)
  var anchor: Anchor?
  var encoder: MessageEncoder?
  /// The number of the first message of this process.
  var firstSequence: UInt64 = 1

  // The queue.
  var messages = MessageQueue()
  var lane = Lane(policy: .postlip(flushAt: 20))
  /// Sessions up to this number have had their start flag.
  var flaggedSession: UInt64 = 0
  /// The session of the newest message, as it is to be stored.
  var session = SessionRecord(id: "", isFlagged: false, lastActivity: .min)
  /// The number of that session within the process.
  var sessionNumber: UInt64 = 1
  /// Whether analytics consent lets the SDK store.
  var isStoring = false
  /// The decision could not be read: the process runs from memory (S-34, CON-30).
  var isMemoryOnly = false
  /// Other processes can reach the folder.
  let isStorageShared: Bool
  /// The lock of the shared container is this process's.
  var isHoldingStorage = false
  /// What lies on disk, until the settings are known.
  var loaded: [QueuedMessage] = []
  /// The journal's directory could not be read; below this number nothing of ours is on disk.
  var unknownBelow: UInt64?

  /// Marketing consent as far as the queue has heard of it.
  var allowsMarketing = false
  /// A message has lost its advertising id for want of consent.
  var hasClosedGaps = false
  /// How many withdrawals of marketing it has heard of.
  var heardWithdrawals: UInt64 = 0
  /// The highest number of a message that was sealed, or lies on disk.
  var highestSealed: UInt64 = 0
  /// What fills the gaps of the advertising id in the requests of this turn; nil while not known.
  var advertisingMember: [UInt8]?

  // The running request.
  var requestToken: HTTPToken?
  var requestCount: UInt32 = 0
  /// Up to this number, messages were covered by a pass that ended without them.
  var restUpTo: UInt64 = 0
  /// When messages that could not be read are tried again.
  var setAsideUntil: Int64?
  /// The app went to the background while calls were held.
  var isBackgroundHeld = false

  // Lifecycle.
  /// The ids as last handed to the store.
  var keptCircumstances: Circumstances?
  var runningApp: AppVersion?
  var marks = InstallMarks()
  var firstOpen = FirstOpen()
  /// Messages whose marks wait until they lie on disk.
  var unmarked: [(sequence: UInt64, origin: Call.Origin)] = []

  // Crashes.
  let crashFiles: CrashFiles
  let crashRecorder: CrashRecorder
  /// Records found on disk, until each event is queued and its file gone.
  var crashReports: [CrashReport] = []
  /// Whether the files were looked at.
  var hasReadCrashes = false
  /// Whether this process's own one is made and open.
  var hasCrashFile = false
  /// What earlier processes have left was deleted unsent.
  var hasDroppedCrashes = false
  /// The ids that the process would make up, drawn once and ahead of the start.
  var ownIds: OwnIds?
  /// Somebody listens to the main run loop.
  var isMainThreadObserved = false

  // The attribution of the install.
  var attributionCount: UInt32 = 0
  var attributionRequest: HTTPToken?
  var attributionTimer: TimerToken?

  // Timers.
  var firstOpenTimer: TimerToken?
  var laneTimer: (token: TimerToken, deadline: Int64)?
  var storeTimer: TimerToken?

  /// Runs in `init` of the client.
  init(platform: Platform, storageDirectory: String, state: Protected<CallState>) {
    self.platform = platform
    self.state = state
    queue = platform.scheduler.makeSerialQueue(label: "com.postlip.metrics")
    hangQueue = platform.scheduler.makeSerialQueue(label: "com.postlip.metrics.watchdog")
    isStorageShared = platform.storageLock.isShared
    appearances = AppearanceHook(platform.viewControllers)
    store = Store(storage: platform.storage, directory: storageDirectory)
    crashFiles = CrashFiles(storage: platform.storage, directory: storageDirectory)
    crashRecorder = CrashRecorder(port: platform.crashes)
    let recorder = crashRecorder
    state.withLock { $0.crashCapture.recorder = recorder }
  }

  var now: Int64 { platform.clock.continuous() }

  /// Hands a job for what calls left in the inbox to the queue. Runs on any thread.
  func wake() {
    queue.async { self.drain() }
  }

  private func drain() {
    takeInputs()
    settle()
  }

  func takeInputs() {
    for input in state.withLock({ $0.takeInbox() }) { take(input) }
  }

  private func take(_ input: Input) {
    switch input {
    case .message(let message): enqueue(message)
    case .identity(let circumstances): keepIdentity(circumstances)
    case .session(let circumstances, let activity): noteSession(circumstances, activity)
    case .consent(let circumstances, let analytics, let marketing):
      take(circumstances, analytics: analytics, marketing: marketing)
    case .launch(let launch, let circumstances): consider(launch, circumstances)
    case .flush:
      guard let last = lastSequence else { return }
      lane.flush(upTo: last)
      clearSetAside()
    case .diagnostic(let diagnostic): log(diagnostic)
    }
  }

  /// Brings disk, transport and timers in line with the state.
  func settle() {
    guard isStarted else { return }
    commit()
    advanceCrashes()
    advanceLifecycle()
    advance()
    scheduleStoreTimer()
    if !lane.isInFlight { finishBackgroundTask() }
  }

  /// Logs where `debug` is on, or where a developer must know.
  func log(_ diagnostic: @autoclosure () -> Diagnostic) {
    if isDebug { platform.log.log(diagnostic()) }
  }

  func logAlways(_ diagnostic: Diagnostic) { platform.log.log(diagnostic) }

  var lastSequence: UInt64? { messages.isEmpty ? nil : messages[messages.count - 1].sequence }
}

// MARK: - The queue

extension Pipeline {
  /// Puts a message into the queue, or drops it for one of the lawful reasons.
  private func enqueue(_ message: SealedMessage) {
    defer { noteQueued(message) }
    highestSealed = max(highestSealed, message.sequence)
    if message.call.isTooLarge { return drop(message.call.messageId, .tooLarge) }
    let startsSession = message.circumstances.sessionNumber > flaggedSession
    let isMarked =
      message.circumstances.marketing && settings.collectsAdvertisingId
      && message.call.current.tracking == .authorized
    guard
      let encoded = encode(message, startsSession: startsSession, hasAdvertisingId: isMarked)
    else { return }
    let byteCount =
      encoded.bytes.count + encoded.traits.count
      + (isMarked ? AdvertisingIdentifier.memberByteCount : 0)
    if byteCount > MessageEncoder.mostBytes { return drop(message.call.messageId, .tooLarge) }
    let hash = fnv1a64(message.call.messageId.utf8)
    if messages.contains(identifierHash: hash), isQueued(message.call.messageId, hash) {
      return drop(message.call.messageId, .duplicateInQueue)
    }
    if messages.count >= settings.maxQueueSize, !evictOldest() {
      return drop(message.call.messageId, .queueBound)
    }
    if startsSession { flaggedSession = message.circumstances.sessionNumber }
    noteUse(message, startsSession: startsSession)
    insert(message, encoded, hash, startsSession: startsSession)
    log(.messageQueued(id: message.call.messageId, bytes: byteCount))
    let uncovered = messages.count - messages.firstIndex(from: lane.coveredUpTo + 1)
    if uncovered >= settings.flushAt { trigger() }
  }

  private func encode(
    _ message: SealedMessage, startsSession: Bool, hasAdvertisingId: Bool
  ) -> EncodedMessage? {
    guard let app = message.call.app, app != runningApp else {
      return encoder?.encode(
        message, startsSession: startsSession, hasAdvertisingId: hasAdvertisingId)
    }
    var fixed = platform.context.fixed()
    fixed.appVersion = app.version
    fixed.appBuild = app.build
    var encoder = MessageEncoder(fixed, isTest: settings.isTest)
    return encoder.encode(
      message, startsSession: startsSession, hasAdvertisingId: hasAdvertisingId)
  }

  private func insert(
    _ message: SealedMessage, _ encoded: EncodedMessage, _ hash: UInt64, startsSession: Bool
  ) {
    var flags: MessageRecord.Flags = []
    if message.circumstances.analytics { flags.insert(.analytics) }
    if message.circumstances.marketing { flags.insert(.marketing) }
    if startsSession { flags.insert(.startsSession) }
    if !encoded.traits.isEmpty { flags.insert(.madeWithTraits) }
    if message.userId != nil { flags.insert(.hasUser) }
    // Not the message's time: that of a late `$first_open` is from another process's clock.
    let uptime = message.call.uptime
    let stamp = Stamp(
      time: anchor?.milliseconds(atUptime: uptime) ?? message.time, boot: anchor?.boot ?? 0,
      uptime: uptime)
    messages.insert(
      QueuedMessage(
        record: MessageRecord(
          type: message.type, flags: flags, sequence: message.sequence, identifierHash: hash,
          anchor: anchor?.milliseconds ?? 0, stamp: stamp, traitsGap: encoded.traitsGap,
          advertisingIdGap: encoded.advertisingIdGap),
        bytes: encoded.bytes, byteCount: encoded.bytes.count, traits: encoded.traits,
        aging: stamp, queuedAt: now, place: nil))
    if isStoring { store.journal.add(message.sequence) }
  }

  /// Whether a queued message has this very id; asked only where the hash says that it may (S-16).
  private func isQueued(_ messageId: String, _ hash: UInt64) -> Bool {
    for index in 0..<messages.count where messages[index].record.identifierHash == hash {
      guard let bytes = bytes(at: index) else {
        // It cannot be read now. Another id with the same 64 bits is not to be expected.
        return true
      }
      if MessageBytes.messageIdentifier(bytes) == messageId { return true }
    }
    return false
  }

  /// The bytes of a queued message, without keeping them in memory.
  private func bytes(at index: Int) -> [UInt8]? {
    if let bytes = messages[index].bytes { return bytes }
    guard let place = messages[index].place else { return nil }
    if case .bytes(let bytes) = store.journal.read(place, sequence: messages[index].sequence) {
      return bytes
    }
    return nil
  }

  /// Makes room by dropping the oldest message that is not in flight (S-17).
  private func evictOldest() -> Bool {
    guard
      let index = (0..<messages.count).first(where: { !lane.holds(messages[$0].sequence) })
    else { return false }
    remove(at: index, .queueBound)
    return true
  }

  /// Takes a message out of the queue.
  func remove(at index: Int, _ reason: Diagnostic.Drop?) {
    if let reason, isDebug {
      drop(bytes(at: index).flatMap { MessageBytes.messageIdentifier($0) } ?? "", reason)
    }
    store.journal.remove(messages.remove(at: index))
  }

  private func drop(_ messageId: String, _ reason: Diagnostic.Drop) {
    log(.messageDropped(id: messageId, reason))
  }

  /// Covers everything queued now: count, interval and background.
  func trigger() {
    guard let last = lastSequence else { return }
    lane.trigger(upTo: last)
    clearSetAside()
  }

  /// Messages that could not be read are tried again with the next pass.
  func clearSetAside() {
    guard setAsideUntil != nil else { return }
    setAsideUntil = nil
    for index in 0..<messages.count { messages[index].isSetAside = false }
  }
}
