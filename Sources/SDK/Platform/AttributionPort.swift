/// How the copy of the app that runs came onto the device, as the platform tells it.
public enum Distribution: UInt8, Sendable {
  case appStore
  case testFlight
  /// Signed for development, or installed by other means than a store.
  case development
  /// It runs in the simulator.
  case simulator
}

/// Where the install came from, as far as the platform knows.
public protocol AttributionPort: AnyObject, Sendable {
  func distribution() -> Distribution
  /// Asks for the token with which Apple's attribution API tells of the install. There is none in
  /// the simulator and before iOS 14.3; it may take long, or never come.
  /// - Parameter completion: runs on `queue`, at most once; nil is no token.
  func attributionToken(
    on queue: any SerialQueuePort, _ completion: @escaping @Sendable (String?) -> Void)
}

/// A machine that knows nothing of where the app came from.
public final class NoAttribution: AttributionPort {
  public init() {}

  /// Always the simulator.
  public func distribution() -> Distribution { .simulator }

  /// Says that there is none.
  public func attributionToken(
    on queue: any SerialQueuePort, _ completion: @escaping @Sendable (String?) -> Void
  ) {
    queue.async { completion(nil) }
  }
}
