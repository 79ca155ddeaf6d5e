import FuzzHistory
import FuzzInvariants
import FuzzScenario
import FuzzWorld
import SimKernel

/// A history recorded from a seed, with its batch requests looked up for edits. Nobody changes one
/// after it was recorded: edits work on copies.
struct RecordedHistory: @unchecked Sendable {
  /// One batch request of a history.
  struct Batch: Sendable {
    var exchange: UInt32
    var process: Int32
    /// The records of its start and its end for the app.
    var start: Int
    var end: Int
    /// What the app received; 0 for no answer.
    var status: UInt16
    var headers: String
    var sentAt: Int64
    var messages: [JSONValue]

    var ids: [String] { messages.compactMap { $0["messageId"]?.string } }
  }

  let name: String
  let history: History
  let batches: [Batch]

  init(name: String, history: History) {
    self.name = name
    self.history = history
    batches = RecordedHistory.batches(of: history)
  }

  /// The histories that edits are looked for in, recorded once: those that pass.
  static let recorded: [RecordedHistory] = {
    var found: [RecordedHistory] = []
    for name in ["server", "default"] {
      guard let profile = Profile.named(name) else { continue }
      for seed in 0..<24 as Range<UInt64> {
        let history = World(Scenario.generate(seed: seed, profile: profile)).run().history
        if Judge.judge(history).findings.isEmpty {
          found.append(RecordedHistory(name: "\(name) \(seed)", history: history))
        }
      }
    }
    return found
  }()

  /// A copy whose records may be edited; slices stay where they are in the arena.
  func copy() -> History {
    let copy = History(header: history.header)
    _ = copy.store(history.arena)
    for call in history.calls { _ = copy.add(call) }
    for record in history.records { copy.append(record) }
    return copy
  }

  // MARK: Looking

  private static func batches(of history: History) -> [Batch] {
    var batches: [Batch] = []
    var places: [UInt32: Int] = [:]
    for (index, record) in history.records.enumerated() {
      switch record.fact {
      case .requestStarted(let exchange, .collector, _, true, _, _, let body, _, _, _, _):
        guard let value = try? JSONValue.parse(history.bytes(body)),
          let messages = value["batch"]?.array
        else { continue }
        places[exchange] = batches.count
        batches.append(
          Batch(
            exchange: exchange, process: record.process, start: index, end: -1, status: 0,
            headers: "", sentAt: milliseconds(value["sentAt"]?.string ?? ""), messages: messages))
      case .exchangeEnded(let exchange, _, let status, let headers, _):
        guard let place = places[exchange] else { continue }
        batches[place].end = index
        batches[place].status = status
        batches[place].headers = history.text(headers)
      default: break
      }
    }
    return batches
  }

  /// Pairs of batch requests of one process, the second the next after the first has ended.
  var neighbours: [(first: Batch, second: Batch)] {
    var pairs: [(Batch, Batch)] = []
    for index in batches.indices.dropLast() {
      let (first, second) = (batches[index], batches[index + 1])
      if first.process == second.process, first.end >= 0, second.end >= 0, first.end < second.start
      {
        pairs.append((first, second))
      }
    }
    return pairs
  }

  func instant(_ index: Int) -> Instant { history.records[index].instant }

  /// Whether a record stands before the calm.
  func isBeforeCalm(_ index: Int) -> Bool {
    let calm = history.records.firstIndex { $0.fact.kind == .calmBegan }
    return index < calm ?? 0
  }

  /// Milliseconds since the Unix epoch of a time on the wire.
  static func milliseconds(_ text: String) -> Int64 {
    let parts = text.split { !$0.isNumber }.compactMap { Int64($0) }
    guard parts.count == 7 else { return 0 }
    // Days by the Gregorian calendar, years that begin in March.
    let year = parts[1] > 2 ? parts[0] : parts[0] - 1
    let month = (parts[1] + 9) % 12
    let days = year * 365 + year / 4 - year / 100 + year / 400 + (month * 306 + 5) / 10 + parts[2]
    return (((days - 719_469) * 24 + parts[3]) * 60 + parts[4]) * 60_000 + parts[5] * 1_000
      + parts[6]
  }
}

