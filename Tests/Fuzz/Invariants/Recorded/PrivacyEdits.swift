import FuzzHistory
import SimKernel

@testable import FuzzInvariants

/// Edits of recorded histories for the rules about ids, attribution and the collector.
enum PrivacyEdits {
  static let all: [RecordedEdit] = [
    idWithoutLeave, idMissing, idAskedFor, vendorAsked, deviceNamed, tokenSentOn, tokenAskedAgain,
    pauseTooShort, originStored, vaultKept,
  ]

  private static func device(_ sent: RecordedHistory.Sent) -> JSONValue? {
    sent.json["context"]?["device"]
  }

  private static func isMarked(_ sent: RecordedHistory.Sent) -> Bool {
    !sent.message.advertising.isEmpty && sent.message.process == sent.batch.process
  }

  static let idWithoutLeave = RecordedEdit(
    name: "a message carries an advertising id that it may not", invariant: "INV-29",
    requirements: ["PRV-02"],
    isPrivate: true,
    cause: "advertisingId of a call without leave"
  ) { recorded, history in
    guard
      let sent = recorded.sentOnce.first(where: {
        $0.message.advertising.isEmpty && $0.message.enqueuedInstant != nil
      }), let device = device(sent)
    else { return nil }
    let id = JSONValue.string(history.header.device.advertisingId)
    return Edited.setContext(
      "device", to: device.setting("advertisingId", to: id), of: sent, in: history)
  }

  static let idMissing = RecordedEdit(
    name: "a message goes without the advertising id that it may carry", invariant: "INV-29",
    requirements: ["PRV-02", "OPT-17"],
    isPrivate: true,
    cause: "advertisingId is missing"
  ) { recorded, history in
    for sent in recorded.sentOnce where isMarked(sent) {
      guard let entries = device(sent)?.object,
        entries.contains(where: { $0.key == "advertisingId" })
      else { continue }
      let rest = entries.filter { $0.key != "advertisingId" }
      return Edited.setContext("device", to: .object(rest), of: sent, in: history)
    }
    return nil
  }

  static let idAskedFor = RecordedEdit(
    name: "the advertising id is asked for without marketing consent", invariant: "INV-29",
    requirements: ["PRV-02", "CON-08"],
    isPrivate: true,
    cause: "the advertising id is asked for without leave"
  ) { recorded, history in
    let decided = history.calls.contains {
      if case .consent = $0 { return true }
      return false
    }
    guard !decided,
      let batch = recorded.batches.first(where: { batch in
        batch.messages.allSatisfy { $0["context"]?["consent"]?["marketing"]?.bool == false }
      })
    else { return nil }
    return add(.identityAsked(.advertisingId), behind: batch.start, in: history)
  }

  private static func add(_ fact: Fact, behind place: Int, in history: History) -> Int {
    var record = history.records[place]
    record.fact = fact
    history.insertRecord(record, at: place + 1)
    return place + 1
  }

  static let vendorAsked = RecordedEdit(
    name: "somebody asks for the vendor's id", invariant: "INV-30", requirements: ["PRV-01"],
    isPrivate: true,
    cause: "a hardware id is asked for"
  ) { recorded, history in
    recorded.batches.first.map {
      add(.identityAsked(.vendorId), behind: $0.start, in: history)
    }
  }

  static let deviceNamed = RecordedEdit(
    name: "a message has a key device.id", invariant: "INV-30", requirements: ["PRV-01"],
    isPrivate: true,
    cause: "a message names the device by an id",
    also: [("INV-01", "that is no part of what is due")]
  ) { recorded, history in
    guard let sent = recorded.tracks.first, let device = device(sent) else { return nil }
    return Edited.setContext(
      "device", to: device.setting("id", to: .string("d")), of: sent, in: history)
  }

  static let tokenSentOn = RecordedEdit(
    name: "a batch holds the token of the install", invariant: "INV-47", requirements: ["ATT-08"],
    isPrivate: true,
    cause: "the token is sent elsewhere", also: [("INV-01", "no call passed it")]
  ) { recorded, history in
    guard let token = history.header.canaries.first(where: { $0.kind == .token }),
      let sent = recorded.tracks.first(where: { $0.message.properties(of: history) }),
      let properties = sent.json["properties"]
    else { return nil }
    return Edited.set(
      "properties", to: properties.setting("zz", to: .string(token.text)), of: sent, in: history)
  }

  static let tokenAskedAgain = RecordedEdit(
    name: "the token is asked for once more after the opening was sent", invariant: "INV-47",
    requirements: ["ATT-09"],
    isPrivate: true,
    cause: "the token is asked for although nothing waits for it"
  ) { recorded, history in
    for sent in recorded.sentOnce {
      guard case .firstOpen = sent.message.cause else { continue }
      return add(.attributionTokenAsked, behind: sent.batch.end - 1, in: history)
    }
    return nil
  }

  static let pauseTooShort = RecordedEdit(
    name: "Apple is asked again a second too early after a 404", invariant: "INV-47",
    requirements: ["ATT-06"],
    isPrivate: true,
    cause: "attribution requests too close"
  ) { recorded, history in
    var ended: [Int32: Instant] = [:]
    for (place, record) in history.records.enumerated() {
      switch record.fact {
      case .exchangeEnded(_, .answer, 404, _, _): ended[record.process] = record.instant
      case .requestStarted(_, .attribution, _, _, _, _, _, _, _, _, _):
        guard let end = ended[record.process], (record.instant - end).nanoseconds > 4_900_000_000,
          (record.instant - end).nanoseconds < 5_500_000_000
        else { continue }
        var early = record
        early.instant = record.instant - .seconds(1)
        history.removeRecord(at: place)
        let target = history.records.firstIndex { $0.instant > early.instant } ?? place
        history.insertRecord(early, at: target)
        return target
      default: break
      }
    }
    return nil
  }

  private static func collected(_ deed: CollectorDeed, in history: History) -> Int? {
    history.records.firstIndex {
      if case .collected(deed, _, _, _) = $0.fact { return true }
      return false
    }
  }

  static let originStored = RecordedEdit(
    name: "the stored form of an event tells where its request came from", invariant: "INV-32",
    requirements: ["PRV-08"],
    isPrivate: true,
    cause: "address or user agent are stored with the event"
  ) { _, history in
    guard let place = collected(.stored, in: history),
      case .collected(let deed, let exchange, let slot, let bytes) = history.records[place].fact
    else { return nil }
    let stored = try? JSONValue.parse(history.bytes(bytes))
    guard let stored else { return nil }
    let told = stored.setting("ip", to: .string(history.header.networkAddress)).canonicalBytes()
    var record = history.records[place]
    record.fact = .collected(deed, exchange: exchange, place: slot, bytes: history.store(told))
    history.replaceRecord(at: place, with: record)
    return place
  }

  static let vaultKept = RecordedEdit(
    name: "where a conversion came from is kept after its delivery", invariant: "INV-32",
    requirements: ["PRV-09"],
    isPrivate: true,
    cause: "the vault is not erased after the delivery"
  ) { _, history in
    guard let place = collected(.vaultErased, in: history),
      let next = history.records[(place + 1)...].firstIndex(where: { record in
        guard case .collected(let deed, _, _, _) = record.fact else {
          return record.fact.kind == .calmEnded
        }
        return deed != .sentToMeta && deed != .sentToTikTok && deed != .vaultErased
      })
    else { return nil }
    history.removeRecord(at: place)
    return next - 1
  }
}

extension ExpectedMessage {
  /// Whether it is the track of a call with small properties.
  fileprivate func properties(of history: History) -> Bool { call != nil && bytes.count < 8_000 }
}
