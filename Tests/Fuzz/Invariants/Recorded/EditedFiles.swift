import FuzzHistory
import SimKernel

@testable import FuzzInvariants

/// Edits of what lies on disk, and of what stands in many places.
extension Edited {
  /// A step of the file system as a record tells it.
  struct Step {
    var place: Int
    var operation: DiskOperation
    var outcome: DiskOutcome
    var path: String
    var target: String
    var bytes: ByteSlice
  }

  static func step(_ place: Int, in history: History) -> Step? {
    guard
      case .disk(let operation, let outcome, _, _, let path, let target, _, let bytes) =
        history
        .records[place].fact
    else { return nil }
    return Step(
      place: place, operation: operation, outcome: outcome, path: name(path, in: history),
      target: name(target, in: history), bytes: bytes)
  }

  /// The last part of a path.
  private static func name(_ path: ByteSlice, in history: History) -> String {
    history.text(path).split(separator: "/").last.map(String.init) ?? ""
  }

  /// Puts another text in the place of one in what a step of the file system writes.
  /// - Returns: whether it stood there.
  @discardableResult
  static func rewrite(
    _ old: String, as new: String, at place: Int, in history: History
  ) -> Bool {
    guard
      case .disk(
        let operation, let outcome, let queue, let step, let path, let target, let offset, let bytes
      ) = history.records[place].fact, history.contains(old, in: bytes)
    else { return false }
    var record = history.records[place]
    record.fact = .disk(
      operation, outcome: outcome, queue: queue, step: step, path: path, target: target,
      offset: offset, bytes: history.store(history.text(bytes).replacing(old, with: new)))
    history.replaceRecord(at: place, with: record)
    return true
  }

  /// Gives a step of the file system another outcome.
  static func setOutcome(_ outcome: DiskOutcome, at place: Int, in history: History) {
    guard
      case .disk(
        let operation, _, let queue, let step, let path, let target, let offset, let bytes) =
        history.records[place].fact
    else { return }
    var record = history.records[place]
    record.fact = .disk(
      operation, outcome: outcome, queue: queue, step: step, path: path, target: target,
      offset: offset, bytes: bytes)
    history.replaceRecord(at: place, with: record)
  }

  /// Adds a step of the file system right behind a record, at its instant and in its process.
  /// - Returns: its place.
  static func addStep(
    _ operation: DiskOperation, _ outcome: DiskOutcome, _ file: String, _ bytes: String = "",
    behind place: Int, in history: History
  ) -> Int {
    let path = history.storeName(history.header.storageDirectory + "/" + file)
    history.insertRecord(
      Record(
        instant: history.records[place].instant, process: history.records[place].process,
        fact: .disk(
          operation, outcome: outcome, queue: 1, step: 0, path: path, target: .empty, offset: 0,
          bytes: history.store(bytes))), at: place + 1)
    return place + 1
  }

  /// Puts another text in the place of one in all batch requests and returned values of a process.
  static func replaceEverywhere(
    _ old: String, with new: String, inRequests batches: [RecordedHistory.Batch], process: Int32,
    of history: History
  ) {
    for batch in batches {
      let record = history.records[batch.start]
      guard case .requestStarted(_, _, _, _, _, _, let body, _, _, _, _) = record.fact,
        history.contains(old, in: body)
      else { continue }
      let edited = history.store(history.text(body).replacing(old, with: new))
      history.replaceRecord(at: batch.start, with: start(record, body: edited))
    }
    for (place, record) in history.records.enumerated() where record.process == process {
      guard case .callReturned(_, true, let value) = record.fact, history.contains(old, in: value)
      else { continue }
      setReturn(history.text(value).replacing(old, with: new), at: place, in: history)
    }
  }

  /// Gives one member of `context` of a message another value.
  /// - Returns: the place of the start of its request.
  static func setContext(
    _ key: String, to value: JSONValue, of sent: RecordedHistory.Sent, in history: History
  ) -> Int? {
    guard let context = sent.json["context"] else { return nil }
    return set("context", to: context.setting(key, to: value), of: sent, in: history)
  }
}

extension RecordedHistory {
  /// The steps of the file system that a process made, or that all made.
  func steps(of process: Int32? = nil) -> [Edited.Step] {
    history.records.indices.compactMap { place in
      if let process, history.records[place].process != process { return nil }
      return Edited.step(place, in: history)
    }
  }

  /// The records at which processes were launched.
  var launches: [Int] {
    history.records.indices.filter { history.records[$0].fact.kind == .launched }
  }

  /// The record with which a process ends, or the calm.
  func end(of process: Int32) -> Int? {
    history.records.firstIndex { record in
      if case .ended = record.fact { return record.process == process }
      return false
    } ?? calmEnd
  }

  /// Calls that a process began, with the place of their begin.
  func calls(of process: Int32) -> [(place: Int, call: HostCall)] {
    history.records.indices.compactMap { place in
      guard history.records[place].process == process,
        case .callBegan(let call, _, _, _, _) = history.records[place].fact
      else { return nil }
      return (place, history.calls[Int(call)])
    }
  }

  /// Whether a process changes who it is, or what it may keep.
  func isResetOrRevoked(_ process: Int32) -> Bool {
    calls(of: process).contains { item in
      switch item.call {
      case .reset, .consent(analytics: false, _): return true
      default: return false
      }
    }
  }

  /// The processes of the run, in order.
  var processes: [Int32] { launches.map { history.records[$0].process } }
}
