import FuzzHistory
import SimKernel

@testable import FuzzInvariants

/// Edits of recorded histories for the rules about `$first_open`.
enum FirstOpenEdits {
  static let all: [RecordedEdit] = [
    again, unowed, ahead, withoutFacts, toldEarlier, notQueued, dueAtEnd, otherTime, otherLaunch,
    laterThanOthers,
  ]

  static let again = RecordedEdit(
    name: "the app was not deleted before it was opened for the first time once more",
    invariant: "INV-38", cause: "a second $first_open of one install",
    also: [("INV-42", "the version has changed since, and nobody tells")]
  ) { recorded, history in
    var places: [Int] = []
    for sent in recorded.sentOnce where isFirstOpen(sent.message) {
      let answer = history.records.indices.first { place in
        if case .answered(sent.batch.exchange, _, 200, _, _) = history.records[place].fact {
          return true
        }
        return false
      }
      if let answer { places.append(answer) }
    }
    guard places.count > 1 else { return nil }
    for launch in recorded.launches {
      var record = history.records[launch]
      guard case .launched(let kind, let boot, _, let version, let build) = record.fact else {
        continue
      }
      record.fact = .launched(kind: kind, boot: boot, install: 0, version: version, build: build)
      history.replaceRecord(at: launch, with: record)
    }
    return places[1]
  }

  static let unowed = RecordedEdit(
    name: "$first_open is sent under a second id", invariant: "INV-38",
    cause: "a $first_open that no launch owes"
  ) { recorded, history in
    LifecycleEdits.repeatMessage(recorded, history) { isFirstOpen($0) }
  }

  static let ahead = RecordedEdit(
    name: "$first_open and the $app_open of its load change places in their request",
    invariant: "INV-19", cause: "order of a call and a lifecycle event changed"
  ) { recorded, history in
    for opening in recorded.sentOnce where isFirstOpen(opening.message) {
      guard opening.message.process == opening.batch.process,
        let open = recorded.sentOnce.last(where: { sent in
          guard case .appOpen = sent.message.cause else { return false }
          return sent.batch.exchange == opening.batch.exchange && sent.place < opening.place
        })
      else { continue }
      var messages = opening.batch.messages
      messages.swapAt(open.place, opening.place)
      return Edited.replace(messages, in: opening.batch, of: history)
    }
    return nil
  }

  static let toldEarlier = RecordedEdit(
    name: "the facts of the install were told seconds before $first_open came into the queue",
    invariant: "INV-39", cause: "$first_open was queued late"
  ) { recorded, history in
    let bound = TimeSpan.seconds(2) + TimeSpan(nanoseconds: history.header.longestHandOff * 4)
    for sent in recorded.sentOnce
    where isFirstOpen(sent.message) && sent.message.process == sent.batch.process
      && recorded.hasSoundDisk
    {
      guard
        let told = history.records.indices.last(where: { place in
          if case .attributionTokenTold(let token) = history.records[place].fact, token.count == 0 {
            return place < sent.batch.start
              && history.records[place].process == sent.message.process
          }
          return false
        }),
        let place = history.records.indices.first(where: { place in
          history.records[place].process == sent.message.process
            && recorded.instant(told) - recorded.instant(place) < .seconds(15)
            && recorded.instant(told) - recorded.instant(place) > bound
        }), let start = sent.message.enqueuedInstant, start > recorded.instant(place),
        !history.records[place..<told].contains(where: { $0.fact.kind == .phase }),
        recorded.messages.contains(where: { other in
          guard case .appOpen = other.cause, let queued = other.enqueuedInstant else {
            return false
          }
          return other.process == sent.message.process && queued < recorded.instant(place)
        })
      else { continue }
      var record = history.records[told]
      record.instant = history.records[place].instant
      history.removeRecord(at: told)
      history.insertRecord(record, at: place)
      return sent.batch.start
    }
    return nil
  }

  static let withoutFacts = RecordedEdit(
    name: "nobody had told the facts of the install when $first_open was sent",
    invariant: "INV-39", cause: "$first_open left without waiting for the facts"
  ) { recorded, history in
    for sent in recorded.sentOnce where isFirstOpen(sent.message) {
      guard
        let told = history.records.indices.last(where: { place in
          if case .attributionTokenTold(let token) = history.records[place].fact, token.count == 0 {
            return place < sent.batch.start
              && history.records[place].process == sent.message.process
          }
          return false
        }), let load = recorded.load(of: sent.message.process),
        let began = recorded.places(ofCall: load)?.began,
        recorded.instant(sent.batch.start) - recorded.instant(began) < .seconds(15)
      else { continue }
      history.removeRecord(at: told)
      return sent.batch.start - 1
    }
    return nil
  }

  static let notQueued = RecordedEdit(
    name: "nothing on disk says that the install was opened, and a process lives on without it",
    invariant: "INV-39", cause: "$first_open is not queued in time"
  ) { recorded, history in
    forgetOpening(recorded, history) { $0 != recorded.calmEnd }
  }

