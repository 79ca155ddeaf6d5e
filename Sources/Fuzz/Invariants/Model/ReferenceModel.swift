import FuzzHistory
import SimKernel

/// What must have been sent, folded from the host calls by the requirements alone, and what became
/// of each message by ground truth, disk and wire.
///
/// The model keeps its own queue. Where the delays of the world leave open whether the SDK did one
/// thing before another (a call and an answer within one hand-off), both are lawful; `slack` says
/// how far.
public final class ReferenceModel {
  let history: History
  let arena: UnsafeRawBufferPointer

  /// Every message that a call, or something that happened to the app, must yield, in order.
  public internal(set) var messages: [ExpectedMessage] = []
  /// Calls that were refused and yield none.
  public internal(set) var refusedCalls: [UInt32] = []
  var processes: [ProcessModel] = []
  var buffer = MessageBuffer()
  var users: [String] = []
  var drawn: [DrawnIdentifier] = []
  /// The messages in the queue of the living process, oldest first, as indices of `messages`.
  public internal(set) var queue: [Int32] = []
  /// What lies on disk while the living process has not applied its config, oldest first.
  public internal(set) var dormant: [Int32] = []
  /// The process that `queue` belongs to, or -1.
  public internal(set) var queueProcess: Int32 = -1
  /// The newest `$first_open` that its own process has sent, or -1.
  var sightedFirstOpen: Int32 = -1
  /// The process that it belonged to last, until the next one is launched; -1 while it is alive.
  var endedQueueProcess: Int32 = -1
  /// What the newest request held; see `Sighting`.
  public internal(set) var sightings: [Sighting] = []

  /// The power went since the last process that looked at the disk.
  var hasLostPower = false
  /// A power loss may take the newest ids from `install.json`.
  var identityMayBeUnsynced = false
  /// The same of `session.json`.
  var sessionMayBeUnsynced = false
  var storedIdentity = StoredIdentity.open
  /// The world damaged `install.json` since the last launch.
  var hasDamagedIdentity = false
  var storedDecision = StoredDecision.known(ConsentDecision())
  /// The world damaged `consent.json` since it was last written.
  var hasDamagedDecision = false
  /// The install of the newest process.
  var install: UInt32?
  /// The world damaged the spare.
  var hasDamagedSpare = false
  /// A process that had not loaded the queue was told to wipe it.
  var mayBeWiped = false
  var storedSession = StoredSession.open
  /// The world damaged `session.json` since the last launch.
  var hasDamagedSession = false

  /// By FNV-1a 64 of the id, the newest expected message with it.
  var byIdentifier = HashIndex()
  /// For each distinct message of the ledger: its expected message, -1 for none.
  var expectedOfWire: [Int32] = []
  /// For each distinct message of the ledger how it differs from what must be sent.
  public internal(set) var wireDeviations: [Deviation] = []
  /// Per type the messages not seen on the wire yet, in order; those seen are dropped lazily.
  var unsighted: [[Int32]] = Array(repeating: [], count: 6)
  /// Per type and process the messages not found on disk yet.
  var unjournaled: [Int32] = []
  /// Losses that the world's delays may undo.
  var recentLosses: [(message: Int32, running: Int64)] = []
  /// Messages that may still be in the SDK's queue although the model evicted them.
  var doubtfulCount = 0
  /// Whether the newest answer of a getter is right; nil after any other call.
  var getterVerdict: GetterVerdict?
  /// Messages that wait to be sent, and that the newest fact takes off the disk, or tries to.
  public internal(set) var takenOff: [Int32] = []
  var openings = OpeningTruth()
  /// The same for all later processes, since marketing was granted anew (S-02).
  var advertisingClosed: Int64 = -1
  /// Up to here a death or a failed write leaves that open.
  var advertisingOpen: Int64 = -1
  /// The advertising id of the device.
  lazy var advertisingId = Array(history.header.device.advertisingId.utf8)
  /// The record at which the newest `$first_open` was found, or -1.
  var madeAtRecord = -1
  /// Where the newest event of a crash was found.
  var crashFoundAtRecord = -1
  var changes: [AppChange] = []
  /// Those that belong to the launch of an earlier process.
  /// What is true of the main thread while it is blocked.
  public internal(set) var stall: Stall?
  /// The newest stall that is over.
  public internal(set) var endedStall: Stall?
  var hangs: [Hang] = []
  var lateFirstOpens: [Int32] = []
  /// Of each screen view its id, empty until known.
  var pageviews: [[UInt8]] = []
  var leaves: [ExpectedLeave] = []
  /// The names of automatic screens.
  var automaticNames: [String] = []
  var appearances: [Appearance] = []
  /// Every crash, in order.
  var crashes: [CrashTruth] = []
  /// The crash of the process that is dying, or -1.
  var dyingCrash = -1
  /// The world damaged a file of a crash since the last launch.
  var hasDamagedCrash = false
  var firstOpenFaults: [(message: Int32, fault: FirstOpenFault)] = []
  /// What is read at the instant of the call or input that is taken now.
  var moment = CauseMoment()
  /// See `ExpectedMessage.occurrence`.
  var occurrences: Int64 = 0
  /// The latest message, by occurrence, that was seen first on the wire; -1 before.
  var newestSighted: Int32 = -1
  /// The message of the call that has not returned yet.
  var openCallMessage: Int32 = -1

