/// What the platform tells the app about its life.
///
/// Raw values key random draws.
public enum AppNotification: UInt8, Sendable, CaseIterable {
  case didFinishLaunching
  case willEnterForeground
  case didBecomeActive
  case willResignActive
  case didEnterBackground
  case willTerminate
  case protectedDataDidBecomeAvailable
  case protectedDataWillBecomeUnavailable
}

/// One process of the app, from launch to death. A dead process is an empty shell: whatever code of
/// it still runs to its end has no effect on anything.
public final class AppProcess {
  /// Counted from 0 in launch order.
  public let ordinal: Int32
  public let kind: LaunchKind
  public internal(set) var isAlive = true
  public internal(set) var phase: AppPhase
  /// How many requests were in flight when the process died.
  public internal(set) var requestsAtDeath = 0
  /// What code asks for as the application state.
  public var isForeground: Bool { phase == .active || phase == .inactive }

  var queues: [WorkQueue]
  /// No job of a queue starts before this instant.
  var busyUntil: [Instant] = [.start]
  var timers: [ProcessTimer] = []
  var nextTimerOrder: UInt64 = 1
  var observers: [(AppNotification) -> Void] = []
  var tasks: [BackgroundTask] = []
  var nextTask: UInt32 = 1
  /// When the shared background time began to run.
  var backgroundSince: Instant = .start
  /// How long the app may stay in the background without a task.
  var graceSpan: TimeSpan = .zero
  var suspendEvent: EventHandle = .none
  var tasksExpired = false
  /// The user is on the way out: the background follows.
  var isLeaving = false
  /// How many scenes of the app are in the foreground.
  var scenes = 1
  /// The first scene of a cold start is not connected yet.
  var awaitsScene = false
  /// It was told that it has finished launching.
  var hasFinishedLaunching = false
  /// What it was not told of protected data while it was suspended.
  var missedProtection: AppNotification?

  // The main thread.
  /// Code of the app blocks it until then.
  var mainBlockedUntil: Instant?
  /// For how long it is still blocked when the process comes out of its suspension.
  var mainBlockedLeft: TimeSpan?
  var unblockEvent: EventHandle = .none
  /// What waits until it is free.
  var deferred: [() -> Void] = []
  /// Since when a step of the app's life waits for it.
  var transitionSince: Instant?
  /// Its run loop turns without waiting until then.
  var spinsUntil: Instant?
  var isInCycle = false
  var runLoopObservers: [(RunLoopActivity) -> Void] = []
  /// A debugger is attached.
  public internal(set) var isDebugged = false

  struct BackgroundTask {
    var id: UInt32
    var expiration: () -> Void
  }

  init(ordinal: Int32, kind: LaunchKind, phase: AppPhase) {
    self.ordinal = ordinal
    self.kind = kind
    self.phase = phase
    queues = [WorkQueue(actor: 0x1000, number: 0, label: "main")]
  }

  var generation: UInt16 { UInt16(truncatingIfNeeded: ordinal) }

  /// Frees everything that the process held.
  func die() {
    isAlive = false
    queues.removeAll()
    timers.removeAll()
    observers.removeAll()
    runLoopObservers.removeAll()
    deferred.removeAll()
    tasks.removeAll()
  }
}
