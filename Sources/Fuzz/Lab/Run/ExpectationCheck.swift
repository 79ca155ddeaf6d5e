import FuzzHistory
import FuzzInvariants
import FuzzScenario
import SimKernel

/// Holds the expectations of a scenario against what happened.
enum ExpectationCheck {
  static func findings(
    of scenario: Scenario, history: History, judgement: Judgement
  ) -> [Finding] {
    if scenario.expect.isEmpty { return [] }
    let stored = Stored(history)
    let end = history.records.last?.instant ?? .start
    return scenario.expect.compactMap { expectation in
      guard let miss = miss(expectation, stored: stored, history: history, judgement: judgement)
      else { return nil }
      return Finding(
        invariant: LabFindings.Name.expectation, requirements: ["LAB-23"], instant: end,
        process: -1, message: miss.message,
        signature: "\(LabFindings.Name.expectation): \(miss.cause)")
    }
  }

  private struct Miss {
    var cause: String
    var message: String
  }

  private static func miss(
    _ expectation: Expectation, stored: Stored, history: History, judgement: Judgement
  ) -> Miss? {
    switch expectation {
    case .stored(let selection, let times, let by):
      let count = stored.count(selection, by: by.map { .start + $0 })
      return compare(count, times, "stored messages" + words(selection, by))
    case .distinct(let member, let selection, let values):
      return compare(
        stored.distinct(member, selection), values,
        "values of \(member) in stored messages" + words(selection, nil))
    case .lost(let reason, let times):
      return compare(
        judgement.messages.dropped[reason] ?? 0, times, "messages lost by \(reason)")
    case .requests(let host, let frequency):
      return compare(
        arrivals(host, frequency, in: history), frequency, "requests that reached \(host)")
    case .attempts(let host, let frequency):
      return compare(starts(host, frequency, in: history), frequency, "requests to \(host)")
    case .diskChanges(let text, let frequency):
      return compare(
        changes(text, frequency, in: history), frequency, "changes on disk of \(text)")
    case .order(let names):
      let received = stored.messages.map(\.name).filter { names.contains($0) }
      if received == names { return nil }
      return Miss(
        cause: "order of \(names.joined(separator: ", "))",
        message: "first received in the order \(received.joined(separator: ", ")) where "
          + "\(names.joined(separator: ", ")) is expected")
    case .quiet:
      guard let pending = pending(in: history) else {
        return Miss(cause: "quiet", message: "the run ended before its calm did")
      }
      if pending.isEmpty { return nil }
      return Miss(cause: "quiet", message: "still pending at the end of the calm: \(pending)")
    }
  }

  private static func compare(_ count: Int, _ expected: Int, _ what: String) -> Miss? {
    count == expected
      ? nil
      : Miss(cause: what, message: "\(count) \(what) where \(expected) are expected")
  }

  private static func words(_ selection: Expectation.Selection, _ by: TimeSpan?) -> String {
    let what: String
    switch selection {
    case .all: what = ""
    case .named(let name): what = " named \(name)"
    case .containing(let text): what = " containing \(text)"
    }
    return what + (by.map { " by \(Figures.span($0))" } ?? "")
  }

  private static func compare(
    _ count: Int, _ frequency: Expectation.Frequency, _ what: String
  ) -> Miss? {
    if count >= frequency.atLeast, count <= frequency.atMost { return nil }
    let most = frequency.atMost == .max ? "or more" : "to \(frequency.atMost)"
    let from = frequency.from.map { " from \(Figures.span($0))" } ?? ""
    let until = frequency.until.map { " until \(Figures.span($0))" } ?? ""
    let cause = "\(what)\(from)\(until)"
    return Miss(
      cause: cause,
      message: "\(count) \(cause) where \(frequency.atLeast) \(most) are expected")
  }

  private static func starts(
    _ kind: HostKind, _ frequency: Expectation.Frequency, in history: History
  ) -> Int {
    history.records.count { record in
      guard case .requestStarted(_, kind, _, _, _, _, _, _, _, _, _) = record.fact else {
        return false
      }
      return frequency.contains(record.instant)
    }
  }

  private static func arrivals(
    _ kind: HostKind, _ frequency: Expectation.Frequency, in history: History
  ) -> Int {
    var exchanges = Lookup<UInt32, Void>()
    var count = 0
    for record in history.records {
      switch record.fact {
      case .requestStarted(let exchange, kind, _, _, _, _, _, _, _, _, _):
        exchanges.insert(exchange)
      case .requestArrived(let exchange, _)
      where exchanges.contains(exchange) && frequency.contains(record.instant):
        count += 1
      default: continue
      }
    }
    return count
  }

  private static func changes(
    _ text: String, _ frequency: Expectation.Frequency, in history: History
  ) -> Int {
    history.records.count { record in
      guard case .disk(let operation, _, _, _, let path, let target, _, _) = record.fact,
        operation.isChange, frequency.contains(record.instant)
      else { return false }
      return history.contains(text, in: path) || history.contains(text, in: target)
    }
  }

  private static func pending(in history: History) -> String? {
    for record in history.records.reversed() {
      if case .calmEnded(let pending) = record.fact { return history.text(pending) }
    }
    return nil
  }
}
