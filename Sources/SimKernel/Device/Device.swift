/// Hears what happens on a device and runs the code of the app.
public protocol DeviceOwner: AnyObject {
  /// A process exists; its code has not run yet.
  func deviceLaunched(_ process: AppProcess)
  /// A process is gone with all it held.
  func deviceEnded(_ process: AppProcess, _ cause: EndCause)
  func deviceChangedPhase(_ process: AppProcess, _ phase: AppPhase)
  /// The screen was locked or unlocked.
  func deviceChangedLock(isLocked: Bool)
  /// Files of the class "complete" can be read from now on, or not any more.
  func deviceChangedProtection(isAvailable: Bool)
  /// The device is on again; its clocks have begun anew.
  func deviceBooted()
  /// A name for the next boot.
  func deviceBootIdentifier(boot: Int) -> UInt64
  /// Whether a notification is posted twice.
  func deviceRepeats(_ notification: AppNotification) -> Bool
  /// The app's own code blocks the main thread, or does not any more.
  func deviceChangedMainThread(_ process: AppProcess, isBlocked: Bool)
  /// A debugger is attached, or not any more.
  func deviceChangedDebugger(_ process: AppProcess, isAttached: Bool)
  func deviceBackgroundTaskExpired(_ process: AppProcess, task: UInt32)
  /// A job of a queue has ended.
  func deviceRanJob(_ process: AppProcess, queue: UInt16)
  /// The hand-off delay for a queue that wakes now.
  func deviceHandOff(actor: UInt32) -> TimeSpan
  /// An event that is not the device's own.
  func deviceReceived(_ event: Event)
}

/// One phone: a process with its queues and timers, the life of the app, clocks, disk and network.
///
/// Code of the app runs in jobs, one after the other; what a job does takes time (`spend`), which
/// delays its effects and the jobs behind it.
public final class Device: EventHandler {
  /// Kinds of kernel events; those from `firstOwnerKind` on belong to the owner.
  public enum EventKind {
    public static let queueWake: UInt16 = 1
    public static let timer: UInt16 = 2
    public static let lifecycle: UInt16 = 3
    public static let network: UInt16 = 4
    public static let power: UInt16 = 5
    public static let firstOwnerKind: UInt16 = 16
  }

  /// Payloads of lifecycle events.
  enum LifecycleStep: UInt32 {
    case becomeActive = 1
    case enterBackground
    case suspend
    case sleep
    case overlayEnds
    case connectScene
    case mainFree
    case turn
    case watchdog
  }

  public let simulation: Simulation
  public let network: Network
  public var clocks: DeviceClocks
  public var disk = Disk()
  public internal(set) var process: AppProcess?
  // Not weak: references to an object that has ever been weakly held are counted more slowly.
  public unowned var owner: DeviceOwner?
  /// The queue whose job runs now; nil outside of any code of the app.
  public internal(set) var runningQueue: UInt16?
  /// How long the code that runs now has taken so far.
  public internal(set) var elapsed: TimeSpan = .zero
  var nextOrdinal: Int32 = 0
  /// Where it stands between off and unlocked.
  public internal(set) var power = PowerState()
  /// How the app hears of its life.
  public var appStyle = AppStyle.delegate
  /// Since when nothing of the app has run that could have written.
  var quietSince: Instant?
  /// Somebody else's process holds the lock of the shared container until then.
  var foreignLockUntil: Instant?
  /// The process holds the lock of the shared container.
  public internal(set) var holdsStorageLock = false

  public init(simulation: Simulation, network: Network, clocks: DeviceClocks) {
    self.simulation = simulation
    self.network = network
    self.clocks = clocks
  }

  /// Frees what the process holds, at the end of a run.
  public func dispose() {
    process?.die()
    process = nil
  }

  /// True time as the code that runs now sees it.
  public var now: Instant { simulation.now + elapsed }

  /// The code that runs now takes so long for something.
  public func spend(_ span: TimeSpan) { elapsed = elapsed + span }

  // MARK: Events

  public func handle(_ event: Event) {
    elapsed = .zero
    switch event.kind {
    case EventKind.network:
      network.handle(event)
    case EventKind.power:
      handlePower(event)
    case EventKind.queueWake, EventKind.timer, EventKind.lifecycle:
      guard let process, process.isAlive, process.generation == event.generation else {
        if event.payload == LifecycleStep.sleep.rawValue, event.kind == EventKind.lifecycle {
          fallAsleepIfIdle()
        }
        return
      }
      handle(event, process)
    default:
      owner?.deviceReceived(event)
    }
    elapsed = .zero
  }

  private func handle(_ event: Event, _ process: AppProcess) {
    switch event.kind {
    case EventKind.queueWake:
      runQueue(Int(event.payload), of: process)
    case EventKind.timer:
      fireTimer(event.payload, of: process)
    default:
      if let step = LifecycleStep(rawValue: event.payload) { perform(step, process) }
    }
  }

  /// Runs code of the app on its main thread, or on a thread of its own with `thread` above 0.
  public func runCode(thread: UInt16, _ body: () -> Void) {
    let outer = runningQueue
    runningQueue = thread == 0 ? 0 : .max
    if thread == 0, let process { runMain(process, body) } else { body() }
    runningQueue = outer
  }
}
