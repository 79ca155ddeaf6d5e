import SimKernel

/// A run of bytes in the arena of a history.
public struct ByteSlice: Hashable, Sendable {
  public var offset: UInt32
  public var count: UInt32

  public init(offset: UInt32, count: UInt32) {
    self.offset = offset
    self.count = count
  }

  public static let empty = ByteSlice(offset: 0, count: 0)
}

/// The server that a request goes to.
public enum HostKind: UInt8, Sendable, CaseIterable {
  case config
  case collector
  /// A path that no server offers.
  case unknown
  /// Apple's attribution API.
  case attribution
}

/// A kind of port, for calls that must not enter one (INV-16).
public enum PortKind: UInt8, Sendable, CaseIterable {
  case storage
  case http
  case wait
  case mainQueue
  case clock
  case random
  case context
  case application
  case log
}

/// How the app's copy came onto the device.
public enum DistributionKind: String, Hashable, Sendable, CaseIterable {
  case appStore = "app_store"
  case testFlight = "testflight"
  case development
  case simulator
}

/// Whether the user lets the app track.
public enum TrackingState: UInt8, Hashable, Sendable, CaseIterable {
  case notDetermined
  case restricted
  case denied
  case authorized
}

/// The size of a screen in points, as the user holds the device.
public struct ScreenSize: Hashable, Sendable {
  public var width: UInt32
  public var height: UInt32

  public init(width: UInt32, height: UInt32) {
    self.width = width
    self.height = height
  }
}

/// Where a collector sends conversions on to.
public enum AdPlatform: String, Hashable, Sendable, CaseIterable {
  case meta
  case tiktok
}

/// What a collector does with a message that it accepted.
public enum CollectorDeed: UInt8, Hashable, Sendable, CaseIterable {
  /// Stored as an event of a visitor; the bytes are the stored form.
  case stored
  /// Counted without cookies: stored without any id.
  case counted
  /// Contact data of an identify, encrypted.
  case contactStored
  /// The word of a contact on e-mail or SMS, with the proof of it.
  case channelConsentStored
  /// Where the session of an install came from.
  case touchSet
  /// Address and user agent of a conversion, encrypted until it is delivered.
  case vaultFilled
  case vaultErased
  /// A conversion went to Meta; the bytes are what was sent.
  case sentToMeta
  /// The same for TikTok.
  case sentToTikTok
}

/// What may be asked of the ids of device and user.
public enum IdentityQuestion: UInt8, Hashable, Sendable, CaseIterable {
  case advertisingId
  case vendorId
  /// The system's question whether the app may track was shown.
  case trackingPrompt
}

/// One thing that truly happened or was observed. All payloads are plain values; bytes and names
/// are slices of the history's arena, host calls are indices into `History.calls`.
public enum Fact: Sendable {
  // The device.
  /// A process started. `version` and `build` are those of the app.
  case launched(
    kind: LaunchKind, boot: UInt64, install: UInt32, version: ByteSlice, build: ByteSlice)
  case ended(EndCause)
  case phase(AppPhase)
  /// The wall clock was set: nanoseconds since the Unix epoch before and after.
  case wallClockSet(before: Int64, after: Int64)
  case linkChanged(LinkKind)
  /// The screen was locked or unlocked; the first unlock after `rebooted` makes files readable.
  case lockChanged(isLocked: Bool)
  /// Files of the class "complete" can be read from now on, or not any more.
  case protectedDataAvailable(Bool)
  /// The device is on again, locked, with new monotonic clocks.
  case rebooted(boot: UInt64)
  /// The power is gone; `fileLost` follows for each file and folder that is not as it was.
  case powerLost
  /// Of this file or folder the power loss took what was not durable: it is gone, unless
  /// `fileContent` follows.
  case fileLost(path: ByteSlice)
  /// Another copy of the app has come onto the device. After a reinstall or a restore the files are
  /// those that `fileContent` names.
  case installed(InstallKind)
  /// The lock of the container that app and extension share.
  case storageLock(StorageLockEvent)
  /// Locale and zone as the app would read them from now on.
  case localeChanged(locale: ByteSlice, zone: ByteSlice)
  /// The screen is of another size than before, or than the header says.
  case screenResized(ScreenSize)
  /// Whether the user lets the app track, from now on.
  case trackingChanged(TrackingState)
  /// Model, system and advertising id of the device from now on: after a system update, or on
  /// another device.
  case deviceChanged(model: ByteSlice, systemVersion: ByteSlice, advertisingId: ByteSlice)
  /// A fault changed what a port or host answered. `fault` is the raw value of `FaultKind`.
  case faultTookEffect(fault: UInt8, detail: UInt32)
  case fileDamaged(path: ByteSlice, FileDamage)
  /// Bytes of a file after what the world did to it; follows `fileDamaged` unless it vanished.
  case fileContent(path: ByteSlice, bytes: ByteSlice)

