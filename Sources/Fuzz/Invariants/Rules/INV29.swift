import FuzzHistory
import SimKernel

/// The advertising id goes where consent, option and system allow it, and nowhere else.
public final class INV29: Invariant {
  static let info = InvariantInfo(
    id: "INV-29",
    statement:
      "advertisingId appears iff marketing, option and authorization hold at the call, and in no"
      + " request started after a marketing revoke.",
    kind: .safety,
    requirements: ["PRV-02", "PRV-03", "CON-08", "CON-18", "OPT-17"],
    antecedent:
      "A message is sent that was made while tracking was authorized, or the id is asked for.")

  public init() { super.init(INV29.info, on: [.requestStarted, .disk, .identityAsked]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    switch record.fact {
    case .requestStarted(let number, let host, _, _, _, _, _, _, _, _, _):
      judgeLeaks(isBatch: host == .collector, record, context)
      if host == .collector { judgeBatch(number, record, context) }
    case .disk: judgeLeaks(isBatch: false, record, context)
    case .identityAsked(.advertisingId): judgeQuestion(record, context)
    default: break
    }
  }

  private func judgeBatch(_ number: UInt32, _ record: Record, _ context: JudgeContext) {
    let messages = context.model.messages
    for sighting in context.model.sightings where sighting.expected >= 0 {
      let place = Int(sighting.expected)
      let hasId = context.ledger.messages[sighting.wire].context.hasAdvertisingId
      if messages[place].isTrackingAuthorized { antecedent() }
      let isMarked = !messages[place].advertising.isEmpty
      if hasId, !isMarked {
        report(
          "advertisingId of a call without leave", at: record, context,
          "Request \(number) holds an advertising id in \(name(sighting, context)), which was made"
            + " without marketing consent, option or authorization.")
      } else if hasId, context.model.wireDeviations[sighting.wire].contains(.advertisingId) {
        report(
          "advertisingId has another value", at: record, context,
          "The advertising id of \(name(sighting, context)) is not that of the device.")
      } else if isMarked {
        judgePresence(hasId, number, sighting, record, context)
      }
    }
  }

  private func judgePresence(
    _ hasId: Bool, _ number: UInt32, _ sighting: Sighting, _ record: Record,
    _ context: JudgeContext
  ) {
    switch context.model.advertisingRule(Int(sighting.expected), record.process, context) {
    case .must where !hasId:
      report(
        "advertisingId is missing", at: record, context,
        "Request \(number) holds \(name(sighting, context)) without the advertising id, although"
          + " marketing, option and authorization held at the call and hold now.")
    case .mustNot where hasId:
      report(
        "advertisingId in a request after leave was withdrawn", at: record, context,
        "Request \(number) holds the advertising id of \(name(sighting, context)), although marketing"
          + " was withdrawn since the call, or option or authorization do not hold now.")
    default: break
    }
  }

  /// In requests it has its one place in messages; on disk it has none.
  private func judgeLeaks(isBatch: Bool, _ record: Record, _ context: JudgeContext) {
    for leak in context.leaks.found where leak.canary.kind == .advertisingId {
      if leak.place == .body, isBatch { continue }
      report(
        leak.place == .file ? "the advertising id is on disk" : "the advertising id is elsewhere",
        at: record, context,
        "The advertising id \(leak.canary.text) stands where no message is.")
    }
  }

  /// Nobody asks for it without marketing consent (CON-08).
  private func judgeQuestion(_ record: Record, _ context: JudgeContext) {
    antecedent()
    if context.model.allowsAdvertising(record.process) { return }
    report(
      "the advertising id is asked for without leave", at: record, context,
      "Process \(record.process) asks for the advertising id without marketing consent, or with the"
        + " option off.")
  }

  private func name(_ sighting: Sighting, _ context: JudgeContext) -> String {
    context.model.nameText(Int(sighting.expected))
  }
}

extension ReferenceModel {
  /// Whether consent and option of a process let the SDK ask for the advertising id.
  func allowsAdvertising(_ process: Int32) -> Bool {
    let index = Int(process)
    guard index >= 0, index < processes.count else { return false }
    return processes[index].marketing && processes[index].options.collectsAdvertisingId
  }
}
