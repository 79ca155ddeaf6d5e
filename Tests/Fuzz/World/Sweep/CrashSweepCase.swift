import FuzzHistory
import FuzzScenario
import SimKernel

/// What a step of the file system is about, on the way of a crash record.
enum CrashSweepSubject: String, CaseIterable {
  /// The folder, and the file that a record would be written into.
  case preparation
  case record
  /// The record becomes an event in the journal.
  case event
  case eventBarrier = "event's barrier"
  case removal
  case folderBarrier = "barrier of the folder"
  /// Whatever else the same launch does.
  case rest
}

enum CrashSweepDeath: String, CaseIterable {
  case kill
  case powerCut = "power cut"
  /// The process that has the record in hand crashes itself.
  case crash
}

/// A changing step, by its number as triggers count them from the first launch on.
struct CrashSweepStep {
  var number: Int
  var subject: CrashSweepSubject
  var endsBefore: Int
  /// What it writes.
  var byteCount: Int
}

enum CrashSweepStrike {
  case none
  case step(CrashSweepStep)
  /// In the record itself, once so many of its bytes are written.
  case byte(Int, of: Int)
}

/// A crash, the launch that tells of it, and one strike; then three launches with a crash between.
struct CrashSweepCase {
  var kind: CrashKind
  var strike = CrashSweepStrike.none
  var death = CrashSweepDeath.kill
  var randomness: UInt64 = 1
  /// The power goes right behind the crash too: a record that is there afterwards is durable.
  var losesPowerAtOnce = false

  /// A record with a stack, and one that is filled in by the handler of a signal.
  static let kinds: [CrashKind] = [.exception, .segmentationFault]

  var subject: CrashSweepSubject {
    if case .step(let step) = strike { return step.subject }
    return .record
  }

  /// How many processes have ended before the strike.
  var endsBefore: Int {
    if case .step(let step) = strike { return step.endsBefore }
    return 0
  }

  private var firstCrash: CrashPlan {
    var plan = CrashPlan(kind)
    if kind == .exception {
      plan.name = "KCRangeError"
      plan.reason = "row 4 beyond bounds"
      plan.frames = [
        CrashPlan.Frame("Kiosk", "-[KCList row:]", offset: 88),
        CrashPlan.Frame("Kiosk", "-[KCList reload]", offset: 140),
      ]
    }
    if case .byte(let count, _) = strike { plan.killedAfterBytes = count }
    return plan
  }

  var scenario: Scenario {
    var scenario = Scenario()
    scenario.name = "crash sweep"
    scenario.randomness = randomness
    scenario.timing.handOffMicroseconds = 100...100
    scenario.timing.diskStepMicroseconds = 100...100
    scenario.timing.networkMilliseconds = 50...50
    scenario.timing.serverMilliseconds = 10...10
    scenario.duration = .minutes(3)
    var start = AppStart()
    start.options.consent = .notRequired
    start.options.remoteConfig = false
    scenario.start = start
    let visits: [(second: Int64, kind: ActionKind)] = [
      (1, .foreground), (3, .call(thread: 0, .screen(name: "Checkout", properties: []))),
      (10, .crash(firstCrash)), (20, .foreground), (26, .flush), (40, .end(.memoryKill)),
      (45, .foreground), (52, .flush), (60, .crash(CrashPlan(.floatingPointException))),
      (65, .foreground), (70, .flush), (90, .end(.memoryKill)), (95, .foreground), (100, .flush),
    ]
    for visit in visits { scenario.add(.at(.seconds(visit.second)), visit.kind) }
    if losesPowerAtOnce { scenario.add(.after(Trigger(.ended)), .powerLoss(off: .seconds(5))) }
    switch strike {
    case .none: break
    case .byte:
      if death == .powerCut {
        scenario.add(.after(Trigger(.ended)), .powerLoss(off: .seconds(5)))
      }
    case .step(let step): add(step, to: &scenario)
    }
    return scenario
  }

  private func add(_ step: CrashSweepStep, to scenario: inout Scenario) {
    let moment = Moment.after(Trigger(.launched, plusDiskSteps: step.number))
    let ended = Moment.after(
      Trigger(.ended, occurrence: step.endsBefore + 1, plus: .seconds(1)))
    switch death {
    case .kill:
      scenario.add(moment, .end(.memoryKill))
      scenario.add(ended, .foreground)
    case .powerCut:
      scenario.add(moment, .powerLoss(off: .seconds(5)))
      let boots = losesPowerAtOnce ? 2 : 1
      scenario.add(
        .after(Trigger(.booted, occurrence: boots, plus: .seconds(1))), .foreground)
    case .crash:
      scenario.add(moment, .crash(CrashPlan(.trap)))
      scenario.add(ended, .foreground)
    }
  }

  var name: String {
    var words = "\(kind), \(death.rawValue)"
    switch strike {
    case .none: break
    case .byte(let count, let all): words += ", \(count) of \(all) bytes"
    case .step(let step): words += ", step \(step.number) (\(step.subject.rawValue))"
    }
    if losesPowerAtOnce { words += ", after a power cut" }
    return words + ", randomness \(randomness)"
  }

  /// How far the step had come; nil if nothing was struck.
  func progress(_ reader: CrashSweepReader) -> SweepProgress? {
    switch strike {
    case .none: return nil
    case .byte(let count, let all):
      if reader.crashes.isEmpty { return nil }
      return count == 0 ? .before : count < all ? .inside : .after
    case .step(let step):
      guard let struck = reader.struck else { return nil }
      return struck == .inside && reader.struckByteCount == step.byteCount ? .after : struck
    }
  }
}

extension Scenario {
  fileprivate mutating func add(_ moment: Moment, _ kind: ActionKind) {
    actions.append(Action(id: UInt32(actions.count + 1), moment: moment, kind: kind))
  }
}

/// Counts the cases of a sweep.
struct CrashSweepTable {
  private var counts:
    [(
      subject: CrashSweepSubject, death: CrashSweepDeath, progress: SweepProgress
    )] = []
  /// Records that the power took along.
  var unsynced = 0

  var total: Int { counts.count }

  mutating func count(
    _ subject: CrashSweepSubject, _ death: CrashSweepDeath, _ progress: SweepProgress
  ) {
    counts.append((subject, death, progress))
  }

  func cases(
    _ subject: CrashSweepSubject, _ death: CrashSweepDeath, _ progress: SweepProgress
  ) -> Int {
    counts.count { $0 == (subject, death, progress) }
  }
}
