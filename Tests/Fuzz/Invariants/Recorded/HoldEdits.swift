import FuzzHistory
import SimKernel

@testable import FuzzInvariants

/// Edits of recorded histories in which more calls came early than are held.
enum HoldEdits {
  static let all: [RecordedEdit] = [oneMore, lostSurvivor]

  static let oneMore = RecordedEdit(
    name: "one more call came early, and the oldest of those held is sent all the same",
    invariant: "INV-20",
    also: [
      ("INV-36", "the start of the session was up to the next message, which lacks it"),
      ("INV-26", "what was decided never comes to the disk"),
    ]
  ) { recorded, history in
    for process in processes(recorded) {
      let held = heldCalls(process, recorded)
      guard held.count > ProcessModel.holdCapacity, let last = held.last,
        let oldest = recorded.tracks.first(where: {
          $0.message.call == held[held.count - ProcessModel.holdCapacity]
            && $0.batch.process == process && !$0.message.hasCallersIdentifier
        }),
        let newest = recorded.messages.last(where: {
          $0.process == process && $0.call.map(held.contains) ?? false
        }), let place = recorded.places(ofCall: last)?.returned
      else { continue }
      // What it says is so already: it only takes a place.
      Edited.add(
        .consent(analytics: nil, marketing: newest.marketing), behind: place, in: history)
      return oldest.batch.start + 2
    }
    return nil
  }

  static let lostSurvivor = RecordedEdit(
    name: "an early call that was held is left out of its request", invariant: "INV-20",
    also: [("INV-03", "its message never comes")]
  ) { recorded, history in
    for process in processes(recorded) where recorded.hasSoundDisk {
      let early = recorded.sentOnce.filter {
        $0.message.process == process && $0.message.wasHeld && $0.batch.process == process
      }
      for (sent, next) in zip(early, early.dropFirst())
      where !sent.message.startsSession && sent.batch.exchange == next.batch.exchange
        && sent.message.analytics && !recorded.isResetOrRevoked(process)
      {
        var messages = sent.batch.messages
        messages.remove(at: sent.place)
        return Edited.replace(messages, in: sent.batch, of: history)
      }
    }
    return nil
  }

  /// Processes that lost early calls.
  private static func processes(_ recorded: RecordedHistory) -> [Int32] {
    var found: [Int32] = []
    for message in recorded.messages where message.loss == .holdOverflow {
      if found.last != message.process { found.append(message.process) }
    }
    return found
  }

  /// The calls of a process that waited for its config, in the order made.
  private static func heldCalls(_ process: Int32, _ recorded: RecordedHistory) -> [UInt32] {
    let start = recorded.messages.filter { $0.process == process && $0.wasHeld }
      .compactMap(\.enqueuedInstant).min()
    guard let start else { return [] }
    return recorded.history.records.compactMap { record in
      guard record.process == process, record.instant < start,
        case .callBegan(let call, _, _, _, _) = record.fact
      else { return nil }
      let made = recorded.history.calls[Int(call)]
      switch made {
      case .load, .flush, .getAnonymousId, .getContext: return nil
      default: return ReferenceModel.isRefusedByArguments(made) ? nil : call
      }
    }
  }
}
