import FuzzHistory
import SimKernel

@testable import FuzzInvariants

/// One edit of a recorded history for each rule about what a message says, at once and again.
enum MessageEdits {
  static let all: [RecordedEdit] = [
    otherProperty, otherName, noCall, twiceInBody, twoContents, sharedIdentifier, otherContent,
    renamed, oldSentAt, timeOfSending, timeOfConfig, sizeBeforeTheTurn,
  ]

  static let otherProperty = RecordedEdit(
    name: "a message arrives with another value of a property", invariant: "INV-01"
  ) { recorded, history in
    for sent in recorded.tracks {
      guard let other = sent.json.withAnotherProperty else { continue }
      var messages = sent.batch.messages
      messages[sent.place] = other
      return Edited.replace(messages, in: sent.batch, of: history)
    }
    return nil
  }

  static let otherName = RecordedEdit(
    name: "a message arrives under the name of another event", invariant: "INV-01"
  ) { recorded, history in
    recorded.tracks.first.map {
      Edited.set("event", to: .string("Another event"), of: $0, in: history)
    }
  }

  static let noCall = RecordedEdit(
    name: "a message that no call made is sent along", invariant: "INV-01"
  ) { recorded, history in
    guard
      let sent = recorded.tracks.first(where: {
        recorded.hasRoom($0.batch) && !$0.message.startsSession
      })
    else { return nil }
    let invented = sent.json.setting("event", to: .string("Never called"))
      .setting("messageId", to: .string(Edited.identifier))
    return Edited.replace(sent.batch.messages + [invented], in: sent.batch, of: history)
  }

  static let twiceInBody = RecordedEdit(
    name: "a message stands twice in one request", invariant: "INV-02"
  ) { recorded, history in
    guard let sent = recorded.tracks.first(where: { recorded.hasRoom($0.batch) }) else {
      return nil
    }
    var messages = sent.batch.messages
    messages.insert(sent.json, at: sent.place)
    return Edited.replace(messages, in: sent.batch, of: history)
  }

  static let twoContents = RecordedEdit(
    name: "what has arrived unheard arrives again with another property", invariant: "INV-02",
    also: [("INV-06", "the attempt that brings it differs from the one before")]
  ) { recorded, history in
    guard let batch = alterRetry(recorded, history, where: { recorded.hasArrived($0) }) else {
      return nil
    }
    return history.records.firstIndex { record in
      if case .requestArrived(batch.exchange, 0) = record.fact { return true }
      return false
    }
  }

  static let sharedIdentifier = RecordedEdit(
    name: "the SDK gives a message the id of an earlier one", invariant: "INV-02"
  ) { recorded, history in
    let own = recorded.tracks.filter { !$0.message.hasCallersIdentifier }
    for first in own {
      for second in own
      where second.message.process == first.message.process
        && second.message.callInstant > recorded.instant(first.batch.end)
      {
        guard let id = first.json["messageId"],
          let places = recorded.places(ofCall: second.message.call)
        else { continue }
        Edited.setReturn(id.string, at: places.returned, in: history)
        _ = Edited.set("messageId", to: id, of: second, in: history)
        return history.records.firstIndex { record in
          if case .requestArrived(second.batch.exchange, 0) = record.fact { return true }
          return false
        }
      }
    }
    return nil
  }

  static let otherContent = RecordedEdit(
    name: "the attempt after one that never arrived has another property", invariant: "INV-06"
  ) { recorded, history in
    alterRetry(recorded, history, where: { !recorded.hasArrived($0) })?.start
  }

  /// Gives a message of a retry another property.
  /// - Returns: the retry.
  private static func alterRetry(
    _ recorded: RecordedHistory, _ history: History, where matches: (RecordedHistory.Batch) -> Bool
  ) -> RecordedHistory.Batch? {
    for pair in recorded.retries where matches(pair.first) {
      for (place, message) in pair.second.messages.enumerated() {
        guard message["type"] == .string("track"), let other = message.withAnotherProperty else {
          continue
        }
        var messages = pair.second.messages
        messages[place] = other
        _ = Edited.replace(messages, in: pair.second, of: history)
        return pair.second
      }
    }
    return nil
  }

  static let renamed = RecordedEdit(
    name: "a retry gives a message another id", invariant: "INV-06",
    also: [
      ("INV-08", "the list of a kept batch has changed"),
      ("INV-03", "under its own id the message never comes again"),
    ]
  ) { recorded, history in
    for pair in recorded.retries where !recorded.hasArrived(pair.first) {
      guard
        let place = pair.second.messages.firstIndex(where: { message in
          message["type"] == .string("track") && message["messageId"]?.string?.utf8.count == 36
        })
      else { continue }
      return Edited.set(
        "messageId", to: .string(Edited.identifier), at: place, in: pair.second, of: history)
    }
    return nil
  }

  static let oldSentAt = RecordedEdit(
    name: "a retry carries the sentAt of the attempt before", invariant: "INV-06"
  ) { recorded, history in
    guard let pair = recorded.retries.first(where: { $0.second.sentAt - $0.first.sentAt > 5_000 }),
      case .requestStarted(_, _, _, _, _, _, let body, _, _, _, _) =
        history.records[pair.first.start].fact
    else { return nil }
    history.replaceRecord(
      at: pair.second.start, with: Edited.start(history.records[pair.second.start], body: body))
    return pair.second.start
  }

  static let timeOfSending = RecordedEdit(
    name: "a message carries the time at which it was sent", invariant: "INV-17"
  ) { recorded, history in
    for sent in recorded.tracks
    where !sent.message.wasHeld && sent.batch.sentAt > sent.message.timestampMilliseconds {
      let time = Edited.timestamp(sent.batch.sentAt)
      return Edited.set("timestamp", to: .string(time), of: sent, in: history)
    }
    return nil
  }

  static let sizeBeforeTheTurn = RecordedEdit(
    name: "a message carries the size that the screen had before the device was turned",
    invariant: "INV-01", requirements: ["PRV-06"], cause: "context altered"
  ) { recorded, history in
    var size = history.header.device.screenSize
    var turns: [(process: Int32, instant: Instant, before: ScreenSize, after: ScreenSize)] = []
    var process: Int32 = -1
    for record in history.records {
      if case .launched = record.fact { process = record.process }
      guard case .screenResized(let after) = record.fact else { continue }
      turns.append((process, record.instant, size, after))
      size = after
    }
    for turn in turns {
      func size(_ size: ScreenSize) -> JSONValue {
        .object([
          JSONEntry("height", .int(Int64(size.height))),
          JSONEntry("width", .int(Int64(size.width))),
        ])
      }
      let sent = recorded.tracks.first { sent in
        sent.message.process == turn.process && sent.message.callInstant > turn.instant
          && sent.json["context"]?["screen"] == size(turn.after)
      }
      if let sent {
        return Edited.setContext("screen", to: size(turn.before), of: sent, in: history)
      }
    }
    return nil
  }

  static let timeOfConfig = RecordedEdit(
    name: "an early message carries the time at which the config came", invariant: "INV-17"
  ) { recorded, history in
    for sent in recorded.tracks {
      guard let queued = sent.message.enqueuedInstant else { continue }
      let held = (queued - sent.message.callInstant).milliseconds
      guard held > 0 else { continue }
      let time = Edited.timestamp(sent.message.timestampMilliseconds + held)
      return Edited.set("timestamp", to: .string(time), of: sent, in: history)
    }
    return nil
  }
}
