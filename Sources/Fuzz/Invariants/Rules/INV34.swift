import FuzzHistory
import SimKernel

/// The visitor of an install stays the same while the install has consent.
public final class INV34: Invariant {
  static let info = InvariantInfo(
    id: "INV-34",
    statement: "With consent the anonymous id of an install changes only at reset or wipe.",
    kind: .safety,
    requirements: ["ID-01", "ID-16", "CON-15", "SES-09"],
    antecedent:
      "A message made under consent is sent by a process that began with the stored ids of an"
      + " earlier one.")

  /// What `install.json` holds as far as nothing but the SDK has changed it.
  private var storedId: String?
  /// What the world made of `install.json`, until something else stands there; also where a power
  /// loss brings it back.
  private var damagedContent: [UInt8]?
  /// The next fact tells it.
  private var awaitsContent = false
  /// The running process was told to change who it is, or to forget it.
  private var mayChange = false

  public init() {
    super.init(
      INV34.info, on: [.requestStarted, .launched, .callBegan, .disk, .fileDamaged, .fileContent])
  }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    switch record.fact {
    case .launched:
      storedId = readStored(context)
      mayChange = false
    case .fileDamaged(let path, _):
      awaitsContent = context.disk.isInstall(path)
      if awaitsContent { storedId = nil }
    case .fileContent:
      if awaitsContent { damagedContent = context.disk.installContent }
      awaitsContent = false
    case .callBegan(let call, _, _, _, _):
      switch context.history.calls[Int(call)] {
      case .reset, .consent(analytics: false, _): mayChange = true
      default: break
      }
    case .disk(.rename, .done, _, _, _, let target, _, _):
      if context.disk.isInstall(target) { judgeStored(record, context) }
    case .requestStarted: judgeRequest(record, context)
    default: break
    }
  }

  private func readStored(_ context: JudgeContext) -> String? {
    guard let content = context.disk.installContent, content != damagedContent else { return nil }
    return (try? JSONValue.parse(content))?["anonymousId"]?.string
  }

  /// The record was replaced. A process that began without consent stores its own visitor with a
  /// grant (CON-15); any other one keeps the stored id, also if it could not read it (B06).
  private func judgeStored(_ record: Record, _ context: JudgeContext) {
    let before = storedId
    storedId = readStored(context)
    guard let before, let now = storedId, before != now, !mayChange,
      context.model.hasStartedWithConsent(record.process)
    else { return }
    report(
      "the stored anonymous id is replaced", at: record, context,
      "install.json named the visitor \(before) and names \(now), without a reset or a wipe.")
  }

  private func judgeRequest(_ record: Record, _ context: JudgeContext) {
    for sighting in context.model.sightings where sighting.isFirst && sighting.expected >= 0 {
      let message = context.model.messages[Int(sighting.expected)]
      guard message.analytics else { continue }
      let isOfKnown = context.model.hasAdoptedIdentity(message.process)
      if isOfKnown { antecedent() }
      guard sighting.deviation.contains(.anonymousId) else { continue }
      let fields = context.ledger.messages[sighting.wire].fields
      report(
        isOfKnown
          ? "another anonymous id than that of the install" : "another anonymous id than before",
        at: record, context,
        "The \(context.model.nameText(Int(sighting.expected))) was sent with the anonymousId"
          + " \(context.text(fields.anonymousId)), which is not that of its install.")
    }
  }
}
