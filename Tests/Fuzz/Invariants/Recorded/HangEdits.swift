import FuzzHistory
import SimKernel

@testable import FuzzInvariants

/// Edits of recorded histories in which a main thread was blocked.
enum HangEdits {
  static let all: [RecordedEdit] = [unblocked, unreported, repeated]

  static let unblocked = RecordedEdit(
    name: "a hang is reported although nothing blocked the main thread", invariant: "INV-53",
    requirements: ["HNG-01", "HNG-03"],
    cause: "a main thread that answers is reported",
    also: [("INV-18", "its event belongs to no stall, and nobody else makes it")]
  ) { recorded, history in
    // Its event has to leave in the same process: one before it would know no time of the next.
    let sample = history.records.indices.first { place in
      guard case .stackSampled = history.records[place].fact else { return false }
      let process = history.records[place].process
      return recorded.sentOnce.contains { sent in
        guard case .hang = sent.message.cause else { return false }
        return sent.message.process == process && sent.batch.process == process
      }
    }
    guard let sample,
      let block = history.records[..<sample].lastIndex(where: { $0.fact.kind == .mainThread })
    else { return nil }
    // The thread is free again before anybody looks.
    var record = history.records[block]
    record.fact = .mainThread(isBlocked: false, stack: .empty)
    history.insertRecord(record, at: block + 1)
    return sample + 1
  }

  static let unreported = RecordedEdit(
    name: "a stall that nobody reported lasts three seconds more", invariant: "INV-53",
    requirements: ["HNG-01", "HNG-02"],
    cause: "a hang is not reported"
  ) { recorded, history in
    for (start, record) in history.records.enumerated() {
      guard case .mainThread(isBlocked: true, let stack) = record.fact,
        let end = history.records.indices.first(where: {
          $0 > start && history.records[$0].process == record.process
            && [.mainThread, .ended].contains(history.records[$0].fact.kind)
        }), case .mainThread(isBlocked: false, _) = history.records[end].fact,
        !history.records[start...end].contains(where: {
          // Where a queue is held back a report may be missing.
          [.stackSampled, .faultTookEffect].contains($0.fact.kind) && $0.instant > record.instant
        })
      else { continue }
      let span = history.records[end].instant - record.instant
      // It has to be watched all the time, and quiet around it: three seconds are put before it.
      let earlier = record.instant - .seconds(3)
      guard span >= .milliseconds(2_700), span < .seconds(5), start > 0,
        history.records[start - 1].instant < earlier, isWatched(history, start)
      else { continue }
      history.removeRecord(at: start)
      history.insertRecord(
        Record(
          instant: earlier, process: record.process,
          fact: .mainThread(isBlocked: true, stack: stack)), at: start)
      return end
    }
    return nil
  }

  static let repeated = RecordedEdit(
    name: "a stall is reported a second time", invariant: "INV-53", requirements: ["HNG-01"],
    cause: "one stall is reported twice",
    also: [
      ("INV-03", "of the second report nothing is ever sent"),
      ("INV-13", "what the second report would have made waits for a request"),
    ]
  ) { recorded, history in
    guard let sample = place(of: .stackSampled, in: history) else { return nil }
    history.insertRecord(history.records[sample], at: sample + 1)
    return sample + 1
  }

  private static func place(of kind: FactKind, in history: History) -> Int? {
    history.records.firstIndex { $0.fact.kind == kind }
  }

  /// Whether a process watches at a place: it reports a hang before, and nothing changes between.
  private static func isWatched(_ history: History, _ place: Int) -> Bool {
    let process = history.records[place].process
    var isInFront = false
    for record in history.records[..<place] where record.process == process {
      switch record.fact {
      case .phase(.active): isInFront = true
      case .phase: isInFront = false
      case .debugger: return false
      default: continue
      }
    }
    let hasReported = history.records[..<place].contains {
      $0.process == process && $0.fact.kind == .stackSampled
    }
    let decides = history.records[..<place].contains { record in
      guard case .callBegan(let call, _, _, _, _) = record.fact else { return false }
      if case .consent = history.calls[Int(call)] { return true }
      return false
    }
    return isInFront && hasReported && !decides
  }
}