  /// The longest that hand-offs may separate a call from what it leads to, in running nanoseconds.
  let slack: Int64

  static let appendBound: Int64 = 1_000_000_000
  static let wipeBound: Int64 = 5_000_000_000
  static let barrierBound: Int64 = 5_000_000_000
  static let largestMessage = 32_768
  static let largestAge: Int64 = 2_592_000_000_000_000
  /// 2026-01-01T00:00:00Z in milliseconds.
  static let releaseDate: Int64 = 1_767_225_600_000
  static let day: Int64 = 86_400_000
  static let configTimeout = TimeSpan.seconds(3)

  /// A start whose process may still read its `install.json`.
  private var pendingStart: (record: Record, body: UnsafeRawBufferPointer?)?

  init(history: History, arena: UnsafeRawBufferPointer) {
    self.history = history
    self.arena = arena
    slack = ReferenceModel.appendBound + history.header.longestHandOff
    messages.reserveCapacity(history.calls.count)
    buffer.bytes.reserveCapacity(history.calls.count * 1_024)
  }

  // MARK: Asking

  /// The options in force in a process.
  public func options(_ process: Int32) -> ResolvedOptions {
    let index = Int(process)
    return index >= 0 && index < processes.count ? processes[index].options : ResolvedOptions()
  }

  /// Whether a process has applied its config.
  public func isStarted(_ process: Int32) -> Bool {
    let index = Int(process)
    return index >= 0 && index < processes.count && processes[index].stage == .started
  }

  /// The expected message of a distinct message on the wire, or -1.
  public func expected(ofWire message: Int) -> Int32 {
    message < expectedOfWire.count ? expectedOfWire[message] : -1
  }

  /// Whether nothing kept the running process from knowing a message: it made it itself and has not
  /// written it yet, or could read its file whenever it tried.
  func isReadable(_ index: Int, _ context: JudgeContext) -> Bool {
    if messages[index].troubledProcess == queueProcess { return false }
    let journal = messages[index].journalRecord
    if journal < 0 { return messages[index].process == queueProcess }
    return !context.disk.isListTroubled && !context.disk.records[journal].isGone
  }

  /// Whether the newest process has not looked at the queue on disk yet.
  var hasToLoadQueue: Bool {
    processes.last.map { $0.stage == .fresh || $0.hasToLoadQueue } ?? false
  }

