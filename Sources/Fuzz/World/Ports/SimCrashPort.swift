import FuzzHistory
import SDK
import SimKernel

/// How the simulated process tells the SDK that it dies.
final class SimCrashPort: CrashPort, @unchecked Sendable {
  private unowned let world: World
  private let process: AppProcess
  private var path: String?

  init(_ world: World, _ process: AppProcess) {
    self.world = world
    self.process = process
  }

  var isAvailable: Bool { true }

  func install(_ handler: any CrashHandler, onOwnStack: Bool) {
    guard process.isAlive else { return }
    world.recorder.record(.crashHandlersInstalled)
    world.crashHandler = CrashHandlers(sdk: handler, isOnOwnStack: onOwnStack)
  }

  func open(_ path: String) throws(StorageError) {
    guard process.isAlive else { throw .inputOutput }
    world.enterPort(.storage)
    if world.device.disk.isProtected { throw .notPermitted }
    guard world.device.disk.index(of: path) != nil else { throw .notFound }
    self.path = path
  }

  func close() { path = nil }

  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard process.isAlive, let path, world.dying?.isOver == false else { return false }
    return world.writeWhileDying(path, Array(bytes))
  }

  func runEarlierHandlers() { world.runEarlierHandlers() }
}
