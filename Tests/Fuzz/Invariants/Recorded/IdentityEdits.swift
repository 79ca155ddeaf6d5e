import FuzzHistory
import SimKernel

@testable import FuzzInvariants

/// One edit of a recorded history for each rule about ids, names and persons.
enum IdentityEdits {
  static let all: [RecordedEdit] = [
    noIdentifier, ownIdentifier, otherWireIdentifier, reservedName, otherUser, otherPrevious,
    otherVisitor, getterIsNil, getterIsEarly,
  ]

  static let noIdentifier = RecordedEdit(
    name: "track returns no id", invariant: "INV-18"
  ) { recorded, history in
    guard let sent = recorded.tracks.first,
      let places = recorded.places(ofCall: sent.message.call)
    else { return nil }
    Edited.setReturn(nil, at: places.returned, in: history)
    return places.returned
  }

  static let ownIdentifier = RecordedEdit(
    name: "track returns an id of its own for the caller's valid one", invariant: "INV-18"
  ) { recorded, history in
    guard let sent = recorded.tracks.first(where: \.message.hasCallersIdentifier),
      let places = recorded.places(ofCall: sent.message.call)
    else { return nil }
    Edited.setReturn(Edited.identifier, at: places.returned, in: history)
    return places.returned
  }

  static let otherWireIdentifier = RecordedEdit(
    name: "a message is sent under another id than track returned", invariant: "INV-18"
  ) { recorded, history in
    recorded.tracks.first { !$0.message.hasCallersIdentifier }.map {
      Edited.set("messageId", to: .string(Edited.identifier), of: $0, in: history)
    }
  }

  static let reservedName = RecordedEdit(
    name: "the app gave an event that was sent a reserved name", invariant: "INV-18"
  ) { recorded, history in
    for sent in recorded.tracks where !sent.message.startsSession {
      // No other call can be taken for the one that the message came of.
      let twins = recorded.messages.filter {
        $0.type == .track && $0.timestampMilliseconds == sent.message.timestampMilliseconds
      }
      guard twins.count == 1, let call = sent.message.call,
        case .track(let event, let properties, let id) = history.calls[Int(call)]
      else { continue }
      Edited.replace(
        call, with: .track(event: "$" + event, properties: properties, messageId: id),
        in: history)
      return Edited.set("event", to: .string("$" + event), of: sent, in: history)
    }
    return nil
  }

  static let otherUser = RecordedEdit(
    name: "a message of a known user carries another one", invariant: "INV-33"
  ) { recorded, history in
    recorded.tracks.first(where: \.message.isOfUser).map {
      Edited.set("userId", to: .string("somebody else"), of: $0, in: history)
    }
  }

  static let otherPrevious = RecordedEdit(
    name: "an alias links another person", invariant: "INV-33"
  ) { recorded, history in
    recorded.sentOnce.first { $0.message.type == .alias }.map {
      Edited.set("previousId", to: .string("somebody else"), of: $0, in: history)
    }
  }

  static let otherVisitor = RecordedEdit(
    name: "getAnonymousId gives another id than the messages carry", invariant: "INV-33"
  ) { recorded, history in
    for (place, record) in history.records.enumerated() {
      guard isGetter(record, .getAnonymousId, hasValue: true, history),
        case .callReturned(_, _, let value) = record.fact
      else { continue }
      let id = JSONValue.string(history.text(value))
      let isKnown = recorded.batches.contains { batch in
        batch.start < place && batch.messages.contains { $0["anonymousId"] == id }
      }
      guard isKnown else { continue }
      Edited.setReturn(Edited.identifier, at: place, in: history)
      return place
    }
    return nil
  }

  static let getterIsNil = RecordedEdit(
    name: "getContext gives nil after the start", invariant: "INV-33"
  ) { _, history in
    guard
      let place = history.records.firstIndex(where: {
        isGetter($0, .getContext, hasValue: true, history)
      })
    else { return nil }
    Edited.setReturn(nil, at: place, in: history)
    return place
  }

  static let getterIsEarly = RecordedEdit(
    name: "getAnonymousId gives an id before the start", invariant: "INV-33"
  ) { _, history in
    guard
      let place = history.records.firstIndex(where: {
        isGetter($0, .getAnonymousId, hasValue: false, history)
      })
    else { return nil }
    Edited.setReturn(Edited.identifier, at: place, in: history)
    return place
  }

  /// Whether a record is the return of a getter, with a value or without.
  private static func isGetter(
    _ record: Record, _ getter: HostCall, hasValue: Bool, _ history: History
  ) -> Bool {
    guard case .callReturned(let call, hasValue, _) = record.fact else { return false }
    return history.calls[Int(call)] == getter
  }
}