  /// Anchored time of a process at a reading of the clock that runs in sleep, in nanoseconds; nil
  /// before its first call.
  public func anchoredTime(_ process: Int32, continuous: Int64) -> Int64? {
    let index = Int(process)
    guard index >= 0, index < processes.count, processes[index].anchorWall != nil else {
      return nil
    }
    return processes[index].anchoredTime(continuous: continuous)
  }

  // MARK: Taking facts

  func take(_ record: Record, _ context: JudgeContext) {
    if let pending = pendingStart, record.process == pending.record.process,
      !ReferenceModel.isLook(record.fact)
    {
      pendingStart = nil
      start(pending.record, body: pending.body, context)
    }
    takenOff.removeAll(keepingCapacity: true)
    if stall != nil { advanceStall(record, context) }
    switch record.fact {
    case .callBegan(let call, _, let thread, let wall, let continuous):
      begin(call, thread, wall, continuous, record, context)
    case .callReturned(let call, let hasValue, let value):
      finish(call, hasValue, value)
      judgeGetter(call, hasValue, value, record, context)
    case .disk(let operation, let outcome, _, _, let path, let target, _, _):
      if operation == .append || operation == .write { startInFirstJob(record, context) }
      takeDisk(operation, outcome, path, record, context)
      if dyingCrash >= 0 { noteDyingWrite(outcome, path, context) }
      if operation == .rename, context.disk.isDecision(target) { noteMark(record, context) }
      if outcome != .done { noteFailure(record, context) }
    case .fileContent(let path, _):
      tieNewRecords(record, context)
      if context.disk.isDecision(path) { noteMark(record, context) }
    case .fileDamaged(let path, _):
      takeDamage(path, context)
      excuseCrashes(path, context)
    case .fileLost, .crashed, .crashHandlerRan: takeCrash(record, context)
    case .requestStarted(let exchange, let host, _, _, _, _, _, _, _, _, _):
      if host == .config { noteConfigRequest(exchange, record) }
      if host == .attribution { noteAttributionRequest(exchange, record, context) }
      if host == .collector { startInFirstJob(record, context) }
      takeRequest(exchange, record, context)
    case .answered(let exchange, let copy, _, _, _): takeAnswer(exchange, copy, context)
    case .exchangeEnded(let exchange, _, _, _, _):
      takeEnd(exchange, record, context)
      takeAttributionEnd(exchange, record, context)
    case .exchangeCancelled(let exchange):
      if isConfig(exchange, record.process) { start(record, body: nil, context) }
    case .controllerAppeared(let controller, _, let continuous):
      takeAppearance(controller, continuous, record, context)
    case .firstQueueJobEnded:
      loadQueue(record, context)
      startInFirstJob(record, context)
    case .mainThread, .debugger, .stackSampled: takeMainThread(record, context)
    case .attributionTokenAsked: noteTokenAsked(record, context)
    case .attributionTokenTold(let token): takeToken(token, record, context)
    case .deviceChanged(_, _, let id): advertisingId = Array(arena.slice(id))
    case .launched: launch(record, context)
    case .phase(let phase): takePhase(phase, record, context)
    case .ended:
      finishCrash(record, context)
      if stall?.process == record.process { endStall(record, context) }
      endProcess(record, context)
    case .powerLost: losePower()
    case .installed(let kind):
      takeInstall(kind, record)
      if kind == .reinstall || kind == .restore { excuseCrashes(nil, context) }
    case .storageLock(let event):
      takeLock(record, context)
      // It asks once before it starts.
      if event == .refused, let pending = pendingStart, record.process == pending.record.process {
        pendingStart = nil
        start(pending.record, body: pending.body, context)
      }
    default: break
    }
    if stall != nil { advanceStall(record, context) }
  }

  /// A process that could not read who it is may look again before it starts.
  func startOrWait(_ record: Record, body: UnsafeRawBufferPointer?, _ context: JudgeContext) {
    let state = processes[Int(record.process)]
    let mayBeRefused =
      history.header.hasSharedGroup && context.storageLock.holder != record.process
      && state.decisionRead != .locked
    if state.installIsUncertain || state.decisionRead == .uncertain || mayBeRefused {
      pendingStart = (record, body)
    } else {
      start(record, body: body, context)
    }
  }

