import FuzzScenario
import SimKernel

/// A repetition that goes on.
struct RunningRepetition {
  /// The action that began it.
  var action: UInt32
  var repetition: Repetition
  /// The step that comes next, and the turn it belongs to, from 1.
  var step = 0
  var round: UInt32 = 1
}

/// Repetitions: one event waits at a time, however long they are.
extension World {
  private static let waitStream = StreamName("repetition.wait")

  static func actor(of thread: UInt16) -> UInt32 { 0x100 + UInt32(thread) }

  func begin(_ repetition: Repetition, action: UInt32) {
    if repetition.steps.isEmpty || repetition.times < 1 { return }
    repetitions.append(RunningRepetition(action: action, repetition: repetition))
    scheduleStep(of: repetitions.count - 1)
  }

  private func scheduleStep(of place: Int) {
    let running = repetitions[place]
    let step = running.repetition.steps[running.step]
    let key = UInt64(running.action) << 32 | UInt64(running.step)
    let wait = draw(step.waitMicroseconds, World.waitStream, key, UInt64(running.round))
    var actor: UInt32 = 2
    switch step.kind {
    case .call(let thread, _): actor = World.actor(of: thread)
    case .appear: actor = World.actor(of: 0)
    default: break
    }
    simulation.schedule(
      Event(
        instant: device.now + .microseconds(wait), actor: actor, kind: EventKind.step,
        payload: UInt32(place)))
  }

  func performStep(of payload: UInt32) {
    let place = Int(payload)
    let running = repetitions[place]
    let kind = running.repetition.steps[running.step].kind
    // Each step of a turn draws for itself; turns are fewer than a million.
    let turn = running.round | UInt32(running.step) << 20
    perform(kind, action: running.action, round: turn)
    repetitions[place].step += 1
    if repetitions[place].step == running.repetition.steps.count {
      repetitions[place].step = 0
      repetitions[place].round += 1
      if Int(running.round) >= running.repetition.times { return }
    }
    scheduleStep(of: place)
  }
}