  /// A controller of the app has appeared: what `ViewController.json` says of it. `continuous` is
  /// what the clock that runs in sleep showed.
  case controllerAppeared(controller: ByteSlice, action: UInt32, continuous: Int64)
  /// The SDK has hooked the callback of controllers that appear.
  case appearancesHooked
  /// Code of the app blocks its main thread, or does not any more. `stack` is the call stack there
  /// while it does, a line a frame as the platform gives it.
  case mainThread(isBlocked: Bool, stack: ByteSlice)
  /// A debugger is attached to the process, or not any more.
  case debugger(isAttached: Bool)
  /// The SDK looked at the call stack of the main thread.
  case stackSampled

  // Calls. `wall`, `continuous` are what the clocks showed; `call` indexes `History.calls`.
  case callBegan(
    call: UInt32, action: UInt32, thread: UInt16, wall: Int64, continuous: Int64)
  /// `value` is what a getter or `track` returned (getContext: its JSON); `hasValue` false is nil.
  case callReturned(call: UInt32, hasValue: Bool, value: ByteSlice)
  case portEnteredInCall(call: UInt32, port: PortKind)
  /// The SDK asked for the token of the install's attribution.
  case attributionTokenAsked
  /// The SDK was told the token; empty is none.
  case attributionTokenTold(token: ByteSlice)
  /// The SDK asked for what identifies the device or its user.
  case identityAsked(IdentityQuestion)
  /// The first job of the SDK's queue after `load` has begun to write or send, or has ended.
  case firstQueueJobEnded

  // Crashes.
  /// The process has crashed on a thread, 0 being the main one; `frames` are the lines of its stack
  /// as the platform gives them, the top first. Everything up to `ended` happens while it dies.
  case crashed(
    kind: CrashKind, thread: UInt16, threadName: ByteSlice, name: ByteSlice, reason: ByteSlice,
    frames: ByteSlice, isStackOverflow: Bool, continuous: Int64)
  /// A handler was entered, for an exception or for a signal.
  case crashHandlerRan(CrashReporter, isSignal: Bool)
  /// The SDK put its handlers in front of those that were there.
  case crashHandlersInstalled
  /// The SDK's handler of a signal entered a port that it may not enter (CRA-18).
  case portEnteredInHandler(PortKind)

  // The disk. `queue` is 0 on main, else the number of a serial queue; `bytes` are those written.
  case disk(
    DiskOperation, outcome: DiskOutcome, queue: UInt16, step: UInt32, path: ByteSlice,
    target: ByteSlice, offset: UInt32, bytes: ByteSlice)

  // The wire. `exchange` numbers the requests of a run.
  case requestStarted(
    exchange: UInt32, host: HostKind, attempt: UInt32, isPost: Bool, url: ByteSlice,
    headers: ByteSlice, body: ByteSlice, idleTimeoutMilliseconds: UInt32,
    totalTimeoutMilliseconds: UInt32, wall: Int64, continuous: Int64)
  /// The request reached its server; `copy` is 0, or 1 for one that arrived twice.
  case requestArrived(exchange: UInt32, copy: UInt8)
  /// The server acted and answered; the answer may be lost. Headers are `Name: value` lines.
  case answered(exchange: UInt32, copy: UInt8, status: UInt16, headers: ByteSlice, body: ByteSlice)
  /// The app heard of the end of a request. Status and bytes are what the app received.
  case exchangeEnded(
    exchange: UInt32, end: ExchangeEnd, status: UInt16, headers: ByteSlice, body: ByteSlice)
  case exchangeCancelled(exchange: UInt32)
  /// The collector did something with the message at a place of a batch.
  case collected(CollectorDeed, exchange: UInt32, place: UInt16, bytes: ByteSlice)

