import FuzzHistory
import SDK
import SimKernel

/// The controllers of the app: each installation of the hook is counted, and each hook calls.
final class SimViewControllerPort: ViewControllerPort, @unchecked Sendable {
  private unowned let world: World
  private let process: AppProcess

  init(_ world: World, _ process: AppProcess) {
    self.world = world
    self.process = process
  }

  func hookAppearances(_ handler: @escaping @Sendable (ViewControllerFacts) -> Void) {
    guard process.isAlive else { return }
    world.recorder.record(.appearancesHooked)
    world.appearanceHooks.append(handler)
  }
}
