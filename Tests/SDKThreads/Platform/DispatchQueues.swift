import Dispatch
import SDK

/// A serial queue of the real system.
final class DispatchSerialQueue: SerialQueuePort {
  private let queue: DispatchQueue
  private let next = Locked<UInt64>(0)
  private let timers = Locked<[UInt64: DispatchWorkItem]>([:])

  init(label: String) { queue = DispatchQueue(label: label) }

  func async(_ job: @escaping @Sendable () -> Void) { queue.async(execute: job) }

  /// Time of the machine passes `pace` times as fast, so that a flush interval passes in a test.
  static let pace = 20

  func schedule(
    afterNanoseconds nanoseconds: Int64, clock: TimerClock, _ job: @escaping @Sendable () -> Void
  ) -> TimerToken {
    let token = next.access { value in
      value += 1
      return value
    }
    let item = DispatchWorkItem { [timers] in
      timers.access { $0[token] = nil }
      job()
    }
    timers.access { $0[token] = item }
    queue.asyncAfter(
      deadline: .now() + .nanoseconds(Int(nanoseconds) / DispatchSerialQueue.pace), execute: item)
    return TimerToken(value: token)
  }

  func cancel(_ token: TimerToken) {
    timers.access { $0.removeValue(forKey: token.value) }?.cancel()
  }

  /// Waits until all jobs given before have ended.
  func drain() { queue.sync {} }
}

/// Makes queues of the real system; `main` is one of them, as a test owns no main thread.
final class DispatchScheduler: SchedulerPort {
  private let mainQueue = DispatchSerialQueue(label: "main")
  private let made = Locked<[DispatchSerialQueue]>([])

  var main: any SerialQueuePort { mainQueue }

  func makeSerialQueue(label: String) -> any SerialQueuePort {
    let queue = DispatchSerialQueue(label: label)
    made.access { $0.append(queue) }
    return queue
  }

  /// Waits until every queue has ended the jobs it had.
  func drain() {
    for queue in made.access({ $0 }) + [mainQueue] { queue.drain() }
  }
}
