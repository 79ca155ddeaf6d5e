import FuzzScenario
import SimKernel

/// Actions that wait for a world event, and how often each event that they wait for happened.
final class TriggerTable {
  private struct Awaited {
    let event: WorldEvent
    var count = 0
    var actions: [(action: Int, trigger: Trigger)] = []
  }

  private struct Countdown {
    var action: Int
    var steps: Int
  }

  private var awaited: [Awaited] = []
  private var countdowns: [Countdown] = []

  /// All are added before anything happens.
  func add(action: Int, _ trigger: Trigger) {
    let place = awaited.firstIndex { $0.event == trigger.event } ?? awaited.count
    if place == awaited.count { awaited.append(Awaited(event: trigger.event)) }
    awaited[place].actions.append((action, trigger))
  }

  /// Counts an event.
  /// - Returns: the actions that are due after it, with the time that is still to pass.
  func happened(_ event: WorldEvent) -> [(action: Int, plus: TimeSpan)] {
    guard let place = awaited.firstIndex(where: { $0.event == event }) else { return [] }
    awaited[place].count += 1
    let count = awaited[place].count
    var due: [(Int, TimeSpan)] = []
    for wait in awaited[place].actions where wait.trigger.occurrence == count {
      if wait.trigger.plusDiskSteps > 0 {
        countdowns.append(Countdown(action: wait.action, steps: wait.trigger.plusDiskSteps))
      } else {
        due.append((wait.action, wait.trigger.plus))
      }
    }
    return due
  }

  /// Counts a step of the file system.
  /// - Returns: the action that strikes inside this step.
  func diskStep() -> Int? {
    if countdowns.isEmpty { return nil }
    var striking: Int?
    for place in countdowns.indices {
      countdowns[place].steps -= 1
      if countdowns[place].steps == 0, striking == nil { striking = countdowns[place].action }
    }
    countdowns.removeAll { $0.steps <= 0 }
    return striking
  }
}
