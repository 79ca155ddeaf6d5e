/// The clock that a timer's deadline belongs to.
public enum TimerClock: UInt8, Sendable {
  /// Stands still while the device sleeps.
  case awake
  /// Runs on while the device sleeps; what fell due in a suspension fires at resume.
  case continuous
}

/// Names a timer so that it can be cancelled.
public struct TimerToken: Hashable, Sendable {
  public var value: UInt64
  public init(value: UInt64) { self.value = value }
}

/// A queue that runs one job at a time, first in, first out.
public protocol SerialQueuePort: AnyObject, Sendable {
  /// Runs a job later, after all jobs given before. Never waits.
  func async(_ job: @escaping @Sendable () -> Void)
  /// Runs a job on this queue once `nanoseconds` have passed on a clock.
  func schedule(
    afterNanoseconds nanoseconds: Int64, clock: TimerClock, _ job: @escaping @Sendable () -> Void
  ) -> TimerToken
  /// Stops a timer; its job does not run any more if it has not started.
  func cancel(_ token: TimerToken)
}

/// Makes the queues of the SDK.
public protocol SchedulerPort: AnyObject, Sendable {
  /// The main queue.
  var main: any SerialQueuePort { get }
  /// A new serial queue with a background priority.
  func makeSerialQueue(label: String) -> any SerialQueuePort
}
