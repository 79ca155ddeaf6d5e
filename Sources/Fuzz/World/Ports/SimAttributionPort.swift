import FuzzHistory
import SDK
import SimKernel

/// What the device knows of where the app came from: the token is told after the scenario's delay,
/// or never.
final class SimAttributionPort: AttributionPort, @unchecked Sendable {
  private unowned let world: World
  private let process: AppProcess

  init(_ world: World, _ process: AppProcess) {
    self.world = world
    self.process = process
  }

  func distribution() -> Distribution {
    switch world.scenario.distribution {
    case .appStore: return .appStore
    case .testFlight: return .testFlight
    case .development: return .development
    case .simulator: return .simulator
    }
  }

  func attributionToken(
    on queue: any SerialQueuePort, _ completion: @escaping @Sendable (String?) -> Void
  ) {
    guard process.isAlive else { return }
    world.noteFirstQueueJob()
    world.recorder.record(.attributionTokenAsked)
    world.happened(.tokenAsked)
    let source = world.scenario.attribution
    if source.isNever { return world.reach(.tokenNeverTold) }
    let hasToken = world.scenario.distribution != .simulator && !source.token.isEmpty
    _ = queue.schedule(afterNanoseconds: source.delay * 1_000_000, clock: .awake) {
      let history = self.world.recorder.history
      self.world.recorder.record(
        .attributionTokenTold(token: hasToken ? history.store(source.token) : .empty))
      completion(hasToken ? source.token : nil)
    }
  }
}

/// The ids of device and user, and who asks for them.
final class SimIdentityPort: IdentityPort, @unchecked Sendable {
  private unowned let world: World
  private let process: AppProcess

  init(_ world: World, _ process: AppProcess) {
    self.world = world
    self.process = process
  }

  private func note(_ question: IdentityQuestion) {
    guard process.isAlive else { return }
    world.recorder.record(.identityAsked(question), detail: UInt64(question.rawValue))
  }

  func advertisingIdentifier() -> String {
    note(.advertisingId)
    return world.tracking == .authorized ? world.advertisingId : NoIdentity.zeros
  }

  func vendorIdentifier() -> String? {
    note(.vendorId)
    return world.scenario.device.vendorId
  }

  func requestTrackingAuthorization() { note(.trackingPrompt) }
}
