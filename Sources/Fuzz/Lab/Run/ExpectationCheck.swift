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
    case .stored(let name, let times):
      return compare(stored.count(named: name), times, "stored messages named \(name)")
    case .storedInAll(let times):
      return compare(stored.messages.count, times, "stored messages")
    case .lost(let reason, let times):
      return compare(
        judgement.messages.dropped[reason] ?? 0, times, "messages lost by \(reason)")
    case .requests(let host, let least, let most):
      let count = arrivals(at: host, in: history)
      if (least...most).contains(count) { return nil }
      return Miss(
        cause: "requests seen by \(host)",
        message: "\(host) saw \(count) requests where \(least) to \(most) are expected")
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

  private static func arrivals(at host: HostKind, in history: History) -> Int {
    var exchanges = Lookup<UInt32, Void>()
    var count = 0
    for record in history.records {
      if case .requestStarted(let exchange, host, _, _, _, _, _, _, _, _, _) = record.fact {
        exchanges.insert(exchange)
      }
      if case .requestArrived(let exchange, _) = record.fact, exchanges.contains(exchange) {
        count += 1
      }
    }
    return count
  }

  private static func pending(in history: History) -> String? {
    for record in history.records.reversed() {
      if case .calmEnded(let pending) = record.fact { return history.text(pending) }
    }
    return nil
  }
}
