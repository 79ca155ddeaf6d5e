import FuzzHistory
import SimKernel

@testable import FuzzInvariants

/// Edits of recorded histories for the rules about crashes.
enum CrashEdits {
  static let all: [RecordedEdit] = [
    capturedWithout, swallowedHandler, unheard, otherTime, otherVisitor, openMessage, openFile,
    shortHash,
  ]

  static let capturedWithout = RecordedEdit(
    name: "an app that captures no crashes finds one recorded", invariant: "INV-45",
    requirements: ["OPT-14"],
    cause: "a crash is recorded although it may not be"
  ) { recorded, history in
    for crash in places(of: history) {
      // Before the process keeps anything a record would also be one without consent.
      let process = history.records[crash].process
      let keeps = recorded.steps(of: process).contains {
        $0.place < crash && $0.operation == .append && $0.outcome == .done
      }
      if !keeps { continue }
      let write = recorded.steps(of: process).first {
        $0.place > crash && $0.operation == .overwrite && $0.bytes.count > 0
      }
      guard let write else { continue }
      for record in history.records where record.process == process {
        guard case .callBegan(let call, _, _, _, _) = record.fact,
          case .load(let writeKey, var options) = history.calls[Int(call)]
        else { continue }
        options.captureCrashes = false
        Edited.replace(call, with: .load(writeKey: writeKey, options: options), in: history)
        return write.place
      }
    }
    return nil
  }

  static let swallowedHandler = RecordedEdit(
    name: "the reporter that was there before hears nothing", invariant: "INV-48",
    requirements: ["CRA-19", "CRA-20"],
    cause: "an earlier handler does not run"
  ) { _, history in
    for crash in places(of: history) {
      let process = history.records[crash].process
      guard
        let end = history.records.indices.first(where: { index in
          if case .ended = history.records[index].fact { return index > crash }
          return false
        })
      else { continue }
      var handlers: [(reporter: CrashReporter, place: Int)] = []
      var isCut = false
      for index in crash..<end where history.records[index].process == process {
        switch history.records[index].fact {
        case .crashHandlerRan(let reporter, _): handlers.append((reporter, index))
        case .disk(_, let outcome, _, _, _, _, _, _): isCut = isCut || outcome != .done
        default: break
        }
      }
      guard !isCut, handlers.map(\.reporter) == [.sdk, .earlier] else { continue }
      history.removeRecord(at: handlers[1].place)
      return end - 1
    }
    return nil
  }

  static let unheard = RecordedEdit(
    name: "a process that captures crashes dies of one that nobody hears", invariant: "INV-49",
    requirements: ["CRA-01", "CRA-02"],
    cause: "no handler is in place"
  ) { recorded, history in
    if !recorded.hasSoundDisk || history.header.hasSharedGroup { return nil }
    for place in history.records.indices {
      let record = history.records[place]
      guard case .ended(.memoryKill) = record.fact,
        let installed = history.records[..<place].lastIndex(where: {
          $0.process == record.process && $0.fact.kind == .crashHandlersInstalled
        }),
        let first = history.records[installed...place].first(where: {
          if case .phase(.suspended) = $0.fact { return true }
          return $0.instant == record.instant
        }), first.instant - recorded.instant(installed) > .seconds(60),
        !recorded.calls(of: record.process).contains(where: { other in
          if case .consent(analytics: false, _) = other.call { return true }
          return false
        })
      else { continue }
      var ended = record
      ended.fact = .ended(.crash)
      history.replaceRecord(at: place, with: ended)
      let crashed = Fact.crashed(
        kind: .abort, thread: 0, threadName: .empty, name: .empty, reason: .empty, frames: .empty,
        isStackOverflow: false, continuous: 0)
      history.insertRecord(
        Record(instant: record.instant, process: record.process, fact: crashed), at: place)
      return place + 1
    }
    return nil
  }

  static let otherTime = RecordedEdit(
    name: "the event of a crash has the time of its sending", invariant: "INV-50",
    requirements: ["CRA-04"],
    cause: "a $crash differs from its crash in timestamp"
  ) { recorded, history in
    event(in: recorded).map { sent in
      Edited.set(
        "timestamp", to: .string(Edited.timestamp(sent.batch.sentAt)), at: sent.place,
        in: sent.batch, of: history)
    }
  }

  static let otherVisitor = RecordedEdit(
    name: "the event of a crash names another visitor", invariant: "INV-50",
    requirements: ["CRA-04"],
    cause: "a $crash differs from its crash in anonymousId"
  ) { recorded, history in
    event(in: recorded).map { sent in
      Edited.set(
        "anonymousId", to: .string(Edited.identifier), at: sent.place, in: sent.batch, of: history)
    }
  }

  static let openMessage = RecordedEdit(
    name: "the event of a crash holds an address", invariant: "INV-51",
    requirements: ["CRA-07", "CRA-08"],
    cause: "a $crash is not redacted", also: [("INV-50", "that is not what was to be said")]
  ) { recorded, history in
    event(in: recorded, hasMessage: true).flatMap {
      setProperty("message", to: "mail ayse@example.com", of: $0, in: history)
    }
  }

  static let openFile = RecordedEdit(
    name: "a record holds a number in full", invariant: "INV-51",
    requirements: ["CRA-07", "CRA-09"],
    cause: "a private part of a crash is in the open (plain)"
  ) { recorded, history in
    guard let canary = history.header.canaries.first(where: { $0.kind == .crash }),
      let crash = places(of: history).first,
      let place = lastStep(recorded, after: crash)
    else { return nil }
    return Edited.addStep(
      .write, .done, "session.json.new", canary.text, behind: place, in: history)
  }

  static let shortHash = RecordedEdit(
    name: "the hash of a stack is no hash", invariant: "INV-52", requirements: ["CRA-15"],
    cause: "a stack hash is not 32 hex digits",
    also: [("INV-50", "that is not what was to be said")]
  ) { recorded, history in
    event(in: recorded).flatMap { setProperty("stack_hash", to: "0F1E", of: $0, in: history) }
  }

  // MARK: Places

  private static func places(of history: History) -> [Int] {
    history.records.indices.filter { index in
      if case .crashed = history.records[index].fact { return true }
      return false
    }
  }

  /// A step that writes a session well after a crash.
  private static func lastStep(_ recorded: RecordedHistory, after crash: Int) -> Int? {
    recorded.steps().first { $0.place > crash && $0.path == "session.json.new" }?.place
  }

  /// The event of a crash in the only request that held it.
  private static func event(
    in recorded: RecordedHistory, hasMessage: Bool = false
  ) -> (batch: RecordedHistory.Batch, place: Int)? {
    let ids = recorded.batches.flatMap(\.ids)
    for batch in recorded.batches {
      for (place, message) in batch.messages.enumerated() {
        guard message["event"]?.string == "$crash",
          message["properties"]?["kind"]?.string == "crash",
          let id = message["messageId"]?.string, ids.filter({ $0 == id }).count == 1,
          !hasMessage || message["properties"]?["message"] != nil
        else { continue }
        return (batch, place)
      }
    }
    return nil
  }

  private static func setProperty(
    _ key: String, to text: String, of sent: (batch: RecordedHistory.Batch, place: Int),
    in history: History
  ) -> Int? {
    guard let properties = sent.batch.messages[sent.place]["properties"] else { return nil }
    return Edited.set(
      "properties", to: properties.setting(key, to: .string(text)), at: sent.place,
      in: sent.batch, of: history)
  }
}
