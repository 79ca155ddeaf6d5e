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

  /// The power goes in a step of the file system; after the boot the app starts at once, locked, or
  /// with the next visit.
  private func powerCut(_ scenario: Scenario, _ step: Int, isLocked: Bool, draw: UInt32)
    -> Scenario
  {
    var cut = scenario
    cut.actions.append(
      Action(
        id: 1_000 + draw, moment: .after(Trigger(.launched, plusDiskSteps: step)),
        kind: .powerLoss(off: .seconds(20))))
    if isLocked {
      cut.actions.append(
        Action(
          id: 2_000, moment: .after(Trigger(.booted, plus: .seconds(1))),
          kind: .launch(.background)))
      cut.actions.append(
        Action(
          id: 2_001, moment: .after(Trigger(.booted, plus: .seconds(3))),
          kind: .call(thread: 0, .track(event: "locked", properties: [], messageId: nil))))
    }
    return cut
  }

  private func findings(_ scenario: Scenario) -> [Finding] {
    let result = World(scenario).run()
    return Judge.judge(result.history).findings
  }

  private func changingSteps(_ scenario: Scenario) -> Int {
    var count = 0
    for record in World(scenario).run().history.records {
      if case .disk(let operation, _, _, _, _, _, _, _) = record.fact,
        operation != .list, operation != .size, operation != .read
      {
        count += 1
      }
    }
    return count
  }

  @Test func everyDiskStep() {
    var cases = 0
    for randomness in 1...3 as ClosedRange<UInt64> {
      let scenario = life(randomness)
      #expect(findings(scenario) == [])
      let steps = changingSteps(scenario)
      #expect(steps > 30)
      for step in 1...max(1, steps) {
        let killed = killed(
          scenario, Trigger(.launched, plusDiskSteps: step), step % 2 == 0 ? .crash : .memoryKill)
        let found = findings(killed)
        #expect(found == [], "randomness \(randomness), died in disk step \(step)")
        cases += 1
      }
    }
    print("kill sweep: \(cases) deaths inside disk steps")
  }

  @Test func everyDiskStepWithoutPower() {
    var cases = 0
    for randomness in 1...2 as ClosedRange<UInt64> {
      let scenario = life(randomness)
      let steps = changingSteps(scenario)
      for step in 1...max(1, steps) {
        for isLocked in [false, true] {
          for draw in 0...1 as ClosedRange<UInt32> {
            let found = findings(powerCut(scenario, step, isLocked: isLocked, draw: draw))
            let place = "randomness \(randomness), step \(step), draw \(draw)"
            #expect(found == [], "\(place)\(isLocked ? ", locked launch" : "")")
            cases += 1
          }
        }
      }
    }
    print("power sweep: \(cases) power cuts inside disk steps")
  }

  /// What was written some seconds ago is durable, whoever wrote it: also after a crash that came
  /// before the barrier, and in a process that only found it.
  @Test func everyFewSecondsWithoutPower() {
    var cases = 0
    let scenario = life(1)
    for second in stride(from: 61, to: 3_800, by: 2) as StrideTo<Int64> {
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
    for randomness in 1...3 as ClosedRange<UInt64> {
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