/// One edit of a recorded history and what has to come of it.
struct RecordedEdit: Sendable {
  /// What was changed, in words.
  var name: String
  var invariant: String
  /// Other invariants that must fire too, with the reason; at most two.
  var also: [(invariant: String, reason: String)] = []
  /// The record at whose instant the invariant fires; nil where a history has no place for the
  /// edit.
  var apply: @Sendable (RecordedHistory, History) -> Int?
}

/// Writes bodies and starts of requests for edits.
enum Edited {
  static func body(_ messages: [JSONValue], sentAt text: String, in history: History) -> ByteSlice {
    history.store(
      JSONValue.object([
        JSONEntry("batch", .array(messages)), JSONEntry("sentAt", .string(text)),
      ]).canonicalBytes())
  }

  static func sentAt(of record: Record, in history: History) -> String {
    guard case .requestStarted(_, _, _, _, _, _, let body, _, _, _, _) = record.fact,
      let value = try? JSONValue.parse(history.bytes(body))
    else { return "" }
    return value["sentAt"]?.string ?? ""
  }

  /// A start with another body, in another exchange, or with other headers.
  static func start(
    _ record: Record, exchange number: UInt32? = nil, body newBody: ByteSlice? = nil,
    headers newHeaders: ByteSlice? = nil
  ) -> Record {
    guard
      case .requestStarted(
        let exchange, let host, let attempt, let isPost, let url, let headers, let body, let idle,
        let total, let wall, let continuous) = record.fact
    else { return record }
    return Record(
      instant: record.instant, process: record.process,
      fact: .requestStarted(
        exchange: number ?? exchange, host: host, attempt: attempt, isPost: isPost, url: url,
        headers: newHeaders ?? headers, body: newBody ?? body, idleTimeoutMilliseconds: idle,
        totalTimeoutMilliseconds: total, wall: wall, continuous: continuous))
  }

  /// A start as it would have been at another instant, or less than a millisecond later: its clocks
  /// and `sentAt` move along by whole milliseconds, which keep their rounding.
  static func start(_ record: Record, movedTo instant: Instant, in history: History) -> Record {
    guard
      case .requestStarted(
        let exchange, let host, let attempt, let isPost, let url, let headers, let body, let idle,
        let total, let wall, let continuous) = record.fact,
      let value = try? JSONValue.parse(history.bytes(body)), let messages = value["batch"]?.array,
      let text = value["sentAt"]?.string
    else { return record }
    let span = (instant - record.instant).nanoseconds
    let milliseconds = span > 0 ? (span + 999_999) / 1_000_000 : span / 1_000_000
    let shift = milliseconds * 1_000_000
    let sentAt = timestamp(RecordedHistory.milliseconds(text) + milliseconds)
    return Record(
      instant: record.instant + TimeSpan(nanoseconds: shift), process: record.process,
      fact: .requestStarted(
        exchange: exchange, host: host, attempt: attempt, isPost: isPost, url: url,
        headers: headers, body: Edited.body(messages, sentAt: sentAt, in: history),
        idleTimeoutMilliseconds: idle, totalTimeoutMilliseconds: total, wall: wall + shift,
        continuous: continuous + shift))
  }

  static func timestamp(_ milliseconds: Int64) -> String {
    let days = milliseconds / 86_400_000 + 719_468
    let rest = milliseconds % 86_400_000
    let era = days / 146_097
    let dayOfEra = days % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    func digits(_ number: Int64, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
    return digits(year, 4) + "-" + digits(month < 10 ? month + 3 : month - 9, 2) + "-"
      + digits(dayOfYear - (153 * month + 2) / 5 + 1, 2) + "T" + digits(rest / 3_600_000, 2) + ":"
      + digits(rest / 60_000 % 60, 2) + ":" + digits(rest / 1_000 % 60, 2) + "."
      + digits(rest % 1_000, 3) + "Z"
  }
}
