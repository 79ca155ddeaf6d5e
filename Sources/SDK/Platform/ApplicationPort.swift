/// Where the app stands; inactive counts as foreground (S-46).
public enum ApplicationState: UInt8, Sendable {
  case active
  case inactive
  case background
}

/// What the platform tells an app about its life. May repeat and come in different orders.
public enum ApplicationEvent: UInt8, Sendable {
  case didFinishLaunching
  case willEnterForeground
  case didBecomeActive
  case willResignActive
  case didEnterBackground
  case willTerminate
  case protectedDataDidBecomeAvailable
  case protectedDataWillBecomeUnavailable
}

/// Names a background task.
public struct BackgroundTaskToken: Hashable, Sendable {
  public var value: UInt64
  public init(value: UInt64) { self.value = value }
}

/// The app around the SDK.
public protocol ApplicationPort: AnyObject, Sendable {
  /// Calls `handler` on the main thread for each event from now on.
  func observe(_ handler: @escaping @Sendable (ApplicationEvent) -> Void)
  /// The current state; read on the main thread only.
  func state() -> ApplicationState
  /// The current state if the caller runs on the main thread, else nil.
  func stateOnMainThread() -> ApplicationState?
  /// Asks for time in the background; all tasks share one budget of about 30 s.
  /// - Parameter expiration: runs on the main thread shortly before the time is up; the task must
  ///   end.
  /// - Returns: nothing if no time is given.
  func beginBackgroundTask(expiration: @escaping @Sendable () -> Void) -> BackgroundTaskToken?
  /// Ends a background task; each must be ended exactly once.
  func endBackgroundTask(_ token: BackgroundTaskToken)
}
