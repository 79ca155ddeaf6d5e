import FuzzHistory
import SimKernel
import Testing

/// One edit of a recorded history and what has to come of it.
struct RecordedEdit: Sendable, CustomTestStringConvertible {
  /// What was changed, in words.
  var name: String
  var invariant: String
  /// What is broken by it; empty is anything that the invariant stands for.
  var requirements: [String] = []
  /// Looked for in the histories that are recorded for these.
  var isPrivate: Bool = false
  /// The cause that it reports; nil where it may be any of its causes.
  var cause: String?
  /// Other invariants that must fire too, with the reason; at most two.
  var also: [(invariant: String, reason: String)] = []
  /// The record at whose instant the invariant fires; nil where a history has no place for the
  /// edit.
  var apply: @Sendable (RecordedHistory, History) -> Int?

  var testDescription: String { "\(invariant): \(name)" }

  /// Every edit, by subject.
  static let all: [RecordedEdit] =
    MessageEdits.all + IdentityEdits.all + QueueEdits.all + HoldEdits.all + TransportEdits.all
    + ConsentEdits.all + WipeEdits.all + LockEdits.all + VisitorEdits.all + SessionEdits.all
    + FirstOpenEdits.all + LifecycleEdits.all + ScreenEdits.all + CrashEdits.all
    + HangEdits.all + PrivacyEdits.all
}

/// Writes bodies and starts of requests, messages and calls for edits.
enum Edited {
  static func body(_ messages: [JSONValue], sentAt text: String, in history: History) -> ByteSlice {
    history.store(
      JSONValue.object([
        JSONEntry("batch", .array(messages)), JSONEntry("sentAt", .string(text)),
      ]).canonicalBytes())
  }

  /// Gives a batch request other messages.
  /// - Returns: the place of its start.
  static func replace(
    _ messages: [JSONValue], in batch: RecordedHistory.Batch, of history: History
  ) -> Int {
    let start = history.records[batch.start]
    let body = Edited.body(messages, sentAt: sentAt(of: start, in: history), in: history)
    history.replaceRecord(at: batch.start, with: Edited.start(start, body: body))
    return batch.start
  }

  /// Gives one member of one message of a batch request another value.
  /// - Returns: the place of its start.
  static func set(
    _ key: String, to value: JSONValue, at place: Int, in batch: RecordedHistory.Batch,
    of history: History
  ) -> Int {
    var messages = batch.messages
    messages[place] = messages[place].setting(key, to: value)
    return replace(messages, in: batch, of: history)
  }

  /// Gives one member of a message another value.
  /// - Returns: the place of the start of its request.
  static func set(
    _ key: String, to value: JSONValue, of sent: RecordedHistory.Sent, in history: History
  ) -> Int {
    set(key, to: value, at: sent.place, in: sent.batch, of: history)
  }

  /// Gives a call another value to return.
  static func setReturn(_ value: String?, at place: Int, in history: History) {
    guard case .callReturned(let call, _, _) = history.records[place].fact else { return }
    var record = history.records[place]
    record.fact = .callReturned(
      call: call, hasValue: value != nil, value: value.map { history.store($0) } ?? .empty)
    history.replaceRecord(at: place, with: record)
  }

  /// Adds a call of the app right behind another one, on its thread and at its time.
  /// - Parameter place: where the other one has returned.
  static func add(_ call: HostCall, behind place: Int, in history: History) {
    guard case .callReturned(let other, _, _) = history.records[place].fact,
      let began = history.records[..<place].last(where: { record in
        if case .callBegan(other, _, _, _, _) = record.fact { return true }
        return false
      }), case .callBegan(_, let action, let thread, let wall, let continuous) = began.fact
    else { return }
    let number = history.add(call)
    let facts: [Fact] = [
      .callBegan(
        call: number, action: action, thread: thread, wall: wall, continuous: continuous),
      .callReturned(call: number, hasValue: false, value: .empty),
    ]
    for (offset, fact) in facts.enumerated() {
      history.insertRecord(
        Record(instant: history.records[place].instant, process: began.process, fact: fact),
        at: place + 1 + offset)
    }
  }

  /// Puts another call in the place of one.
  static func replace(_ call: UInt32, with other: HostCall, in history: History) {
    let number = history.add(other)
    for (place, record) in history.records.enumerated() {
      var record = record
      switch record.fact {
      case .callBegan(call, let action, let thread, let wall, let continuous):
        record.fact = .callBegan(
          call: number, action: action, thread: thread, wall: wall, continuous: continuous)
      case .callReturned(call, let hasValue, let value):
        record.fact = .callReturned(call: number, hasValue: hasValue, value: value)
      default: continue
      }
      history.replaceRecord(at: place, with: record)
    }
  }

  /// A random UUID that no run draws.
  static let identifier = "00000000-0000-4000-8000-000000000001"

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

extension JSONValue {
  /// An object with another value for a key, which comes last where it was not there.
  func setting(_ key: String, to value: JSONValue) -> JSONValue {
    guard var entries = object else { return self }
    if let place = entries.firstIndex(where: { $0.key == key }) {
      entries[place].value = value
    } else {
      entries.append(JSONEntry(key, value))
    }
    return .object(entries)
  }

  /// A message whose first property has another value; nil where there is none.
  var withAnotherProperty: JSONValue? {
    guard let properties = self["properties"], let first = properties.object?.first else {
      return nil
    }
    return setting("properties", to: properties.setting(first.key, to: .string("another value")))
  }
}