  private static func isLook(_ fact: Fact) -> Bool {
    switch fact {
    case .disk(.read, _, _, _, _, _, _, _), .disk(.list, _, _, _, _, _, _, _),
      .disk(.size, _, _, _, _, _, _, _), .logged, .faultTookEffect, .storageLock,
      .backgroundTaskBegan:
      return true
    default: return false
    }
  }

  private func launch(_ record: Record, _ context: JudgeContext) {
    let index = Int(record.process)
    guard index >= 0 else { return }
    while processes.count <= index { processes.append(ProcessModel()) }
    let state = context.processes[record.process]
    hasDamagedIdentity = false
    hasDamagedSession = false
    hasDamagedCrash = false
    endedQueueProcess = -1
    if let install, install != state.install {
      // Another install: what the one before has stored is gone, or came along with it.
      storedDecision = .open
      storedIdentity = .open
      storedSession = .open
      openings = OpeningTruth()
    }
    install = state.install
    processes[index] = ProcessModel()
    processes[index].boot = state.boot
    processes[index].appPair = AppPair(
      version: Array(arena.slice(state.version)), build: Array(arena.slice(state.build)))
    processes[index].firstOccurrence = occurrences
    processes[index].contextParts = ContextParts(
      history.header.device, version: arena.slice(state.version), build: arena.slice(state.build),
      model: context.processes.deviceModel.map { arena.slice($0) },
      system: context.processes.systemVersion.map { arena.slice($0) })
    processes[index].hasAttribution = AttributionWait.isOffered(
      bySystem: context.processes.systemVersion.map { context.text($0) }
        ?? history.header.device.systemVersion)
  }

  /// Without a config to wait for, the start is part of the SDK's first job: it has happened when
  /// that job writes, sends, or ends.
  private func startInFirstJob(_ record: Record, _ context: JudgeContext) {
    let index = Int(record.process)
    guard index >= 0, index < processes.count, processes[index].stage == .loading,
      !processes[index].options.remoteConfig
    else { return }
    start(record, body: nil, context)
  }

  private func noteConfigRequest(_ exchange: UInt32, _ record: Record) {
    let index = Int(record.process)
    guard index >= 0, index < processes.count, processes[index].stage == .loading,
      processes[index].configExchange < 0
    else { return }
    processes[index].configExchange = Int64(exchange)
  }

  func isConfig(_ exchange: UInt32, _ process: Int32) -> Bool {
    let index = Int(process)
    guard index >= 0, index < processes.count else { return false }
    return processes[index].stage == .loading
      && processes[index].configExchange == Int64(exchange)
  }

  func newDrawn() -> Int32 {
    drawn.append(DrawnIdentifier())
    return Int32(drawn.count - 1)
  }
}

/// One message of the newest request, as the model sees it.
public struct Sighting {
  /// The index in `WireLedger.slots`.
  public var slot: Int
  /// The index in `WireLedger.messages`.
  public var wire: Int
  /// The index in `ReferenceModel.messages`, or -1 if no call explains the message.
  public var expected: Int32
  /// The call's message was in no request before.
  public var isFirst: Bool
  /// These bytes were in no request before.
  public var isNewContent: Bool
  /// No call explains it, but for its id it equals a message of the request before.
  public var isRenamed: Bool
  /// How the content differs from what must be sent; only for new content.
  public var deviation: Deviation
  /// The same for the event of a crash, which has a rule of its own.
  public var crashDeviation: Deviation = []
  /// The lawful loss that the model had seen: the message should not be here.
  public var contradictedLoss: LossReason?
  /// A message that was made later was sent before it: an index in `ReferenceModel.messages`, else
  /// -1.
  public var overtakenBy: Int32
  /// How long it has been in the queue by now, by the anchored clock, in nanoseconds.
  public var age: Int64
}
