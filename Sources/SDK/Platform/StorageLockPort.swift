/// What came of asking for the lock of a shared container.
public enum StorageLockAnswer: UInt8, Sendable {
  /// The process holds it from now on, and what it may know of the files still stands: nobody else
  /// has held the lock since this process gave it back, or this process never had it before.
  case granted
  /// The process holds it from now on, but another one has held it since this process gave it back.
  case grantedAfterAnother
  /// Another process holds it.
  case refused
}

/// Keeps apart the processes that may use the SDK's folder (A-25, S-39): an app and its extensions,
/// where it lies in the container of a shared group.
///
/// A process that is suspended with the lock is killed by the system.
public protocol StorageLockPort: AnyObject, Sendable {
  /// Whether other processes can reach the folder; where they cannot, nobody asks for the lock.
  var isShared: Bool { get }
  /// Asks for the lock and never waits for it.
  func tryLock() -> StorageLockAnswer
  /// Gives the lock back.
  func unlock()
}

/// An app whose container is its own: there is nothing to be locked.
public final class OwnContainer: StorageLockPort {
  public init() {}
  /// Nobody else can reach the folder.
  public var isShared: Bool { false }
  /// Is never asked.
  public func tryLock() -> StorageLockAnswer { .granted }
  /// Is never given back.
  public func unlock() {}
}
