import FuzzHistory
import FuzzScenario
import FuzzWorld
import SimKernel

/// How a process ends in a step of the file system.
enum SweepDeath: String, CaseIterable {
  case kill
  case powerCut = "power cut"
}

/// How the app comes back.
enum SweepLaunch: String, CaseIterable {
  case unlocked
  /// By a push before the first unlock, with calls.
  case locked
}

/// How far the step had come when it was struck, as the history tells.
enum SweepProgress: String, CaseIterable {
  /// Nothing of it has happened: between the step before and this one.
  case before
  /// A part of a write has reached the kernel.
  case inside
  case after
}

/// One life, struck in one step.
struct SweepCase {
  var life: SweepLife
  var step: SweepStep
  var death: SweepDeath
  var launch: SweepLaunch
  /// In the locked launch the app passes on a decline.
  var declines: Bool
  var randomness: UInt64

  /// The draws of a power loss hang on the action that makes it.
  private var strike: UInt32 { UInt32(1_000 + randomness) }

  var scenario: Scenario {
    var scenario = life.with(randomness: randomness)
    let trigger = Trigger(.launched, plusDiskSteps: step.number)
    func add(_ id: UInt32, _ moment: Moment, _ kind: ActionKind) {
      scenario.actions.append(Action(id: id, moment: moment, kind: kind))
    }
    switch (death, launch) {
    case (.kill, .unlocked):
      add(strike, .after(trigger), .end(step.number % 2 == 0 ? .crash : .memoryKill))
    // A restart in good order: the process dies in its step, and what it wrote is all there.
    case (.kill, .locked): add(strike, .after(trigger), .reboot(off: .seconds(5)))
    case (.powerCut, _): add(strike, .after(trigger), .powerLoss(off: .seconds(5)))
    }
    if launch == .locked {
      func booted(_ milliseconds: Int64) -> Moment {
        .after(Trigger(.booted, plus: .milliseconds(milliseconds)))
      }
      add(2_000, booted(1_000), .launch(.background))
      add(2_001, booted(1_500), .track("locked"))
      if declines { add(2_002, booted(1_700), .consent(false)) }
      add(2_003, booted(2_500), .unlock)
      add(2_004, booted(2_700), .track("unlocked"))
      add(2_005, booted(3_500), .foreground)
    } else if death == .powerCut {
      add(2_000, .after(Trigger(.booted, plus: .seconds(1))), .foreground)
    } else {
      let ended = Trigger(.ended, occurrence: step.endsBefore + 1, plus: .seconds(1))
      add(2_000, .after(ended), .foreground)
    }
    return scenario
  }

  var name: String {
    "\(life.name), step \(step.number) (\(step.subject.rawValue)), \(death.rawValue),"
      + " \(launch.rawValue)\(declines ? " with a decline" : ""), randomness \(randomness)"
  }

  /// How far the step had come; nil if nothing was struck.
  func progress(of history: History) -> SweepProgress? {
    var number = 0
    for record in history.records {
      guard case .disk(let operation, let outcome, _, _, _, _, _, let bytes) = record.fact,
        SweepReader.changes(operation)
      else { continue }
      number += 1
      if number < step.number { continue }
      switch outcome {
      case .diedAfter: return .after
      case .died: return bytes.count == 0 ? .before : .inside
      // The spare that is to be written over is not there: nothing can come of that.
      case .notFound: return .before
      default: return nil
      }
    }
    return nil
  }
}
