import SDK
import SimKernel

/// The lock of the container that the app shares with its extensions.
final class SimStorageLockPort: StorageLockPort, @unchecked Sendable {
  private unowned let world: World
  private let process: AppProcess
  let isShared: Bool

  init(_ world: World, _ process: AppProcess) {
    self.world = world
    self.process = process
    isShared = world.scenario.hasSharedGroup
  }

  func tryLock() -> StorageLockAnswer {
    world.enterPort(.storage)
    return world.tryStorageLock(process)
  }

  func unlock() { world.releaseStorageLock(process) }
}
