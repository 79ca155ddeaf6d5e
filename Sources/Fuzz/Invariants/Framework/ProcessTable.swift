import FuzzHistory
import SimKernel

/// What ground truth says of one process.
public struct ProcessState {
  public var launch: Instant = .start
  public var launchKind: LaunchKind = .foreground
  public var boot: UInt64 = 0
  /// Launched before anybody unlocked the device since its boot, and the files were still out of
  /// reach when the process first looked for them (CON-30).
  public var isLockedLaunch = false
  /// It has asked the file system for something.
  var hasLooked = false
  public var install: UInt32 = 0
  public var version: ByteSlice = .empty
  public var build: ByteSlice = .empty
  public var end: Instant?
  public var endCause: EndCause?
  /// The newest phase; nil before the first.
  public var phase: AppPhase?
  /// Since when no code runs; nil while it does.
  public var suspendedSince: Instant?
  /// Time spent suspended in all stays that are over.
  public var suspendedNanoseconds: Int64 = 0
  /// How far the SDK's queue is known to be busy: a job is recorded whole before what happens
  /// meanwhile, with the later instants of its steps.
  public var busyUntil: Instant = .start
  /// How often the world held back a job or a disk step on purpose.
  public var slowSteps: Int64 = 0
  /// When the app last came to the foreground (inactive or active out of anything else).
  public var lastForegroundEntry: Instant?
  /// When the app last went to the background.
  public var lastBackgroundEntry: Instant?

  public init() {}

  /// Whether the app is in the foreground; inactive counts (S-46).
  public var isForeground: Bool { phase == .active || phase == .inactive }
  public var isSuspended: Bool { suspendedSince != nil }
  public var isAlive: Bool { end == nil }
}

/// The processes of a history, by number.
public struct ProcessTable {
  public private(set) var states: [ProcessState] = []
  /// The process that runs now, or -1.
  public private(set) var current: Int32 = -1
  /// The network as the device has it (S-101); nil before the first `linkChanged`.
  public private(set) var link: LinkKind?
  public private(set) var locale: ByteSlice = .empty
  public private(set) var zone: ByteSlice = .empty
  /// The size of the screen; nil while it is that of the header.
  public private(set) var screenSize: ScreenSize?
  /// Whether the user lets the app track.
  public private(set) var tracking = TrackingState.notDetermined
  /// Model, system and advertising id of the device; nil while they are those of the header.
  public private(set) var deviceModel: ByteSlice?
  public private(set) var systemVersion: ByteSlice?
  public private(set) var advertisingId: ByteSlice?
  /// Somebody has unlocked the device since its boot.
  public private(set) var isUnlockedSinceBoot = true
  public private(set) var isLocked = false

  public init() {}

  /// The state of a process; an unknown number gives an empty state.
  public subscript(process: Int32) -> ProcessState {
    let index = Int(process)
    return index >= 0 && index < states.count ? states[index] : ProcessState()
  }

  /// Time since launch without the suspended part.
  public func runningTime(_ process: Int32, at instant: Instant) -> TimeSpan {
    let index = Int(process)
    guard index >= 0, index < states.count else { return .zero }
    var suspended = states[index].suspendedNanoseconds
    if let since = states[index].suspendedSince, since < instant {
      suspended += (instant - since).nanoseconds
    }
    return TimeSpan(nanoseconds: (instant - states[index].launch).nanoseconds - suspended)
  }

  /// Running time on which hand-offs are judged: it stands still while the SDK's queue is known to
  /// be busy and while the world holds it back.
  /// - Parameter longestHandOff: the longest the world holds back one job or step.
  public func undisturbedTime(
    _ process: Int32, at instant: Instant, longestHandOff: Int64
  ) -> TimeSpan {
    let state = self[process]
    let ahead = max(0, (state.busyUntil - instant).nanoseconds)
    return TimeSpan(
      nanoseconds: runningTime(process, at: instant).nanoseconds + ahead
        - state.slowSteps * longestHandOff)
  }

  private mutating func noteWork(_ record: Record) {
    let index = Int(record.process)
    guard index >= 0, index < states.count else { return }
    switch record.fact {
    case .disk, .requestStarted:
      if case .disk = record.fact { states[index].hasLooked = true }
      states[index].busyUntil = max(states[index].busyUntil, record.instant)
    case .faultTookEffect(let fault, _):
      if fault == FaultKind.diskSlow.rawValue || fault == FaultKind.queueSlow.rawValue {
        states[index].slowSteps += 1
      }
    default: return
    }
  }

  mutating func take(_ record: Record) {
    switch record.fact {
    case .disk, .requestStarted, .faultTookEffect: noteWork(record)
    case .launched(let kind, let boot, let install, let version, let build):
      guard record.process >= 0 else { return }
      let index = Int(record.process)
      while states.count <= index { states.append(ProcessState()) }
      var state = ProcessState()
      state.launch = record.instant
      state.launchKind = kind
      state.boot = boot
      state.isLockedLaunch = !isUnlockedSinceBoot
      state.install = install
      state.version = version
      state.build = build
      states[index] = state
      current = record.process
    case .ended(let cause):
      let index = Int(record.process)
      guard index >= 0, index < states.count else { return }
      leaveSuspension(index, at: record.instant)
      states[index].end = record.instant
      states[index].endCause = cause
      if current == record.process { current = -1 }
    case .phase(let phase): enter(phase, record)
    case .linkChanged(let kind): link = kind
    case .rebooted:
      isUnlockedSinceBoot = false
      isLocked = true
    case .lockChanged(let isLocked): setLock(isLocked)
    case .localeChanged(let newLocale, let newZone):
      locale = newLocale
      zone = newZone
    case .screenResized(let size): screenSize = size
    case .trackingChanged(let state): tracking = state
    case .deviceChanged(let model, let system, let id):
      deviceModel = model
      systemVersion = system
      advertisingId = id
    default: break
    }
  }

  private mutating func setLock(_ isLocked: Bool) {
    self.isLocked = isLocked
    if isLocked { return }
    isUnlockedSinceBoot = true
    let index = Int(current)
    guard index >= 0, index < states.count, !states[index].hasLooked else { return }
    states[index].isLockedLaunch = false
  }

  private mutating func enter(_ phase: AppPhase, _ record: Record) {
    let index = Int(record.process)
    guard index >= 0, index < states.count else { return }
    let wasForeground = states[index].isForeground
    if phase == .suspended {
      if states[index].suspendedSince == nil { states[index].suspendedSince = record.instant }
    } else {
      leaveSuspension(index, at: record.instant)
    }
    states[index].phase = phase
    if states[index].isForeground, !wasForeground {
      states[index].lastForegroundEntry = record.instant
    }
    if phase == .background { states[index].lastBackgroundEntry = record.instant }
  }

  private mutating func leaveSuspension(_ index: Int, at instant: Instant) {
    guard let since = states[index].suspendedSince else { return }
    states[index].suspendedNanoseconds += (instant - since).nanoseconds
    states[index].suspendedSince = nil
  }
}
