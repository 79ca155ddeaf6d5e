/// What the main run loop does.
public enum RunLoopActivity: UInt8, Sendable {
  /// It has woken: a cycle begins.
  case afterWaiting
  /// It goes on to the next turn without having waited.
  case beforeSources
  /// Nothing is left to do: it waits.
  case beforeWaiting
}

/// The app's main thread as seen from outside (HNG).
public protocol MainThreadPort: AnyObject, Sendable {
  /// Calls `handler` on the main thread for each activity of its run loop from now on.
  func observe(_ handler: @escaping @Sendable (RunLoopActivity) -> Void)
  /// Whether a debugger holds the process: it may stop the main thread at will (HNG-05).
  func isDebuggerAttached() -> Bool
  /// The main thread's call stack now, a line a frame, top first; asked from another thread.
  func sampleStack() -> [String]
}

/// An app whose main thread nobody watches.
public final class UnwatchedMainThread: MainThreadPort {
  public init() {}
  /// Nothing is ever told.
  public func observe(_ handler: @escaping @Sendable (RunLoopActivity) -> Void) {}
  /// Nobody knows.
  public func isDebuggerAttached() -> Bool { false }
  /// Nothing is known.
  public func sampleStack() -> [String] { [] }
}
