/// Queues and timers of the process.
extension Device {
  /// Makes a serial queue.
  /// - Returns: its number; 0 is the main queue.
  public func makeQueue(_ process: AppProcess, label: String) -> UInt16 {
    let number = UInt16(process.queues.count)
    process.queues.append(
      WorkQueue(actor: 0x1000 + UInt32(number), number: number, label: label))
    process.busyUntil.append(.start)
    return number
  }

  /// Gives a job to a queue.
  public func post(_ process: AppProcess, queue: UInt16, _ job: @escaping () -> Void) {
    guard process.isAlive else { return }
    process.queues[Int(queue)].add(job)
    wake(process, Int(queue))
  }

  /// Runs a job on a queue once `span` has passed on a clock.
  /// - Returns: a number to cancel it with.
  public func schedule(
    _ process: AppProcess, queue: UInt16, after span: TimeSpan, base: TimerBase,
    _ job: @escaping () -> Void
  ) -> UInt64 {
    guard process.isAlive else { return 0 }
    let order = process.nextTimerOrder
    process.nextTimerOrder += 1
    let due = now + max(span, .zero)
    var timer = ProcessTimer(
      queue: Int(queue), base: base, deadline: clockValue(base, at: due), order: order,
      event: .none, job: job)
    if process.phase != .suspended { timer.event = schedule(timer, at: due, process) }
    process.timers.append(timer)
    return order
  }

  /// Stops a timer whose job has not started.
  public func cancelTimer(_ process: AppProcess, _ order: UInt64) {
    guard let place = process.timers.firstIndex(where: { $0.order == order }) else { return }
    simulation.cancel(process.timers[place].event)
    process.timers.remove(at: place)
  }

  /// What still waits in the process, in words; empty when it is quiet.
  public func pendingWork(_ process: AppProcess) -> [String] {
    var pending: [String] = []
    for queue in process.queues where !queue.isEmpty { pending.append("jobs on \(queue.label)") }
    if !process.timers.isEmpty { pending.append("\(process.timers.count) timers") }
    if network.inFlight > 0 { pending.append("\(network.inFlight) requests") }
    if !process.tasks.isEmpty { pending.append("\(process.tasks.count) background tasks") }
    return pending
  }

  func wake(_ process: AppProcess, _ place: Int) {
    if process.queues[place].isAwake || process.phase == .suspended { return }
    if place == 0, process.mainBlockedUntil != nil { return }
    process.queues[place].isAwake = true
    let actor = process.queues[place].actor
    let handOff = owner?.deviceHandOff(actor: actor) ?? .zero
    scheduleWake(process, place, at: max(now + handOff, process.busyUntil[place]))
  }

  private func scheduleWake(_ process: AppProcess, _ place: Int, at instant: Instant) {
    simulation.schedule(
      Event(
        instant: instant, actor: process.queues[place].actor, kind: EventKind.queueWake,
        generation: process.generation, payload: UInt32(place)))
  }

  func runQueue(_ place: Int, of process: AppProcess) {
    if process.phase == .suspended || place == 0 && process.mainBlockedUntil != nil {
      process.queues[place].isAwake = false
      return
    }
    guard let job = process.queues[place].take() else {
      process.queues[place].isAwake = false
      return
    }
    let number = process.queues[place].number
    runningQueue = number
    if place == 0 { runMain(process, job) } else { job() }
    runningQueue = nil
    owner?.deviceRanJob(process, queue: number)
    guard process.isAlive else { return }
    process.busyUntil[place] = now
    if process.queues[place].isEmpty {
      process.queues[place].isAwake = false
    } else {
      scheduleWake(process, place, at: now)
    }
  }

  // MARK: Timers

  private func clockValue(_ base: TimerBase, at instant: Instant) -> Int64 {
    switch base {
    case .awake: return clocks.awake(at: instant)
    case .continuous: return clocks.continuous(at: instant)
    }
  }

  private func schedule(_ timer: ProcessTimer, at instant: Instant, _ process: AppProcess)
    -> EventHandle
  {
    simulation.schedule(
      Event(
        instant: instant, actor: process.queues[timer.queue].actor, kind: EventKind.timer,
        generation: process.generation, payload: UInt32(truncatingIfNeeded: timer.order)))
  }

  func fireTimer(_ order: UInt32, of process: AppProcess) {
    guard
      let place = process.timers.firstIndex(where: {
        UInt32(truncatingIfNeeded: $0.order) == order
      })
    else { return }
    deliver(process, process.timers[place])
  }

  /// The timer is due: its job goes to the queue, and may still be cancelled until it starts.
  private func deliver(_ process: AppProcess, _ timer: ProcessTimer) {
    let order = timer.order
    post(process, queue: UInt16(timer.queue)) { [unowned process] in
      guard let place = process.timers.firstIndex(where: { $0.order == order }) else { return }
      let timer = process.timers.remove(at: place)
      timer.job?()
    }
  }

  /// Stops the clocks of all timers; their deadlines stay.
  func freezeTimers(_ process: AppProcess) {
    for place in process.timers.indices {
      simulation.cancel(process.timers[place].event)
      process.timers[place].event = .none
    }
  }

  /// What fell due in the suspension fires now, in the order of its deadlines.
  func thawTimers(_ process: AppProcess) {
    var overdue: [ProcessTimer] = []
    for place in process.timers.indices {
      let timer = process.timers[place]
      let left = timer.deadline - clockValue(timer.base, at: now)
      if left <= 0 {
        overdue.append(timer)
      } else {
        process.timers[place].event = schedule(
          timer, at: now + TimeSpan(nanoseconds: left), process)
      }
    }
    overdue.sort {
      ($0.base.rawValue, $0.deadline, $0.order) < ($1.base.rawValue, $1.deadline, $1.order)
    }
    for timer in overdue { deliver(process, timer) }
  }
}
