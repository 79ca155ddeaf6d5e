import FuzzHistory
import SimKernel

@testable import FuzzInvariants

/// Edits of recorded histories for the rules about the visitor of an install.
enum VisitorEdits {
  static let all: [RecordedEdit] = [
    sharedVisitor, changedByConsent, otherThanInstalls, otherThanBefore, replacedOnDisk,
  ]

  static let sharedVisitor = RecordedEdit(
    name: "a process without consent goes by the visitor of the one before it",
    invariant: "INV-24", cause: "a visitor lives on without consent",
    also: [
      ("INV-01", "a process that found no ids draws one that nobody had"),
      ("INV-33", "the getters tell it too"),
    ]
  ) { recorded, history in
    for later in recorded.sentOnce
    where !later.message.analytics && later.message.consentEpoch == 0
      && later.message.process == later.batch.process
    {
      let process = later.message.process
      guard !recorded.calls(of: process).contains(where: { $0.call == .reset }),
        let earlier = recorded.sentOnce.last(where: {
          $0.message.process < process && $0.batch.start < later.batch.start
            && !recorded.calls(of: $0.message.process).contains { $0.call == .reset }
        }), let id = later.json["anonymousId"]?.string,
        let shared = earlier.json["anonymousId"]?.string, id != shared
      else { continue }
      let own = recorded.batches.filter { $0.process == process }
      Edited.replaceEverywhere(id, with: shared, inRequests: own, process: process, of: history)
      return own.first { batch in
        batch.messages.contains { $0["anonymousId"]?.string == id }
      }?.start
    }
    return nil
  }

  static let changedByConsent = RecordedEdit(
    name: "the visitor is another one after analytics came or went", invariant: "INV-25",
    cause: "the visitor changed with consent",
    also: [
      ("INV-34", "under consent it is not that of its install"),
      ("INV-01", "without consent it is not that of its process"),
    ]
  ) { recorded, history in
    for sent in recorded.sentOnce where sent.message.consentEpoch > 0 {
      let mates = recorded.messages.filter {
        $0.process == sent.message.process && $0.anonymous == sent.message.anonymous
          && $0.isSighted
      }
      guard
        mates.contains(where: {
          $0.consentEpoch < sent.message.consentEpoch
            && $0.firstExchange < sent.message.firstExchange
        }),
        !mates.contains(where: {
          $0.consentEpoch == sent.message.consentEpoch && $0.occurrence != sent.message.occurrence
            && $0.firstExchange <= sent.message.firstExchange
        })
      else { continue }
      return Edited.set("anonymousId", to: .string(Edited.identifier), of: sent, in: history)
    }
    return nil
  }

  static let otherThanInstalls = RecordedEdit(
    name: "a process that found the ids of its install sends another visitor", invariant: "INV-34",
    cause: "another anonymous id than that of the install"
  ) { recorded, history in
    changeVisitor(recorded, history, hasFoundInstall: true)
  }

  static let otherThanBefore = RecordedEdit(
    name: "a message under consent has another visitor than the ones before it",
    invariant: "INV-34", cause: "another anonymous id than before"
  ) { recorded, history in
    changeVisitor(recorded, history, hasFoundInstall: false)
  }

  static let replacedOnDisk = RecordedEdit(
    name: "the record of the install names another visitor when it is written again",
    invariant: "INV-34", cause: "the stored anonymous id is replaced"
  ) { recorded, history in
    // A process that dies at once leaves open who its install is.
    let short = recorded.launches.last { launch in
      let end = recorded.end(of: history.records[launch].process) ?? launch
      return recorded.instant(end) - recorded.instant(launch) < .seconds(30)
    }
    let newest = short.map { history.records[$0].process } ?? -1
    for process in recorded.processes where process > newest && recorded.hasSoundDisk {
      let steps = recorded.steps(of: process)
      guard !recorded.isResetOrRevoked(process),
        steps.contains(where: {
          $0.path == "install.json" && $0.operation == .read && $0.outcome == .done
        }),
        let write = steps.last(where: {
          $0.path == "install.json.new" && $0.operation == .write && $0.outcome == .done
        }),
        let rename = steps.first(where: {
          $0.place > write.place && $0.target == "install.json" && $0.outcome == .done
        }),
        let text = try? JSONValue.parse(history.bytes(write.bytes)),
        let id = text["anonymousId"]?.string
      else { continue }
      Edited.rewrite(id, as: Edited.identifier, at: write.place, in: history)
      return rename.place
    }
    return nil
  }

  private static func changeVisitor(
    _ recorded: RecordedHistory, _ history: History, hasFoundInstall: Bool
  ) -> Int? {
    for sent in recorded.tracks
    where sent.message.analytics && sent.message.consentEpoch == 0
      && !recorded.isResetOrRevoked(sent.message.process)
    {
      let looks = recorded.steps(of: sent.message.process).filter {
        $0.path == "install.json" && $0.operation == .read
      }
      let isKnownBefore = recorded.messages.contains {
        $0.process == sent.message.process && $0.firstExchange >= 0
          && $0.firstExchange < sent.message.firstExchange
      }
      guard isKnownBefore, looks.last?.outcome == (hasFoundInstall ? .done : .notFound) else {
        continue
      }
      return Edited.set("anonymousId", to: .string(Edited.identifier), of: sent, in: history)
    }
    return nil
  }
}
