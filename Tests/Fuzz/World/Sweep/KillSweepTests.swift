import Foundation
import FuzzHistory
import FuzzInvariants
import FuzzScenario
import FuzzWorld
import SimKernel
import Testing

/// The process dies, or the power goes, at every step of the file system and at every event of the
/// config request; what the next launches make of it must satisfy all invariants.
@Suite struct KillSweepTests {
  /// An app with analytics on that appends, removes delivered batches, and starts new files.
  private func life(_ randomness: UInt64) -> Scenario {
    var scenario = Scenario()
    scenario.name = "kill sweep"
    scenario.randomness = randomness
    scenario.duration = .hours(2)
    scenario.config.consentMode = "implied"
    var start = AppStart()
    start.options.flushAt = 5
    scenario.start = start
    var actions: [ActionKind] = []
    var instants: [TimeSpan] = []
    func add(_ span: TimeSpan, _ kind: ActionKind) {
      instants.append(span)
      actions.append(kind)
    }
    func visit(at minute: Int64, _ events: ClosedRange<Int>) {
      add(.minutes(minute), .foreground)
      for number in events {
        add(
          .minutes(minute) + .milliseconds(1_500 + 900 * Int64(number - events.lowerBound)),
          .call(
            thread: UInt16(number % 3),
            .track(
              event: "step_\(number)", properties: [PropertyEntry("n", .int(Int64(number)))],
              messageId: nil)))
      }
      add(
        .minutes(minute) + .seconds(20),
        .call(thread: 0, .identify(userId: "usr_\(minute)", traits: [])))
      add(.minutes(minute) + .seconds(40), .background)
    }
    visit(at: 1, 0...11)
    visit(at: 30, 20...27)
    // The queue is rewritten while nothing can be delivered.
    add(.minutes(50), .link(.none))
    visit(at: 51, 30...45)
    add(.minutes(60), .link(.wifi))
    visit(at: 61, 50...52)
    add(.minutes(90), .foreground)
    scenario.actions = zip(instants, actions).enumerated().map {
      Action(id: UInt32($0.offset + 1), moment: .at($0.element.0), kind: $0.element.1)
    }
    return scenario
  }

  private func killed(_ scenario: Scenario, _ trigger: Trigger, _ cause: EndCause) -> Scenario {
    var killed = scenario
    killed.actions.append(Action(id: 1_000, moment: .after(trigger), kind: .end(cause)))
    return killed
  }

  private func findings(_ scenario: Scenario) -> [Finding] {
    let result = World(scenario).run()
    return Judge.judge(result.history).findings
  }

  /// Each step of each life is struck by a kill and by a power cut, and the app comes back unlocked
  /// and locked. A plain `swift test` draws once for each; the heavy one several times.
  @Test func everyDiskStepByItsSubject() {
    let draws: UInt64 = isHeavy ? 6 : 1
    var table = SweepTable()
    for life in SweepLife.all {
      let healthy = World(life.with(randomness: 1)).run().history
      #expect(Judge.judge(healthy).findings == [], "\(life.name)")
      let steps = SweepReader.steps(of: healthy)
      #expect(steps.count > 30, "\(life.name)")
      for step in steps {
        for draw in 0..<draws { strike(life, step, UInt64(step.number) + draw, &table) }
      }
    }
    print("kill and power sweep:\n\(table.text)")
    for subject in SweepSubject.named {
      for death in SweepDeath.allCases {
        for launch in SweepLaunch.allCases {
          let cases = table.cases(subject, death, launch)
          #expect(cases > 0, "\(subject.rawValue), \(death.rawValue), \(launch.rawValue)")
          for progress in [SweepProgress.before, .after] {
            let cases = table.cases(subject, death, launch, progress)
            #expect(cases > 0, "\(subject.rawValue), \(death.rawValue) \(progress.rawValue) it")
          }
        }
      }
    }
  }

  private func strike(
    _ life: SweepLife, _ step: SweepStep, _ draw: UInt64, _ table: inout SweepTable
  ) {
    for death in SweepDeath.allCases {
      for launch in SweepLaunch.allCases {
        let trial = SweepCase(
          life: life, step: step, death: death, launch: launch,
          declines: launch == .locked && draw % 3 == 0,
          randomness: 1 + (draw + (launch == .locked ? 3 : 0)) % 7)
        let history = World(trial.scenario).run().history
        let found = Judge.judge(history).findings
        #expect(found == [], "\(trial.name)")
        guard let progress = trial.progress(of: history) else {
          Issue.record("nothing was struck: \(trial.name)")
          continue
        }
        table.count(step.subject, death, launch, progress)
      }
    }
  }

  private var isHeavy: Bool { ProcessInfo.processInfo.environment["SIMLAB_HEAVY"] != nil }

  /// What was written some seconds ago is durable, whoever wrote it: also after a crash that came
  /// before the barrier, and in a process that only found it.
  @Test func everyFewSecondsWithoutPower() {
    var cases = 0
    let scenario = life(1)
    for second in stride(from: 61, to: 3_800, by: isHeavy ? 2 : 13) as StrideTo<Int64> {
      if second % 60 > 58 || second % 1_800 > 180 && second % 60 > 4 { continue }
      for crash in [nil, 1, 9] as [Int64?] {
        var cut = scenario
        let end = TimeSpan.seconds(second)
        if let crash {
          cut.actions.append(
            Action(id: 998, moment: .at(end - .seconds(crash)), kind: .end(.crash)))
          cut.actions.append(
            Action(id: 999, moment: .at(end - .milliseconds(crash * 900)), kind: .foreground))
        }
        cut.actions.append(
          Action(id: 1_000, moment: .at(end), kind: .powerLoss(off: .seconds(20))))
        #expect(findings(cut) == [], "power cut at \(second) s, crash \(crash ?? 0) s before")
        cases += 1
      }
    }
    print("power sweep: \(cases) power cuts between steps")
  }

  @Test func everyWorldEventOfTheConfigRequest() {
    var cases = 0
    for randomness in 1...(isHeavy ? 3 : 1) as ClosedRange<UInt64> {
      for launch in 1...4 {
        for event in [WorldEvent.launched, .configStarted, .configArrived, .configEnded] {
          for delay in [0, 1, 3, 20, 80, 200, 900] as [Int64] {
            var scenario = life(randomness)
            scenario.actions.append(
              Action(
                id: 999,
                moment: .after(Trigger(.launched, occurrence: launch, plus: .milliseconds(7))),
                kind: .call(
                  thread: 1, .track(event: "held", properties: [], messageId: "held-\(launch)"))))
            let killed = killed(
              scenario, Trigger(event, occurrence: launch, plus: .milliseconds(delay)), .crash)
            #expect(findings(killed) == [], "\(event.rawValue) \(launch) plus \(delay) ms")
            cases += 1
          }
        }
      }
    }
    print("kill sweep: \(cases) deaths around the config request")
  }
}
