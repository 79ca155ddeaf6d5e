import FuzzHistory
import SimKernel

@testable import FuzzInvariants

/// Edits of recorded histories for the rules about what a withdrawal takes from the disk.
enum WipeEdits {
  static let all: [RecordedEdit] = [early, late, never]

  static let early = RecordedEdit(
    name: "the record of the install is removed before the decision is renamed",
    invariant: "INV-22", cause: "wiped before the decision was written"
  ) { recorded, history in
    for wipe in wipes(recorded) {
      guard
        let rename = recorded.steps(of: history.records[wipe].process).last(where: {
          $0.place < wipe && $0.operation == .rename && $0.target == "consent.json"
        }), recorded.instant(wipe) - recorded.instant(rename.place) < .seconds(1)
      else { continue }
      var record = history.records[wipe]
      record.instant = history.records[rename.place].instant
      history.removeRecord(at: wipe)
      history.insertRecord(record, at: rename.place)
      return rename.place
    }
    return nil
  }

  static let late = RecordedEdit(
    name: "a withdrawal leaves the record of the install on the disk", invariant: "INV-22",
    cause: "a wipe is late",
    also: [("INV-21", "the launch after it finds it, and leaves it too")]
  ) { recorded, history in
    for wipe in wipes(recorded) {
      let process = history.records[wipe].process
      let bound =
        TimeSpan.milliseconds(6_000) + TimeSpan(nanoseconds: history.header.longestHandOff)
      guard
        let revoke = recorded.calls(of: process).last(where: { item in
          if case .consent(analytics: false, _) = item.call { return item.place < wipe }
          return false
        }), let end = recorded.end(of: process),
        let place = history.records.indices.first(where: { place in
          place > revoke.place && place <= end && history.records[place].process == process
            && recorded.instant(place) - recorded.instant(revoke.place) > bound
            && isHeard(history.records[place].fact)
        }),
        history.records[revoke.place..<place].allSatisfy({ record in
          if case .phase(.suspended) = record.fact { return false }
          return true
        }),
        !recorded.calls(of: process).contains(where: { item in
          if case .consent(true?, _) = item.call { return item.place > wipe }
          return false
        })
      else { continue }
      history.removeRecord(at: wipe)
      return place - 1
    }
    return nil
  }

  static let never = RecordedEdit(
    name: "the disk refuses to remove the record of the install, and nobody tries again",
    invariant: "INV-22", cause: "a wipe is never finished",
    also: [("INV-21", "the launch after it leaves it too")]
  ) { recorded, history in
    guard let wipe = wipes(recorded).last else { return nil }
    let isDecidedAgain = recorded.processes.contains { process in
      recorded.calls(of: process).contains { item in
        if case .consent(true?, _) = item.call { return item.place > wipe }
        return false
      }
    }
    if isDecidedAgain { return nil }
    Edited.setOutcome(.inputOutput, at: wipe, in: history)
    return recorded.calmEnd
  }

  /// The steps that remove the record of the install for a withdrawal of their process.
  private static func wipes(_ recorded: RecordedHistory) -> [Int] {
    guard recorded.hasSoundDisk else { return [] }
    return recorded.steps().filter { step in
      step.operation == .remove && step.outcome == .done && step.path == "install.json"
        && recorded.calls(of: recorded.history.records[step.place].process).contains { item in
          if case .consent(analytics: false, _) = item.call { return item.place < step.place }
          return false
        }
    }.map(\.place)
  }

  /// Whether the rule on the wipe looks at a record.
  private static func isHeard(_ fact: Fact) -> Bool {
    switch fact {
    case .callReturned, .disk, .phase, .ended: return true
    default: return false
    }
  }
}
