import FuzzHistory
import SimKernel

@testable import FuzzInvariants

/// Edits of recorded histories with processes that were launched before the first unlock, and with
/// containers that an app shares.
enum LockEdits {
  static let all: [RecordedEdit] = [tries, writes, unlocked, suspended]

  static let tries = RecordedEdit(
    name: "a process that cannot read its files tries to remove one", invariant: "INV-27",
    cause: "a process tries to write before the first unlock"
  ) { recorded, history in
    let look = recorded.steps().first {
      $0.outcome == .notPermitted && $0.path == "consent.json"
        && isBeforeFirstUnlock($0.place, history)
    }
    return look.map {
      Edited.addStep(.remove, .notPermitted, "install.json", behind: $0.place, in: history)
    }
  }

  /// Whether the device was not unlocked since it started; a file may be denied at other times too.
  private static func isBeforeFirstUnlock(_ place: Int, _ history: History) -> Bool {
    for record in history.records[..<place].reversed() {
      switch record.fact {
      case .rebooted: return true
      case .lockChanged(isLocked: false): return false
      default: continue
      }
    }
    return false
  }

  static let writes = RecordedEdit(
    name: "a process that could not read its files makes a spare once it can",
    invariant: "INV-27", cause: "a process that was launched locked writes once it can"
  ) { recorded, history in
    for look in recorded.steps() where look.outcome == .notPermitted && look.path == "consent.json"
    {
      let process = history.records[look.place].process
      guard let end = recorded.end(of: process),
        let unlock = history.records.indices.first(where: { place in
          if case .lockChanged(isLocked: false) = history.records[place].fact {
            return place > look.place && place < end
          }
          return false
        }),
        !recorded.calls(of: process).contains(where: { item in
          if case .consent(_, _) = item.call { return true }
          return false
        }),
        let place = history.records.indices.first(where: {
          $0 > unlock && $0 < end && history.records[$0].process == process
        })
      else { continue }
      return Edited.addStep(
        .write, .done, "consent.spare", String(repeating: " ", count: 256), behind: place,
        in: history)
    }
    return nil
  }

  static let unlocked = RecordedEdit(
    name: "the lock of a shared container is given back before the last message is stored",
    invariant: "INV-27", cause: "a process writes without the lock"
  ) { recorded, history in
    guard history.header.hasSharedGroup,
      let step = recorded.steps().last(where: { $0.operation == .append && $0.outcome == .done })
    else { return nil }
    let record = history.records[step.place]
    history.insertRecord(
      Record(
        instant: record.instant, process: record.process, fact: .storageLock(.released)),
      at: step.place)
    return step.place + 1
  }

  static let suspended = RecordedEdit(
    name: "a process with a shared container is killed for the lock", invariant: "INV-27",
    cause: "a process is suspended with the lock"
  ) { recorded, history in
    guard history.header.hasSharedGroup else { return nil }
    for (place, record) in history.records.enumerated() {
      guard case .ended(.memoryKill) = record.fact else { continue }
      var record = record
      record.fact = .ended(.lockHeld)
      history.replaceRecord(at: place, with: record)
      return place
    }
    return nil
  }
}
