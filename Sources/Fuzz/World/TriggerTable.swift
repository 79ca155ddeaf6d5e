import FuzzScenario
import SimKernel

/// Actions that wait for a world event, and how often each event happened.
struct TriggerTable {
  private struct Waiting {
    var action: Int
    var trigger: Trigger
  }

  private struct Countdown {
    var action: Int
    var steps: Int
  }

  private var waiting: [Waiting] = []
  private var counts = [Int](repeating: 0, count: WorldEvent.allCases.count)
  private var countdowns: [Countdown] = []

  private static let places: Lookup<WorldEvent, Int> = {
    var places = Lookup<WorldEvent, Int>()
    for (place, event) in WorldEvent.allCases.enumerated() { places[event] = place }
    return places
  }()

  mutating func add(action: Int, _ trigger: Trigger) {
    waiting.append(Waiting(action: action, trigger: trigger))
  }

  /// Counts an event.
  /// - Returns: the actions that are due after it, with the time that is still to pass.
  mutating func happened(_ event: WorldEvent) -> [(action: Int, plus: TimeSpan)] {
    if waiting.isEmpty { return [] }
    let place = TriggerTable.places[event] ?? 0
    counts[place] += 1
    var due: [(Int, TimeSpan)] = []
    for wait in waiting where wait.trigger.event == event {
      guard wait.trigger.occurrence == counts[place] else { continue }
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
  mutating func diskStep() -> Int? {
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
