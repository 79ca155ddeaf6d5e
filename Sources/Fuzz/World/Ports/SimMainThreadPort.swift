import FuzzHistory
import SDK
import SimKernel

/// The main thread of a process as the SDK sees it.
final class SimMainThreadPort: MainThreadPort, @unchecked Sendable {
  private unowned let world: World
  private let process: AppProcess

  init(_ world: World, _ process: AppProcess) {
    self.world = world
    self.process = process
  }

  func observe(_ handler: @escaping @Sendable (SDK.RunLoopActivity) -> Void) {
    world.device.observeRunLoop(process) { activity in
      switch activity {
      case .afterWaiting: handler(.afterWaiting)
      case .beforeSources: handler(.beforeSources)
      case .beforeWaiting: handler(.beforeWaiting)
      }
    }
  }

  func isDebuggerAttached() -> Bool { process.isDebugged }

  func sampleStack() -> [String] { world.sampleMainThread(process) }
}