  static let dueAtEnd = RecordedEdit(
    name: "nothing on disk says that the install was opened, and the last process is short",
    invariant: "INV-39", cause: "$first_open is due at the end and was not queued"
  ) { recorded, history in
    forgetOpening(recorded, history) { $0 == recorded.calmEnd }
  }

  static let otherTime = RecordedEdit(
    name: "$first_open is a millisecond older than its launch", invariant: "INV-40",
    cause: "$first_open has another time than its launch"
  ) { recorded, history in
    recorded.sentOnce.first { isFirstOpen($0.message) }.flatMap {
      shift($0, byMilliseconds: -1, in: history)
    }
  }

  static let otherLaunch = RecordedEdit(
    name: "the launch that is stored for a late $first_open is another one, and so it is sent",
    invariant: "INV-40", cause: "a late $first_open is not the stored one"
  ) { recorded, history in
    for sent in recorded.sentOnce where isFirstOpen(sent.message) && recorded.hasSoundDisk {
      let time = sent.message.timestampMilliseconds
      let writes = recorded.steps().filter {
        $0.path == "install.json.new" && $0.operation == .write
          && history.contains("\"time\":\(time)", in: $0.bytes)
          && history.records[$0.place].process < sent.message.process
      }
      if writes.isEmpty { continue }
      for step in recorded.steps() {
        Edited.rewrite("\"time\":\(time)", as: "\"time\":\(time - 1)", at: step.place, in: history)
      }
      return shift(sent, byMilliseconds: -1, in: history)
    }
    return nil
  }

  static let laterThanOthers = RecordedEdit(
    name: "$first_open has the time at which it was queued", invariant: "INV-40",
    cause: "$first_open is later than another message of its launch"
  ) { recorded, history in
    for sent in recorded.sentOnce where isFirstOpen(sent.message) {
      let mates = recorded.messages.filter {
        $0.process == sent.message.process && $0.isSighted
          && $0.firstExchange <= sent.message.firstExchange && !isFirstOpen($0)
      }
      guard sent.batch.process == sent.message.process, let first = mates.first,
        first.timestampMilliseconds < sent.message.timestampMilliseconds + 900
      else { continue }
      return shift(sent, byMilliseconds: 900, in: history)
    }
    return nil
  }

  static func isFirstOpen(_ message: ExpectedMessage) -> Bool {
    if case .firstOpen = message.cause { return true }
    return false
  }

  private static func shift(
    _ sent: RecordedHistory.Sent, byMilliseconds span: Int64, in history: History
  ) -> Int? {
    guard let text = sent.json["timestamp"]?.string else { return nil }
    let time = Edited.timestamp(RecordedHistory.milliseconds(text) + span)
    return Edited.set("timestamp", to: .string(time), of: sent, in: history)
  }

  /// Takes every word of an opening off the disk.
  /// - Parameter suits: whether the rule may fire at a record.
  /// - Returns: where the first process after that of the opening is judged.
  private static func forgetOpening(
    _ recorded: RecordedHistory, _ history: History, where suits: (Int) -> Bool
  ) -> Int? {
    guard recorded.hasSoundDisk,
      !history.calls.contains(where: { call in
        if case .consent(analytics: false, _) = call { return true }
        return false
      }), let opening = recorded.sentOnce.first(where: { isFirstOpen($0.message) }),
      opening.message.process == opening.batch.process,
      let place = firstJudged(after: opening.message.process, recorded), suits(place)
    else { return nil }
    for step in recorded.steps() {
      Edited.rewrite("\"opened\":true", as: "\"opened\":false", at: step.place, in: history)
      Edited.rewrite("\"firstOpen\":", as: "\"forgotten\":", at: step.place, in: history)
    }
    return place
  }

  private static func firstJudged(after process: Int32, _ recorded: RecordedHistory) -> Int? {
    let history = recorded.history
    let bound = TimeSpan.seconds(22) + TimeSpan(nanoseconds: history.header.longestHandOff * 4)
    for later in recorded.processes where later > process {
      guard let end = recorded.end(of: later) else { return nil }
      let own = recorded.messages.first { $0.process == later && $0.enqueuedInstant != nil }
      if own?.analytics == false { continue }
      let launch = recorded.launches.first { history.records[$0].process == later }
      let start = own?.enqueuedInstant ?? launch.map { recorded.instant($0) } ?? .start
      // Whether one without messages has consent is open here.
      if own == nil, recorded.instant(end) - start > .seconds(18) { return nil }
      var ran = TimeSpan.zero
      var since: Instant? = start
      for place in history.records.indices
      where place <= end && history.records[place].instant >= start
        && (history.records[place].process == later || place == end)
      {
        let isOver: Bool
        switch history.records[place].fact {
        case .phase(.suspended), .ended: isOver = true
        case .phase:
          since = since ?? recorded.instant(place)
          continue
        default: continue
        }
        guard isOver else { continue }
        if let began = since { ran = ran + (recorded.instant(place) - began) }
        since = nil
        if ran > bound { return place }
        // Too close to the bound to be told from outside.
        if ran > .seconds(18) { return nil }
      }
    }
    return recorded.calmEnd
  }
}