  // The rest of the platform.
  case backgroundTaskBegan(task: UInt32)
  case backgroundTaskEnded(task: UInt32)
  case backgroundTaskExpired(task: UInt32)
  /// A line of the SDK's log, told for people and for rules about the log itself.
  case logged(code: UInt8, needsAttention: Bool, text: ByteSlice)

  // The run.
  case calmBegan
  /// The calm is over; `pending` names what was still pending, empty when all was quiet.
  case calmEnded(pending: ByteSlice)
}

/// The kinds of `Fact`, for subscriptions.
public enum FactKind: UInt8, Sendable, CaseIterable {
  case launched, ended, phase, wallClockSet, linkChanged, localeChanged, faultTookEffect
  case fileDamaged, fileContent
  case callBegan, callReturned, portEnteredInCall, firstQueueJobEnded
  case attributionTokenAsked, attributionTokenTold, identityAsked
  case disk
  case requestStarted, requestArrived, answered, exchangeEnded, exchangeCancelled
  case backgroundTaskBegan, backgroundTaskEnded, backgroundTaskExpired, logged
  case calmBegan, calmEnded
  case lockChanged, protectedDataAvailable, rebooted, powerLost, fileLost, installed, storageLock
  case controllerAppeared, appearancesHooked
  case crashed, crashHandlerRan, crashHandlersInstalled, portEnteredInHandler
  case mainThread, debugger, stackSampled
  case trackingChanged, deviceChanged, collected
  case screenResized
}

extension Fact {
  public var kind: FactKind {
    switch self {
    case .launched: return .launched
    case .ended: return .ended
    case .phase: return .phase
    case .wallClockSet: return .wallClockSet
    case .linkChanged: return .linkChanged
    case .localeChanged: return .localeChanged
    case .screenResized: return .screenResized
    case .faultTookEffect: return .faultTookEffect
    case .fileDamaged: return .fileDamaged
    case .fileContent: return .fileContent
    case .callBegan: return .callBegan
    case .callReturned: return .callReturned
    case .portEnteredInCall: return .portEnteredInCall
    case .firstQueueJobEnded: return .firstQueueJobEnded
    case .attributionTokenAsked: return .attributionTokenAsked
    case .attributionTokenTold: return .attributionTokenTold
    case .identityAsked: return .identityAsked
    case .trackingChanged: return .trackingChanged
    case .deviceChanged: return .deviceChanged
    case .collected: return .collected
    case .disk: return .disk
    case .requestStarted: return .requestStarted
    case .requestArrived: return .requestArrived
    case .answered: return .answered
    case .exchangeEnded: return .exchangeEnded
    case .exchangeCancelled: return .exchangeCancelled
    case .backgroundTaskBegan: return .backgroundTaskBegan
    case .backgroundTaskEnded: return .backgroundTaskEnded
    case .backgroundTaskExpired: return .backgroundTaskExpired
    case .logged: return .logged
    case .calmBegan: return .calmBegan
    case .calmEnded: return .calmEnded
    case .lockChanged: return .lockChanged
    case .protectedDataAvailable: return .protectedDataAvailable
    case .rebooted: return .rebooted
    case .powerLost: return .powerLost
    case .fileLost: return .fileLost
    case .installed: return .installed
    case .storageLock: return .storageLock
    case .controllerAppeared: return .controllerAppeared
    case .appearancesHooked: return .appearancesHooked
    case .crashed: return .crashed
    case .crashHandlerRan: return .crashHandlerRan
    case .crashHandlersInstalled: return .crashHandlersInstalled
    case .portEnteredInHandler: return .portEnteredInHandler
    case .mainThread: return .mainThread
    case .debugger: return .debugger
    case .stackSampled: return .stackSampled
    }
  }
}

/// A fact with its instant and process.
public struct Record: Sendable {
  /// True simulated time.
  public var instant: Instant
  /// The process, counted from 0 in launch order; -1 for the device, servers and the run.
  public var process: Int32
  public var fact: Fact

  public init(instant: Instant, process: Int32, fact: Fact) {
    self.instant = instant
    self.process = process
    self.fact = fact
  }
}
