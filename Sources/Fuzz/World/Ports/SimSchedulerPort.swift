import FuzzHistory
import SDK
import SimKernel

/// A serial queue of the simulated process.
final class SimQueuePort: SerialQueuePort, @unchecked Sendable {
  private unowned let world: World
  private let process: AppProcess
  let number: UInt16

  init(_ world: World, _ process: AppProcess, number: UInt16) {
    self.world = world
    self.process = process
    self.number = number
  }

  func async(_ job: @escaping @Sendable () -> Void) {
    if world.dying != nil { world.noteHandlerPort(.wait) }
    if number == 0 { world.enterPort(.mainQueue) }
    world.device.post(process, queue: number, job)
  }

  func schedule(
    afterNanoseconds nanoseconds: Int64, clock: TimerClock, _ job: @escaping @Sendable () -> Void
  ) -> TimerToken {
    let base: TimerBase
    switch clock {
    case .awake: base = .awake
    case .continuous: base = .continuous
    }
    return TimerToken(
      value: world.device.schedule(
        process, queue: number, after: TimeSpan(nanoseconds: nanoseconds), base: base, job))
  }

  func cancel(_ token: TimerToken) { world.device.cancelTimer(process, token.value) }
}

/// Makes the queues of a process.
final class SimSchedulerPort: SchedulerPort, @unchecked Sendable {
  private unowned let world: World
  private let process: AppProcess
  let main: any SerialQueuePort

  init(_ world: World, _ process: AppProcess) {
    self.world = world
    self.process = process
    main = SimQueuePort(world, process, number: 0)
  }

  func makeSerialQueue(label: String) -> any SerialQueuePort {
    let number = process.isAlive ? world.device.makeQueue(process, label: label) : 0
    return SimQueuePort(world, process, number: number)
  }
}
