import FuzzHistory
import FuzzInvariants
import FuzzScenario
import FuzzWorld
import SimKernel

/// A device on which an app crashes, with the event told by the next launch: recorded, then edited.
enum CrashRun {
  /// An app whose own mode allows analytics, and that has a crash reporter before the SDK.
  static func scenario(_ plans: [CrashPlan]) -> Scenario {
    var scenario = Scenario()
    var start = AppStart()
    start.options.consent = .notRequired
    scenario.start = start
    scenario.earlierReporter = true
    scenario.duration = .minutes(20)
    var now: Int64 = 1
    func add(_ kind: ActionKind, after seconds: Int64) {
      now += seconds
      scenario.actions.append(
        Action(id: UInt32(scenario.actions.count + 1), moment: .at(.seconds(now)), kind: kind))
    }
    add(.foreground, after: 0)
    for plan in plans {
      add(.call(thread: 0, .screen(name: "Checkout", properties: [])), after: 5)
      add(.crash(plan), after: 20)
      add(.foreground, after: 60)
    }
    return scenario
  }

  static let exception: CrashPlan = {
    var plan = CrashPlan(.exception)
    plan.name = "NSRangeException"
    plan.reason = "index 4 beyond bounds"
    plan.frames = [CrashPlan.Frame("Kiosk", "-[KCList row:]", offset: 88)]
    return plan
  }()

  static func record(_ plans: [CrashPlan] = [exception]) -> History {
    World(scenario(plans)).run().history
  }

  /// The rules that fire on a history, each once, in order of their ids.
  static func fired(_ history: History) -> [String] {
    Array(Set(Judge.judge(history).findings.map(\.invariant))).sorted()
  }

  /// Puts another text in the place of one, of the same length, in every request that holds it.
  static func rewrite(_ old: String, as new: String, in history: History) {
    for (place, record) in history.records.enumerated() {
      guard
        case .requestStarted(
          let exchange, let host, let attempt, let isPost, let url, let headers, let body,
          let idle, let total, let wall, let continuous) = record.fact,
        history.contains(old, in: body)
      else { continue }
      let text = history.text(body).split(separator: old, omittingEmptySubsequences: false)
        .joined(separator: new)
      var record = record
      record.fact = .requestStarted(
        exchange: exchange, host: host, attempt: attempt, isPost: isPost, url: url,
        headers: headers, body: history.store(text), idleTimeoutMilliseconds: idle,
        totalTimeoutMilliseconds: total, wall: wall, continuous: continuous)
      history.replaceRecord(at: place, with: record)
    }
  }
}
