import FuzzHistory
import SDK
import SimKernel

/// The app around the SDK: notifications, state and background tasks.
final class SimApplicationPort: ApplicationPort, @unchecked Sendable {
  private unowned let world: World
  private let process: AppProcess

  init(_ world: World, _ process: AppProcess) {
    self.world = world
    self.process = process
  }

  func observe(_ handler: @escaping @Sendable (ApplicationEvent) -> Void) {
    world.device.observe(process) { notification in
      switch notification {
      case .didFinishLaunching: handler(.didFinishLaunching)
      case .willEnterForeground: handler(.willEnterForeground)
      case .didBecomeActive: handler(.didBecomeActive)
      case .willResignActive: handler(.willResignActive)
      case .didEnterBackground: handler(.didEnterBackground)
      case .willTerminate: handler(.willTerminate)
      case .protectedDataDidBecomeAvailable: handler(.protectedDataDidBecomeAvailable)
      case .protectedDataWillBecomeUnavailable: handler(.protectedDataWillBecomeUnavailable)
      }
    }
  }

  func state() -> ApplicationState {
    if world.dying != nil { world.noteHandlerPort(.application) }
    switch process.phase {
    case .active: return .active
    case .inactive: return .inactive
    case .background, .suspended, .resumed: return .background
    }
  }

  func stateOnMainThread() -> ApplicationState? {
    world.device.runningQueue == 0 ? state() : nil
  }

  func beginBackgroundTask(expiration: @escaping @Sendable () -> Void) -> BackgroundTaskToken? {
    guard let task = world.device.beginTask(process, expiration: expiration) else { return nil }
    world.recorder.record(.backgroundTaskBegan(task: task), detail: UInt64(task))
    return BackgroundTaskToken(value: UInt64(task))
  }

  func endBackgroundTask(_ token: BackgroundTaskToken) {
    guard process.isAlive else { return }
    let task = UInt32(truncatingIfNeeded: token.value)
    world.recorder.record(.backgroundTaskEnded(task: task), detail: UInt64(task))
    world.device.endTask(process, task)
  }
}
