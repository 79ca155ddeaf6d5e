import FuzzHistory
import SimKernel

@testable import FuzzInvariants

/// Edits of recorded histories that concern screens.
enum ScreenEdits {
  static let all: [RecordedEdit] = [
    twoScreens, longerActive, withoutConsent, ineligible, secondHook,
  ]

  static let twoScreens = RecordedEdit(
    name: "a screen without a view that is left has the id of another one", invariant: "INV-43",
    requirements: ["SCR-02"],
    cause: "two screens with one pageview_id"
  ) { recorded, history in
    // Without consent nothing else tells of their views.
    let screens = recorded.sentOnce.filter { $0.message.type == .screen && !$0.message.analytics }
    guard let first = screens.first, let view = first.json["properties"]?["pageview_id"],
      let other = screens.first(where: { $0.batch.exchange != first.batch.exchange }),
      let properties = other.json["properties"]
    else { return nil }
    return Edited.set(
      "properties", to: properties.setting("pageview_id", to: view), of: other, in: history)
  }

  static let longerActive = RecordedEdit(
    name: "$pageleave counts the background as well", invariant: "INV-44", requirements: ["SCR-06"],
    cause: "active_ms is wrong", also: [("INV-01", "it is not what the view has to say")]
  ) { recorded, history in
    for sent in leaves(recorded) {
      guard let properties = sent.json["properties"],
        let active = properties["active_ms"]?.integer,
        let total = properties["total_ms"], total.integer.map({ $0 > active + 1_000 }) ?? false
      else { continue }
      return Edited.set(
        "properties", to: properties.setting("active_ms", to: total), of: sent, in: history)
    }
    return nil
  }

  static let withoutConsent = RecordedEdit(
    name: "$pageleave says that analytics is off", invariant: "INV-45", requirements: ["SCR-08"],
    cause: "$pageleave without analytics consent",
    also: [("INV-23", "its consent is not that of its instant")]
  ) { recorded, history in
    for sent in leaves(recorded) where !sent.message.isUnderStoredDecision {
      guard let consent = sent.json["context"]?["consent"] else { continue }
      return Edited.setContext(
        "consent", to: consent.setting("analytics", to: .bool(false)), of: sent, in: history)
    }
    return nil
  }

  static let ineligible = RecordedEdit(
    name: "the controller of a screen that was sent turns out to be one of the system's",
    invariant: "INV-46", requirements: ["SCR-12"], cause: "a screen of a controller that is none"
  ) { recorded, history in
    // Without consent no view hangs on it.
    for sent in recorded.sentOnce where !sent.message.analytics && !sent.message.startsSession {
      guard case .automaticScreen = sent.message.cause,
        sent.message.process == sent.batch.process,
        let name = sent.json["name"]?.string,
        let place = history.records.firstIndex(where: { record in
          guard case .controllerAppeared(let bytes, _, _) = record.fact,
            record.process == sent.message.process,
            record.instant == sent.message.callInstant,
            let controller = (try? JSONValue.parse(history.bytes(bytes)))
              .flatMap({ ViewController($0) })
          else { return false }
          return ControllerRules.screen(controller) == name
        }),
        case .controllerAppeared(let bytes, let action, let continuous) =
          history.records[place].fact,
        var controller = (try? JSONValue.parse(history.bytes(bytes)))
          .flatMap({ ViewController($0) }), !recorded.isOnDisplay(sent)
      else { continue }
      controller.classes[0].isFromApple = true
      var record = history.records[place]
      record.fact = .controllerAppeared(
        controller: history.store(controller.json.canonicalText()), action: action,
        continuous: continuous)
      history.replaceRecord(at: place, with: record)
      return sent.batch.start
    }
    return nil
  }

  static let secondHook = RecordedEdit(
    name: "the callback of controllers is hooked a second time", invariant: "INV-46",
    requirements: ["SCR-09"],
    cause: "the callback is hooked twice"
  ) { _, history in
    guard
      let place = history.records.firstIndex(where: { $0.fact.kind == .appearancesHooked })
    else { return nil }
    history.insertRecord(history.records[place], at: place + 1)
    return place + 1
  }

  private static func leaves(_ recorded: RecordedHistory) -> [RecordedHistory.Sent] {
    recorded.sentOnce.filter { sent in
      guard case .screenLeave = sent.message.cause else { return false }
      return !sent.message.startsSession
    }
  }
}

extension RecordedHistory {
  /// Whether an automatic screen may be told of once more, at a return that begins a session.
  fileprivate func isOnDisplay(_ sent: Sent) -> Bool {
    messages.contains { other in
      other.process == sent.message.process && other.type == .screen
        && other.occurrence > sent.message.occurrence && other.cause == sent.message.cause
    }
  }
}
