import FuzzHistory
import SDK
import SimKernel

/// What the device knows of the install: told after the scenario's delay, or never.
final class SimInstallFactsPort: InstallFactsPort, @unchecked Sendable {
  private unowned let world: World
  private let process: AppProcess

  init(_ world: World, _ process: AppProcess) {
    self.world = world
    self.process = process
  }

  func resolve(
    on queue: any SerialQueuePort, _ completion: @escaping @Sendable (InstallFacts) -> Void
  ) {
    let answer = world.scenario.installFacts
    guard process.isAlive, !answer.isNever else { return }
    _ = queue.schedule(afterNanoseconds: answer.delay * 1_000_000, clock: .awake) {
      let history = self.world.recorder.history
      self.world.recorder.record(.installFactsTold(installer: history.store(answer.installer)))
      completion(InstallFacts(installer: answer.installer.isEmpty ? nil : answer.installer))
    }
  }
}
