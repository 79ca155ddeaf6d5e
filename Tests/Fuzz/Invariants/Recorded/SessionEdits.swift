import FuzzHistory
import SimKernel

@testable import FuzzInvariants

/// Edits of recorded histories for the rules about sessions.
enum SessionEdits {
  static let all: [RecordedEdit] = [
    earlierSession, unknownSession, missingFlag, laterFlag, twoFlags,
  ]

  static let earlierSession = RecordedEdit(
    name: "a message is sent in a session that is over", invariant: "INV-35",
    cause: "an earlier session goes on"
  ) { recorded, history in
    for sent in recorded.tracks where !sent.message.startsSession {
      guard let session = sent.json["context"]?["session"], let id = session["id"]?.string,
        let earlier = earlierId(than: id, before: sent, recorded)
      else { continue }
      return Edited.setContext(
        "session", to: session.setting("id", to: .string(earlier)), of: sent, in: history)
    }
    return nil
  }

  static let unknownSession = RecordedEdit(
    name: "a message is sent in a session of its own", invariant: "INV-35",
    cause: "a session that nothing begins"
  ) { recorded, history in
    // Where the session was seen before, the model knows its id.
    for sent in recorded.tracks where !sent.message.startsSession {
      guard let session = sent.json["context"]?["session"],
        isSeen(session["id"], before: sent, recorded)
      else { continue }
      return Edited.setContext(
        "session", to: session.setting("id", to: .string(Edited.identifier)), of: sent, in: history)
    }
    return nil
  }

  static let missingFlag = RecordedEdit(
    name: "the first message of a session lacks its start flag", invariant: "INV-36",
    cause: "the first message has no start flag"
  ) { recorded, history in
    for sent in recorded.sentOnce where sent.message.startsSession {
      guard let id = sent.json["context"]?["session"]?["id"] else { continue }
      return Edited.setContext(
        "session", to: .object([JSONEntry("id", id)]), of: sent, in: history)
    }
    return nil
  }

  static let laterFlag = RecordedEdit(
    name: "a later message of a session has a start flag too", invariant: "INV-36",
    cause: "a later message has the start flag"
  ) { recorded, history in
    for sent in recorded.tracks where !sent.message.startsSession {
      guard let session = sent.json["context"]?["session"],
        isSeen(session["id"], before: sent, recorded)
      else { continue }
      return Edited.setContext(
        "session", to: session.setting("start", to: .bool(true)), of: sent, in: history)
    }
    return nil
  }

  static let twoFlags = RecordedEdit(
    name: "the first message of a session begins the one before it again", invariant: "INV-36",
    cause: "a session has two start flags",
    also: [("INV-35", "that session is over")]
  ) { recorded, history in
    for sent in recorded.sentOnce where sent.message.startsSession {
      guard let session = sent.json["context"]?["session"], let id = session["id"]?.string,
        let earlier = recorded.sentOnce.last(where: {
          $0.message.startsSession && $0.batch.start < sent.batch.start
        })?.json["context"]?["session"]?["id"]?.string, earlier != id
      else { continue }
      Edited.replaceEverywhere(
        id, with: earlier, inRequests: [sent.batch], process: -2, of: history)
      return sent.batch.start
    }
    return nil
  }

  /// A session with another id in a request before that of a message.
  private static func earlierId(
    than id: String, before sent: RecordedHistory.Sent, _ recorded: RecordedHistory
  ) -> String? {
    guard isSeen(.string(id), before: sent, recorded) else { return nil }
    let ids = recorded.batches.filter { $0.start < sent.batch.start }.flatMap(\.messages)
      .compactMap { $0["context"]?["session"]?["id"]?.string }
    return ids.last { $0 != id }
  }

  private static func isSeen(
    _ id: JSONValue?, before sent: RecordedHistory.Sent, _ recorded: RecordedHistory
  ) -> Bool {
    recorded.batches.contains { batch in
      batch.start < sent.batch.start
        && batch.messages.contains { $0["context"]?["session"]?["id"] == id }
    }
  }
}
