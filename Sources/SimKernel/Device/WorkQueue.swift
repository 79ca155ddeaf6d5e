/// A serial queue of the simulated process: jobs run one at a time, first in, first out.
///
/// A hand-off delay belongs to the waking of the queue, not to a job in it (determinism rule 1):
/// jobs given to a queue that is awake run right after those before them.
struct WorkQueue {
  /// The kernel actor of this queue: one queue, one order.
  let actor: UInt32
  /// 0 is the main queue.
  let number: UInt16
  let label: String
  private var jobs: [(() -> Void)?] = []
  private var head = 0
  /// A wake event is on its way.
  var isAwake = false

  init(actor: UInt32, number: UInt16, label: String) {
    self.actor = actor
    self.number = number
    self.label = label
  }

  var isEmpty: Bool { head == jobs.count }

  mutating func add(_ job: @escaping () -> Void) { jobs.append(job) }

  mutating func take() -> (() -> Void)? {
    guard head < jobs.count else { return nil }
    let job = jobs[head]
    jobs[head] = nil
    head += 1
    if head == jobs.count {
      jobs.removeAll(keepingCapacity: true)
      head = 0
    }
    return job
  }

  mutating func removeAll() {
    jobs.removeAll()
    head = 0
    isAwake = false
  }
}

/// The clock that a timer's deadline belongs to.
public enum TimerBase: UInt8, Sendable {
  /// Stands still while the device sleeps.
  case awake
  /// Runs on while the device sleeps.
  case continuous
}

/// A timer of the simulated process.
struct ProcessTimer {
  var queue: Int
  var base: TimerBase
  /// On its clock, in nanoseconds.
  var deadline: Int64
  /// Order of creation, for timers that fall due together.
  var order: UInt64
  var event: EventHandle
  var job: (() -> Void)?
}
