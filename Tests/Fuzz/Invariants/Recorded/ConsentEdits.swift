import FuzzHistory
import SimKernel

@testable import FuzzInvariants

/// Edits of recorded histories for the rules about what was decided and what may be stored.
enum ConsentEdits {
  static let all: [RecordedEdit] = [
    otherConsent, decisionIgnored, decisionChanged, storedWithout, configStored, declineIgnored,
  ]

  static let otherConsent = RecordedEdit(
    name: "a message tells another consent than held at its call", invariant: "INV-23",
    cause: "consent is not the model's"
  ) { recorded, history in
    recorded.tracks.first { !$0.message.isUnderStoredDecision }.flatMap {
      flipConsent(of: $0, in: history)
    }
  }

  static let decisionIgnored = RecordedEdit(
    name: "a message says what the mode gives where something else was decided before",
    invariant: "INV-26", cause: "a stored decision does not govern",
    also: [("INV-23", "that is not what held at its call")]
  ) { recorded, history in
    recorded.tracks.first(where: \.message.isUnderStoredDecision).flatMap {
      flipConsent(of: $0, in: history)
    }
  }

  static let decisionChanged = RecordedEdit(
    name: "the file of the decision says another thing about marketing than was decided",
    invariant: "INV-26", cause: "a decision is not on disk"
  ) { recorded, history in
    let steps = recorded.steps()
    for (place, next) in zip(recorded.launches, recorded.launches.dropFirst())
    where recorded.hasSoundDisk {
      let process = history.records[place].process
      let renames = steps.filter {
        $0.place < next && $0.operation == .rename && $0.target == "consent.json"
      }
      guard let rename = renames.last, history.records[rename.place].process == process,
        recorded.instant(next) - recorded.instant(rename.place) > .seconds(30),
        let write = steps.last(where: {
          $0.place < rename.place && $0.path == "consent.spare" && $0.bytes.count > 0
        }), history.contains("\"marketing\":true", in: write.bytes)
      else { continue }
      Edited.rewrite("\"marketing\":true", as: "\"marketing\":false", at: write.place, in: history)
      return next
    }
    return nil
  }

  static let storedWithout = RecordedEdit(
    name: "a process without consent stores who it is", invariant: "INV-21",
    cause: "stored without consent: install.json",
    also: [("INV-28", "nothing is stored, so that nothing keeps the folder out of backups")]
  ) { recorded, history in
    let isEverDecided = history.calls.contains { call in
      if case .consent = call { return true }
      return false
    }
    if isEverDecided || !recorded.hasSoundDisk { return nil }
    for process in recorded.processes {
      let own = recorded.messages.filter { $0.process == process && $0.enqueuedInstant != nil }
      guard !own.isEmpty, own.allSatisfy({ !$0.analytics && $0.consentEpoch == 0 }),
        !recorded.steps(of: process).contains(where: { $0.operation == .write }),
        let last = own.last, let place = recorded.places(ofCall: last.call)?.returned
      else { continue }
      return Edited.addStep(.write, .done, "install.json", "{}", behind: place, in: history)
    }
    return nil
  }

  static let configStored = RecordedEdit(
    name: "the record of the install holds a part of the config", invariant: "INV-21",
    cause: "config is on disk"
  ) { recorded, history in
    let write = recorded.steps().first { $0.path == "install.json.new" && $0.operation == .write }
    guard let write,
      Edited.rewrite(
        "\"version\":1}", as: "\"timeoutMinutes\":30,\"version\":1}", at: write.place, in: history)
    else { return nil }
    return write.place
  }

  /// A record of an install that could be read, had it stayed.
  private static let soundRecord =
    "{\"anonymousId\":\"00000000-0000-4000-8000-0000000000a1\",\"version\":1}"

  static let declineIgnored = RecordedEdit(
    name: "the record of the install is there again when a process is launched after a decline",
    invariant: "INV-21", cause: "a launch after a decline wiped nothing",
    also: [("INV-22", "nothing wipes it until the end")]
  ) { recorded, history in
    for launch in recorded.launches.dropFirst() where recorded.hasSoundDisk {
      let process = history.records[launch].process
      let steps = recorded.steps()
      guard
        let rename = steps.last(where: {
          $0.place < launch && $0.operation == .rename && $0.target == "consent.json"
        }),
        let write = steps.last(where: {
          $0.place < rename.place && $0.path == "consent.spare" && $0.bytes.count > 0
        }), history.contains("\"analytics\":false", in: write.bytes),
        steps.contains(where: {
          $0.place > launch && $0.path == "consent.json" && $0.operation == .read
            && history.records[$0.place].process == process
        })
      else { continue }
      let path = history.storeName(history.header.storageDirectory + "/install.json")
      history.insertRecord(
        Record(
          instant: history.records[launch].instant, process: -1,
          fact: .fileContent(path: path, bytes: history.store(soundRecord))), at: launch)
      return history.records.indices.first { place in
        place > launch && history.records[place].process == process
          && isMore(history.records[place].fact)
      }
    }
    return nil
  }

  /// Whether a process does more than to look at its files.
  private static func isMore(_ fact: Fact) -> Bool {
    switch fact {
    case .disk(let operation, _, _, _, _, _, _, _):
      switch operation {
      case .write, .append, .overwrite, .rename: return true
      default: return false
      }
    case .requestStarted(_, .collector, _, _, _, _, _, _, _, _, _), .exchangeEnded: return true
    default: return false
    }
  }

  private static func flipConsent(of sent: RecordedHistory.Sent, in history: History) -> Int? {
    guard let consent = sent.json["context"]?["consent"], let analytics = consent["analytics"]?.bool
    else { return nil }
    return Edited.setContext(
      "consent", to: consent.setting("analytics", to: .bool(!analytics)), of: sent, in: history)
  }
}
