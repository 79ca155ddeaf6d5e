import FuzzHistory
import SimKernel

/// A change of the app's version is reported once, with both versions.
public final class INV42: Invariant {
  static let info = InvariantInfo(
    id: "INV-42",
    statement:
      "$app_updated appears once per true version or build change under consent, with the right four"
      + " values.",
    kind: .safety,
    requirements: ["LIF-14", "LIF-15", "LIF-16", "LIF-17", "CON-06"],
    antecedent: "A process runs under consent with another version than was last stored.")

  /// What is known of the version on disk.
  private enum Known {
    case open
    /// None is stored: the first launch, or all was wiped.
    case none
    case pair(AppPair)
  }

  private var install: UInt32?
  private var known = Known.none
  /// A barrier must have covered it.
  private var isKnownDurable = true
  /// A change that is to be reported, and by which processes.
  private var owed: (change: AppChange, since: Int32)?
  private var running = AppPair(version: [], build: [])
  private var knownAtLaunch = Known.none

  public init() {
    super.init(
      INV42.info,
      on: [.launched, .ended, .requestStarted, .fileDamaged, .powerLost, .calmEnded])
  }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    switch record.fact {
    case .launched(_, _, let install, let version, let build):
      if let old = self.install, old != install {
        known = .open
        owed = nil
      }
      self.install = install
      running = AppPair(
        version: Array(context.bytes(version)), build: Array(context.bytes(build)))
      knownAtLaunch = known
      if case .pair(let last) = known, last != running {
        let change = AppChange(previous: last, current: running)
        if owed?.change != change { owed = (change, record.process) }
      } else {
        owed = nil
      }
    case .fileDamaged(let path, _):
      if context.disk.isInstall(path) {
        known = .open
        knownAtLaunch = .open
        owed = nil
      }
    case .powerLost:
      if !isKnownDurable {
        known = .open
        owed = nil
      }
    case .requestStarted: judgeSent(record, context)
    case .ended, .calmEnded: judgeStored(record, context)
    default: return
    }
  }

  private func judgeSent(_ record: Record, _ context: JudgeContext) {
    for sighting in context.model.sightings where sighting.isNewContent {
      let fields = context.ledger.messages[sighting.wire].fields
      guard fields.isEvent("$app_updated", in: context.arena) else { continue }
      guard sighting.expected >= 0 else {
        if sighting.isRenamed { continue }
        report(
          "an $app_updated without a change", at: record, context,
          "The $app_updated \(context.text(fields.messageId)) matches no change of the app.")
        continue
      }
      let message = context.model.messages[Int(sighting.expected)]
      guard let change = context.model.change(of: message), sighting.isFirst else { continue }
      if !sighting.deviation.intersection([.properties, .timestamp]).isEmpty {
        report(
          "$app_updated has wrong values", at: record, context,
          "The $app_updated \(context.text(fields.messageId)) was sent with"
            + " \(context.text(fields.properties)) at \(context.text(fields.timestamp)).")
      }
      if message.process == record.process, case .pair(let last) = knownAtLaunch,
        last != change.previous
      {
        report(
          last == running ? "a change is reported again" : "another previous version is reported",
          at: record, context,
          "The $app_updated \(context.text(fields.messageId)) was sent although"
            + " \(words(last)) was the last version that ran under consent.")
      }
    }
  }

  /// What the process leaves behind, and whether it has reported what it had to.
  private func judgeStored(_ record: Record, _ context: JudgeContext) {
    let process = context.processes.current >= 0 ? context.processes.current : record.process
    guard let storing = context.model.storing(process, at: record, context) else {
      if context.model.isWiped(process, at: record, context) {
        known = .none
        owed = nil
      } else if context.model.hasStored(process)
        || context.model.decisionAtStart(of: process)?.analytics == false
      {
        known = .open
        owed = nil
      }
      return
    }
    // A wipe takes the stored version with it: one in between, or that of a launch under a decline,
    // also where nobody can read what was decided (S-35).
    if context.model.hasRevoked(process)
      || context.model.decisionAtStart(of: process)?.analytics == false
    {
      owed = nil
    }
    guard storing else {
      known = .open
      return
    }
    known = .pair(running)
    isKnownDurable = context.model.storing(process, at: record, context, durably: true) ?? false
    guard let owed else { return }
    self.owed = nil
    guard owed.change.current == running, context.model.options(process).tracksLifecycle else {
      return
    }
    antecedent()
    let isReported = context.model.messages.contains { message in
      message.process >= owed.since && context.model.change(of: message) == owed.change
        && (message.isSighted || message.journalRecord >= 0 || message.loss != nil)
    }
    if isReported { return }
    report(
      "a change is not reported", at: record.instant, process: process, context,
      "Process \(process) runs \(words(running)) after \(words(owed.change.previous)), and no"
        + " $app_updated was made of it.")
  }

  private func words(_ pair: AppPair) -> String {
    String(decoding: pair.version, as: UTF8.self) + " ("
      + String(decoding: pair.build, as: UTF8.self) + ")"
  }
}
