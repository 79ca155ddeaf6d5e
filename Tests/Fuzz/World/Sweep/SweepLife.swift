import FuzzHistory
import FuzzScenario
import SimKernel

/// A short life of an app whose every step of the file system is visited.
///
/// All delays are fixed: with another randomness a life takes the same steps at the same instants,
/// and only what a death leaves of a step is drawn anew.
struct SweepLife: Sendable {
  var name: String
  var scenario: Scenario

  init(_ name: String, mode: HostOptions.ConsentMode, _ make: (inout SweepLifeBuilder) -> Void) {
    self.name = name
    scenario = Scenario()
    scenario.name = name
    scenario.timing.handOffMicroseconds = 100...100
    scenario.timing.diskStepMicroseconds = 100...100
    scenario.timing.networkMilliseconds = 50...50
    scenario.timing.serverMilliseconds = 10...10
    var start = AppStart()
    start.options.consent = mode
    start.options.remoteConfig = false
    start.options.flushAt = 5
    var builder = SweepLifeBuilder(scenario: scenario, start: start)
    make(&builder)
    scenario = builder.scenario
    scenario.start = builder.start
    scenario.duration = builder.end + .seconds(60)
  }

  /// The life with other draws.
  func with(randomness: UInt64) -> Scenario {
    var scenario = scenario
    scenario.randomness = randomness
    return scenario
  }
}

/// Writes a life down, second by second.
struct SweepLifeBuilder {
  var scenario: Scenario
  var start: AppStart
  private(set) var end = TimeSpan.zero

  init(scenario: Scenario, start: AppStart) {
    self.scenario = scenario
    self.start = start
  }

  mutating func at(_ second: Int64, _ kinds: ActionKind...) {
    for (place, kind) in kinds.enumerated() {
      let instant = TimeSpan.seconds(second) + .milliseconds(100 * Int64(place))
      end = max(end, instant)
      scenario.actions.append(
        Action(id: UInt32(scenario.actions.count + 1), moment: .at(instant), kind: kind))
    }
  }

  mutating func tracks(from second: Int64, _ count: Int64) {
    for number in 0..<count { at(second + number, .track("step_\(second + number)")) }
  }
}

extension ActionKind {
  static func track(_ event: String) -> ActionKind {
    .call(thread: 1, .track(event: event, properties: [], messageId: nil))
  }

  static func consent(_ analytics: Bool?, marketing: Bool? = nil) -> ActionKind {
    .call(thread: 0, .consent(analytics: analytics, marketing: marketing))
  }

  static let flush = ActionKind.call(thread: 0, .flush)

  static func identify(_ user: String) -> ActionKind {
    .call(thread: 0, .identify(userId: user, traits: []))
  }
}

extension SweepLife {
  static let all: [SweepLife] = [
    visits, withdrawnWithFullQueue, withdrawnInFlight, withdrawnOnFullDisk, lateFacts,
    withdrawnWhileWaiting, updated,
  ]

  /// Messages come and go, the user signs in and out, and a session ends by the time away.
  private static let visits = SweepLife("visits", mode: .implied) { life in
    life.at(1, .foreground)
    life.tracks(from: 3, 6)
    life.at(12, .identify("user-1"), .flush)
    life.at(20, .background)
    life.at(40 * 60, .foreground, .track("new session"))
    life.at(40 * 60 + 5, .call(thread: 0, .reset), .track("after reset"), .identify("user-2"))
    life.at(40 * 60 + 10, .background)
    life.at(40 * 60 + 30, .foreground)
  }

  /// Granted, filled up without a network, withdrawn, granted again.
  private static let withdrawnWithFullQueue = SweepLife("full queue", mode: .required) { life in
    life.start.options.maxQueueSize = 8
    life.at(0, .link(.none))
    life.at(1, .foreground, .track("before"))
    life.at(3, .consent(true))
    life.tracks(from: 4, 9)
    life.at(16, .consent(false), .track("without"))
    life.at(25, .consent(true), .track("again"))
    life.at(32, .link(.wifi), .flush)
    life.at(40, .background)
    life.at(60, .foreground)
  }

  /// Withdrawn while the collector takes its time over a request.
  private static let withdrawnInFlight = SweepLife("in flight", mode: .implied) { life in
    var rule = ServerRule(host: .collector)
    rule.count = 1
    rule.answer.delayMilliseconds = 4_000
    life.scenario.rules = [rule]
    life.at(1, .foreground)
    life.tracks(from: 2, 3)
    life.at(5, .flush, .track("next"), .consent(false), .track("without"))
    life.at(15, .consent(true, marketing: false), .track("again"))
    life.at(18, .flush)
    life.at(25, .background)
  }

  /// No room is left when the user changes their mind: the spare takes the decision.
  private static let withdrawnOnFullDisk = SweepLife("full disk", mode: .implied) { life in
    life.at(0, .link(.none))
    life.at(1, .foreground)
    life.tracks(from: 2, 3)
    life.at(8, .diskRoom(bytes: 0), .track("no room"), .consent(false), .track("without"))
    life.at(20, .diskRoom(bytes: nil), .consent(true), .track("again"))
    life.at(30, .link(.wifi), .flush)
    life.at(40, .background)
  }

  /// What is known of the install comes late, after the app has gone once.
  private static let lateFacts = SweepLife("late facts", mode: .implied) { life in
    life.scenario.attribution.delay = 9_000
    life.at(1, .foreground, .track("before"))
    life.at(4, .background)
    life.at(8, .foreground)
    life.at(20, .flush)
    life.at(24, .end(.userSwipe))
    life.at(30, .foreground, .track("next process"), .flush)
    life.at(36, .consent(false))
    life.at(40, .consent(true))
    life.at(55, .flush)
    life.at(58, .background)
  }

  /// Withdrawn before the opening is queued, and once more before it is tried.
  private static let withdrawnWhileWaiting = SweepLife("untried", mode: .required) { life in
    life.scenario.attribution.delay = 3_000
    life.at(0, .link(.none))
    life.at(1, .foreground, .consent(true))
    life.at(3, .consent(false))
    life.at(5, .consent(true))
    life.at(10, .end(.memoryKill))
    life.at(15, .foreground, .consent(false, marketing: true))
    life.at(20, .consent(true))
    life.at(26, .link(.wifi), .flush)
    life.at(30, .background)
  }

  /// Another version comes, and a build of it.
  private static let updated = SweepLife("updates", mode: .implied) { life in
    life.at(1, .foreground, .track("first"))
    life.at(6, .background)
    life.at(10, .update(version: "1.5.0", build: "150"))
    life.at(12, .foreground, .track("second"))
    life.at(16, .flush)
    life.at(20, .background)
    life.at(24, .update(version: "1.5.0", build: "151"))
    life.at(26, .foreground, .flush)
    life.at(32, .background)
  }
}
