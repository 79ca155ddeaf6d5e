import FuzzHistory
import SimKernel

/// One edit of a recorded history for each rule of the transport.
enum TransportEdits {
  static let all: [RecordedEdit] = [
    overlap, largeMessage, sentTwice, early429, earlyRetry, leftTimer, noFlush, secondHalfFirst,
    cookie, lateReturn, mainThread, traitOnDisk,
  ]

  static let overlap = RecordedEdit(
    name: "the next request of a pass starts just before the last one ends", invariant: "INV-04"
  ) { recorded, history in
    guard
      let pair = recorded.neighbours.first(where: {
        $0.first.status == 200 && $0.second.start == $0.first.end + 1
          && recorded.instant($0.first.end) == recorded.instant($0.second.start)
      })
    else { return nil }
    let start = history.records[pair.second.start]
    history.removeRecord(at: pair.second.start)
    history.insertRecord(start, at: pair.first.end)
    return pair.first.end
  }

  static let largeMessage = RecordedEdit(
    name: "white space blows a message up beyond its limit", invariant: "INV-05"
  ) { recorded, history in
    guard
      let batch = recorded.batches.first(where: { batch in
        batch.status == 200 && recorded.batches.filter { $0.ids.contains(batch.ids[0]) }.count == 1
      })
    else { return nil }
    guard
      case .requestStarted(_, _, _, _, _, _, let body, _, _, _, _) =
        history.records[batch.start].fact
    else { return nil }
    var bytes = Array(history.bytes(body))
    // Behind the bracket and brace that open the first message.
    let place = Array(#"{"batch":[{"#.utf8).count
    bytes.insert(contentsOf: repeatElement(0x20, count: 33_000), at: place)
    history.replaceRecord(
      at: batch.start,
      with: Edited.start(history.records[batch.start], body: history.store(bytes)))
    return batch.start
  }

  static let sentTwice = RecordedEdit(
    name: "an accepted batch is sent and accepted once more", invariant: "INV-07"
  ) { recorded, history in
    guard let pair = recorded.neighbours.first(where: { $0.first.status == 200 }) else {
      return nil
    }
    let (first, end) = (pair.first, pair.first.end)
    let number = (recorded.batches.map(\.exchange).max() ?? 0) + 1_000
    let again = Edited.start(
      Edited.start(
        history.records[first.start], movedTo: recorded.instant(end), in: history),
      exchange: number)
    guard case .exchangeEnded(_, _, _, let headers, let body) = history.records[end].fact else {
      return nil
    }
    let facts: [(Fact, Int32)] = [
      (.requestArrived(exchange: number, copy: 0), -1),
      (.answered(exchange: number, copy: 0, status: 200, headers: headers, body: body), -1),
      (
        .exchangeEnded(exchange: number, end: .answer, status: 200, headers: headers, body: body),
        first.process
      ),
    ]
    history.insertRecord(again, at: end + 1)
    for (offset, fact) in facts.enumerated() {
      history.insertRecord(
        Record(instant: again.instant, process: fact.1, fact: fact.0), at: end + 2 + offset)
    }
    return end + 1
  }

  static let early429 = RecordedEdit(
    name: "the retry after a 429 starts at once", invariant: "INV-08"
  ) { recorded, history in
    moveRetry(recorded, history) { $0.status == 429 }
  }

  static let earlyRetry = RecordedEdit(
    name: "the retry after an error of the server starts at once", invariant: "INV-09"
  ) { recorded, history in
    moveRetry(recorded, history) {
      (500..<600).contains($0.status) && !$0.headers.lowercased().contains("retry-after")
    }
  }

  /// Moves a retry to the end of the failed attempt, where nothing could have skipped the wait and
  /// the request still ends within its timeout.
  private static func moveRetry(
    _ recorded: RecordedHistory, _ history: History, _ matches: (RecordedHistory.Batch) -> Bool
  ) -> Int? {
    guard
      let pair = recorded.neighbours.first(where: { pair in
        let gap = recorded.instant(pair.second.start) - recorded.instant(pair.first.end)
        return matches(pair.first) && pair.first.ids == pair.second.ids
          && gap > .seconds(5) && gap < .seconds(100)
          && history.records[pair.first.end..<pair.second.start].allSatisfy { record in
            !skips(record, history)
          } && isUndisturbed(before: pair.first.end, recorded)
      })
    else { return nil }
    let start = Edited.start(
      history.records[pair.second.start], movedTo: recorded.instant(pair.first.end), in: history)
    history.removeRecord(at: pair.second.start)
    history.insertRecord(start, at: pair.first.end + 1)
    return pair.first.end + 1
  }

  private static func skips(_ record: Record, _ history: History) -> Bool {
    switch record.fact {
    case .callBegan(let call, _, _, _, _):
      switch history.calls[Int(call)] {
      case .flush, .consent: return true
      default: return false
      }
    case .phase, .fileDamaged: return true
    case .disk(_, let outcome, _, _, _, _, _, _): return outcome != .done
    default: return false
    }
  }

  /// Nothing that may skip a wait came within two seconds before.
  private static func isUndisturbed(before index: Int, _ recorded: RecordedHistory) -> Bool {
    let records = recorded.history.records
    let from = recorded.instant(index) - .seconds(2)
    return records[..<index].reversed().prefix { $0.instant > from }.allSatisfy {
      !skips($0, recorded.history)
    }
  }

  static let leftTimer = RecordedEdit(
    name: "a timer is left at the end of the calm", invariant: "INV-12"
  ) { _, history in
    guard let end = history.records.lastIndex(where: { $0.fact.kind == .calmEnded }) else {
      return nil
    }
    var record = history.records[end]
    record.fact = .calmEnded(pending: history.store("1 timers"))
    history.replaceRecord(at: end, with: record)
    return end
  }

  static let noFlush = RecordedEdit(
    name: "the app never called flush", invariant: "INV-13"
  ) { recorded, history in
    for batch in recorded.batches where recorded.isBeforeCalm(batch.start) {
      guard batch.ids.count < 3, let flush = loneFlush(before: batch, recorded) else { continue }
      history.removeRecord(at: flush + 1)
      history.removeRecord(at: flush)
      return batch.start - 2
    }
    return nil
  }

  /// A flush right before a batch, where the messages are young and nothing else came for long.
  private static func loneFlush(
    before batch: RecordedHistory.Batch, _ recorded: RecordedHistory
  ) -> Int? {
    let records = recorded.history.records
    guard batch.start > 40,
      let flush = records[..<batch.start].lastIndex(where: { isFlush($0, recorded.history) }),
      records[flush + 1].fact.kind == .callReturned,
      recorded.instant(batch.start) - recorded.instant(flush) < .milliseconds(2)
    else { return nil }
    // The first message was made after everything else that could have been the reason.
    let made = batch.messages.compactMap { $0["timestamp"]?.string }
      .map { RecordedHistory.milliseconds($0) }
    guard let oldest = made.min(), let age = Optional(batch.sentAt - oldest), age < 900 else {
      return nil
    }
    let from = recorded.instant(flush) - .seconds(20)
    let isQuiet = records[..<flush].reversed().prefix { $0.instant > from }.allSatisfy { record in
      switch record.fact {
      case .launched, .ended, .phase, .requestStarted, .exchangeEnded, .fileDamaged: return false
      default: return !isFlush(record, recorded.history)
      }
    }
    return isQuiet ? flush : nil
  }

  private static func isFlush(_ record: Record, _ history: History) -> Bool {
    guard case .callBegan(let call, _, _, _, _) = record.fact,
      case .flush = history.calls[Int(call)]
    else { return false }
    return true
  }

  static let secondHalfFirst = RecordedEdit(
    name: "the second half of a batch that was too large goes first", invariant: "INV-14",
    also: [("INV-03", "what the first half takes off the disk is not delivered yet")]
  ) { recorded, history in
    for index in recorded.batches.indices.dropLast(2) {
      let (whole, first) = (recorded.batches[index], recorded.batches[index + 1])
      let second = recorded.batches[index + 2]
      guard whole.status == 413, first.status == 200, second.status == 200,
        whole.ids == first.ids + second.ids, whole.process == second.process,
        recorded.batches.filter({ $0.ids.contains(whole.ids[0]) }).count == 2,
        recorded.batches.filter({ $0.ids.contains(second.ids[0]) }).count == 2
      else { continue }
      for (place, messages) in [(first, second.messages), (second, first.messages)] {
        let start = history.records[place.start]
        let sentAt = Edited.sentAt(of: start, in: history)
        let body = Edited.body(messages, sentAt: sentAt, in: history)
        history.replaceRecord(at: place.start, with: Edited.start(start, body: body))
      }
      return first.start
    }
    return nil
  }

  static let cookie = RecordedEdit(
    name: "a cookie goes with a request", invariant: "INV-15"
  ) { recorded, history in
    guard let batch = recorded.batches.first else { return nil }
    let start = history.records[batch.start]
    guard case .requestStarted(_, _, _, _, _, let headers, _, _, _, _, _) = start.fact else {
      return nil
    }
    let more = history.store(history.text(headers) + "\nCookie: session=1")
    history.replaceRecord(at: batch.start, with: Edited.start(start, headers: more))
    return batch.start
  }

  static let lateReturn = RecordedEdit(
    name: "a public call returns a millisecond late", invariant: "INV-16"
  ) { recorded, history in
    guard
      let index = history.records.firstIndex(where: { record in
        guard case .callReturned(let call, _, _) = record.fact else { return false }
        if case .track = recorded.history.calls[Int(call)] { return true }
        return false
      })
    else { return nil }
    var record = history.records[index]
    record.instant = record.instant + .milliseconds(1)
    history.replaceRecord(at: index, with: record)
    return index
  }

  static let mainThread = RecordedEdit(
    name: "one append runs on the main thread", invariant: "INV-28"
  ) { _, history in
    for (index, record) in history.records.enumerated() {
      guard
        case .disk(.append, .done, _, let step, let path, let target, let offset, let bytes) =
          record.fact
      else { continue }
      history.replaceRecord(
        at: index,
        with: Record(
          instant: record.instant, process: record.process,
          fact: .disk(
            .append, outcome: .done, queue: 0, step: step, path: path, target: target,
            offset: offset, bytes: bytes)))
      return index
    }
    return nil
  }

  static let traitOnDisk = RecordedEdit(
    name: "the install record also holds a trait", invariant: "INV-31"
  ) { _, history in
    guard let trait = history.header.canaries.first(where: { $0.kind == .trait }) else {
      return nil
    }
    for (index, record) in history.records.enumerated() {
      guard
        case .disk(
          .write, .done, let queue, let step, let path, let target, let offset, let bytes) =
          record.fact, case .object(var entries)? = try? JSONValue.parse(history.bytes(bytes))
      else { continue }
      entries.append(JSONEntry("email", .string(trait.text)))
      let more = history.store(JSONValue.object(entries).canonicalBytes())
      history.replaceRecord(
        at: index,
        with: Record(
          instant: record.instant, process: record.process,
          fact: .disk(
            .write, outcome: .done, queue: queue, step: step, path: path, target: target,
            offset: offset, bytes: more)))
      return index
    }
    return nil
  }
}
