import FuzzHistory
import SimKernel

@testable import FuzzInvariants

/// Edits of recorded histories for the rules about `$app_open` and `$app_updated`.
enum LifecycleEdits {
  static let all: [RecordedEdit] = [
    openAgain, otherFlag, updateAgain, otherVersion, otherPrevious, otherBuildBefore,
  ]

  static let openAgain = RecordedEdit(
    name: "a second $app_open of one entry of the foreground is sent", invariant: "INV-41",
    cause: "an $app_open without an entry of the foreground"
  ) { recorded, history in
    repeatMessage(recorded, history) { message in
      if case .appOpen = message.cause { return true }
      return false
    }
  }

  static let otherFlag = RecordedEdit(
    name: "a return to the foreground is sent as a cold start, or the other way round",
    invariant: "INV-41", cause: "from_background is wrong",
    also: [("INV-01", "the properties are not those of its cause")]
  ) { recorded, history in
    for sent in recorded.sentOnce {
      guard case .appOpen(let fromBackground) = sent.message.cause else { continue }
      return Edited.set(
        "properties", to: .object([JSONEntry("from_background", .bool(!fromBackground))]), of: sent,
        in: history)
    }
    return nil
  }

  static let updateAgain = RecordedEdit(
    name: "a second $app_updated of one change is sent", invariant: "INV-42",
    cause: "an $app_updated without a change"
  ) { recorded, history in
    repeatMessage(recorded, history) { isUpdate($0) }
  }

  static let otherVersion = RecordedEdit(
    name: "$app_updated names another version before it than was stored", invariant: "INV-42",
    cause: "$app_updated has wrong values",
    also: [("INV-01", "the properties are not those of its cause")]
  ) { recorded, history in
    for sent in recorded.sentOnce where isUpdate(sent.message) {
      guard let properties = sent.json["properties"] else { continue }
      return Edited.set(
        "properties", to: properties.setting("previous_version", to: .string("0.0.1")), of: sent,
        in: history)
    }
    return nil
  }

  static let otherPrevious = RecordedEdit(
    name: "another version than ran was stored, and $app_updated names it", invariant: "INV-42",
    cause: "another previous version is reported"
  ) { recorded, history in
    for sent in recorded.sentOnce
    where isUpdate(sent.message) && sent.message.process == sent.batch.process
      && recorded.hasSoundDisk
    {
      guard let properties = sent.json["properties"],
        let version = properties["previous_version"]?.string
      else { continue }
      let write = recorded.steps().last {
        $0.path == "install.json.new" && $0.operation == .write
          && history.records[$0.place].process < sent.message.process
      }
      guard let write, history.records[write.place].process == sent.message.process - 1,
        keepsLongEnough(sent.message.process - 1, recorded),
        !history.records[write.place..<sent.batch.start].contains(where: {
          $0.fact.kind == .powerLost
        }),
        Edited.rewrite(
          "\"version\":\"\(version)\"", as: "\"version\":\"0.0.1\"", at: write.place, in: history)
      else { continue }
      return Edited.set(
        "properties", to: properties.setting("previous_version", to: .string("0.0.1")), of: sent,
        in: history)
    }
    return nil
  }

  static let otherBuildBefore = RecordedEdit(
    name: "the process before ran another build, and the one after it tells of no update",
    invariant: "INV-42", cause: "a change is not reported",
    also: [("INV-01", "the messages of the process before name the build of the one after it")]
  ) { recorded, history in
    for (launch, next) in zip(recorded.launches, recorded.launches.dropFirst())
    where recorded.hasSoundDisk {
      let process = history.records[launch].process
      var record = history.records[launch]
      guard case .launched(let kind, let boot, let install, let version, let build) = record.fact,
        case .launched(_, _, install, let newVersion, let newBuild) = history.records[next].fact,
        history.bytes(version).elementsEqual(history.bytes(newVersion)),
        history.bytes(build).elementsEqual(history.bytes(newBuild)),
        recorded.steps(of: process).contains(where: {
          $0.path == "install.json" && $0.outcome == .notFound
        }), keepsLongEnough(process, recorded),
        keepsLongEnough(history.records[next].process, recorded)
      else { continue }
      record.fact = .launched(
        kind: kind, boot: boot, install: install, version: version, build: history.store("1"))
      history.replaceRecord(at: launch, with: record)
      return recorded.end(of: history.records[next].process)
    }
    return nil
  }

  /// Whether a process is under consent, with the events of the lifecycle on, and stores what it
  /// knows.
  private static func keepsLongEnough(_ process: Int32, _ recorded: RecordedHistory) -> Bool {
    let own = recorded.messages.filter { $0.process == process }
    guard !own.isEmpty, own.allSatisfy({ $0.analytics && $0.consentEpoch == 0 }),
      own.contains(where: \.isMadeBySDK), let start = own.first?.enqueuedInstant,
      let end = recorded.end(of: process), !recorded.isResetOrRevoked(process)
    else { return false }
    return recorded.instant(end) - start > .seconds(30)
  }

  static func isUpdate(_ message: ExpectedMessage) -> Bool {
    if case .appUpdated = message.cause { return true }
    return false
  }

  /// Adds a copy of a message, under an id of its own, to its request.
  static func repeatMessage(
    _ recorded: RecordedHistory, _ history: History, where suits: (ExpectedMessage) -> Bool
  ) -> Int? {
    for sent in recorded.sentOnce where suits(sent.message) && recorded.hasRoom(sent.batch) {
      guard let context = sent.json["context"], let id = context["session"]?["id"] else { continue }
      let copy = sent.json.setting("messageId", to: .string(Edited.identifier)).setting(
        "context", to: context.setting("session", to: .object([JSONEntry("id", id)])))
      return Edited.replace(sent.batch.messages + [copy], in: sent.batch, of: history)
    }
    return nil
  }
}
