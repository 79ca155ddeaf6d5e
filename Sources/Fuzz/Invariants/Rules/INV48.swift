import FuzzHistory
import SimKernel

/// A crash is reported, not swallowed: other reporters get their turn, and the process dies.
public final class INV48: Invariant {
  static let info = InvariantInfo(
    id: "INV-48",
    statement:
      "Each $crash matches one true crash, no crash has two events, the process died, earlier"
      + " handlers ran once after ours, and a signal's handler does nothing but write.",
    kind: .safety,
    requirements: ["CRA-03", "CRA-18", "CRA-19", "CRA-20"],
    antecedent: "The SDK's handler runs in a process that has an earlier crash reporter.")

  /// The handlers of the dying process, in order.
  private var ran: [(reporter: CrashReporter, isSignal: Bool)] = []
  /// The process that has crashed and not ended, or -1.
  private var dying: Int32 = -1
  /// It was stopped in a write: whoever had still to come did not.
  private var isCutShort = false
  private var installed: Int32 = -1

  public init() {
    super.init(
      INV48.info,
      on: [
        .crashed, .crashHandlerRan, .crashHandlersInstalled, .portEnteredInHandler, .disk, .ended,
        .launched, .requestStarted,
      ])
  }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    switch record.fact {
    case .crashed:
      dying = record.process
      ran = []
      isCutShort = false
    case .crashHandlerRan(let reporter, let isSignal): ran.append((reporter, isSignal))
    case .disk(_, let outcome, _, _, _, _, _, _):
      if record.process == dying, outcome == .died { isCutShort = true }
    case .crashHandlersInstalled:
      if installed == record.process {
        report(
          "handlers are installed again", at: record, context,
          "Process \(record.process) put its handlers in front of others a second time.")
      }
      installed = record.process
    case .portEnteredInHandler(let port):
      report(
        "the handler of a signal enters the \(port) port", at: record, context,
        "While a signal was handled in process \(record.process), the \(port) port was entered.")
    case .ended: end(record, context)
    case .launched:
      if dying >= 0 {
        report(
          "a crash is swallowed", at: record.instant, process: dying, context,
          "Process \(dying) has crashed, and goes on.")
        dying = -1
      }
    case .requestStarted: judgeSent(record, context)
    default: break
    }
  }

  private func end(_ record: Record, _ context: JudgeContext) {
    guard dying == record.process else { return }
    dying = -1
    guard context.header.hasEarlierReporter else { return }
    if ran.contains(where: { $0.reporter == .sdk }) { antecedent() }
    for isSignal in [false, true] { judgeOrder(isSignal, record, context) }
  }

  private func judgeOrder(_ isSignal: Bool, _ record: Record, _ context: JudgeContext) {
    let reporters = ran.filter { $0.isSignal == isSignal }.map(\.reporter)
    guard let own = reporters.firstIndex(of: .sdk) else { return }
    let earlier = reporters.indices.filter { reporters[$0] == .earlier }
    let what = isSignal ? "signal" : "exception"
    if let first = earlier.first, first < own {
      report(
        "an earlier handler runs before ours", at: record, context,
        "The earlier reporter handled the \(what) before the SDK did.")
    } else if earlier.isEmpty, !isCutShort {
      report(
        "an earlier handler does not run", at: record, context,
        "The SDK handled the \(what) and the earlier reporter never heard of it.")
    } else if earlier.count > 1 {
      report(
        "an earlier handler runs more than once", at: record, context,
        "The earlier reporter was called \(earlier.count) times for one \(what).")
    }
  }

  private func judgeSent(_ record: Record, _ context: JudgeContext) {
    for sighting in context.model.sightings
    where sighting.expected < 0 && sighting.isNewContent && !sighting.isRenamed {
      let fields = context.ledger.messages[sighting.wire].fields
      guard fields.isCrash(in: context.arena) else { continue }
      report(
        "a $crash of no crash", at: record, context,
        "The $crash \(context.text(fields.messageId)) was sent, and no process has died with that"
          + " id in its record.")
    }
  }
}
