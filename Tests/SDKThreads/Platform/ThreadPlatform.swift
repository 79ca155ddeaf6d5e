import Dispatch
import SDK

/// A machine with real threads: queues of the system, and everything else in memory behind locks.
struct ThreadPlatform {
  let scheduler = DispatchScheduler()
  let application = ThreadApplication()
  let storage = MemoryStorage()
  let server: ThreadServer
  let platform: Platform

  init(
    config: String = #"{"consent":{"mode":"none"}}"#, refusesEveryFifth: Bool = false
  ) {
    server = ThreadServer(config: config, refusesEveryFifth: refusesEveryFifth)
    platform = Platform(
      clock: PacedClock(), random: CountingRandom(), storage: storage, http: server,
      scheduler: scheduler, application: application, context: ThreadContext(),
      attribution: ThreadAttribution(), log: ThreadLog())
  }
}

/// The system's own monotonic clock at the pace of the timers.
final class PacedClock: ClockPort {
  private let start = DispatchTime.now().uptimeNanoseconds

  private var elapsed: Int64 {
    Int64(DispatchTime.now().uptimeNanoseconds - start) * Int64(DispatchSerialQueue.pace)
  }

  func wall() -> Int64 { 1_780_000_000_000_000_000 + elapsed }
  func awake() -> Int64 { elapsed }
  func continuous() -> Int64 { elapsed }
  func bootIdentifier() -> UInt64 { 1 }
}

/// Counts, so that no two draws are equal.
final class CountingRandom: RandomPort {
  private let count = Locked<UInt64>(0)

  func random128(_ purpose: RandomPurpose, key: UInt64) -> (high: UInt64, low: UInt64) {
    let value = count.access { count in
      count += 1
      return count
    }
    return (value &* 0x9e37_79b9_7f4a_7c15, value)
  }
}

/// An app whose life a test leads.
final class ThreadApplication: ApplicationPort {
  private let handlers = Locked<[@Sendable (ApplicationEvent) -> Void]>([])
  private let current = Locked<ApplicationState>(.active)
  private let tasks = Locked<(next: UInt64, open: Set<UInt64>)>((0, []))

  /// Tasks that were begun and not ended.
  var openTasks: Int { tasks.access { $0.open.count } }

  func observe(_ handler: @escaping @Sendable (ApplicationEvent) -> Void) {
    handlers.access { $0.append(handler) }
  }

  func state() -> ApplicationState { current.access { $0 } }

  func stateOnMainThread() -> ApplicationState? { nil }

  func beginBackgroundTask(expiration: @escaping @Sendable () -> Void) -> BackgroundTaskToken? {
    tasks.access { tasks in
      tasks.next += 1
      tasks.open.insert(tasks.next)
      return BackgroundTaskToken(value: tasks.next)
    }
  }

  func endBackgroundTask(_ token: BackgroundTaskToken) {
    tasks.access { _ = $0.open.remove(token.value) }
  }

  /// Tells the SDK, on the queue that stands for the main thread.
  func tell(_ event: ApplicationEvent, state: ApplicationState, on main: any SerialQueuePort) {
    main.async { [self] in
      current.access { $0 = state }
      for handler in handlers.access({ $0 }) { handler(event) }
    }
  }
}

/// Never changes.
final class ThreadContext: ContextPort {
  func fixed() -> FixedContext {
    FixedContext(
      appName: "Kiosk", appVersion: "1.0", appBuild: "1", appNamespace: "com.example.kiosk",
      deviceType: "phone", deviceManufacturer: "Apple", deviceModel: "iPhone15,2",
      systemName: "iOS", systemVersion: "17.5")
  }

  func current() -> CurrentContext {
    CurrentContext(
      locale: "en-US", timeZone: "Europe/Berlin", network: .wifi, screenWidth: 393,
      screenHeight: 852)
  }
}

/// Has no token, and says so at once.
final class ThreadAttribution: AttributionPort {
  func distribution() -> Distribution { .appStore }

  func attributionToken(
    on queue: any SerialQueuePort, _ completion: @escaping @Sendable (String?) -> Void
  ) {
    queue.async { completion(nil) }
  }
}

/// Counts what it is told.
final class ThreadLog: LogPort {
  private let count = Locked(0)

  func log(_ diagnostic: Diagnostic) { count.access { $0 += 1 } }
}
