import FuzzHistory
import SimKernel

/// A hang is a main thread that is silent for 5 s in the foreground.
///
/// Between 5.0 s and 5.5 s both are right. Where the world holds back the SDK's queue, a
/// look may come so late that the process may have been suspended: a report may be missing.
public final class INV53: Invariant {
  static let info = InvariantInfo(
    id: "INV-53",
    statement:
      "Hang events correspond one to one to foreground stalls of 5 s or more without a debugger; clock"
      + " steps cause none.",
    kind: .safety,
    requirements: [
      "HNG-01", "HNG-02", "HNG-03", "HNG-04", "HNG-05", "HNG-06", "HNG-07", "OPT-15", "OPT-28",
    ],
    antecedent: "The main thread is blocked for 4 s or more in a process that watches for hangs.")

  private static let least = TimeSpan.seconds(5)
  private static let surely = TimeSpan.milliseconds(5_500)
  private static let close = TimeSpan.seconds(4)

  public init() {
    super.init(
      INV53.info, on: [.stackSampled, .mainThread, .ended, .requestStarted, .calmEnded])
  }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    switch record.fact {
    case .stackSampled: judgeSample(record, context)
    case .mainThread(false, _), .ended: judgeStall(record, context)
    case .requestStarted: judgeSent(record, context)
    case .calmEnded(let pending): judgeEnd(record, context, isQuiet: pending.count == 0)
    default: return
    }
  }

  private func judgeSample(_ record: Record, _ context: JudgeContext) {
    guard let stall = context.model.stall, stall.process == record.process else {
      report(
        "a main thread that answers is reported", at: record, context,
        "The SDK took the main thread of process \(record.process) for hung; nothing blocked it.")
      return
    }
    // The look before may have been held back, under a debugger still.
    let seen = stall.longestSeen + (stall.wasHeldBack ? .seconds(1) : .zero)
    if seen < INV53.least {
      report(
        "a stall that is none is reported", at: record, context,
        "The main thread of process \(record.process) was reported; of its stall only"
          + " \(stall.longestSeen.nanoseconds / 1_000_000) ms count.")
    } else if stall.samples > 1 {
      report(
        "one stall is reported twice", at: record, context,
        "The main thread of process \(record.process) was reported \(stall.samples) times without having"
          + " answered in between.")
    }
  }

  /// The stall is over, or its process is gone.
  private func judgeStall(_ record: Record, _ context: JudgeContext) {
    guard let stall = context.model.endedStall, stall.process == record.process else { return }
    if stall.longest >= INV53.close { antecedent() }
    guard stall.longest >= INV53.surely, stall.samples == 0, !stall.wasHeldBack else { return }
    report(
      "a hang is not reported", at: record, context,
      "The main thread of process \(record.process) was blocked for"
        + " \(stall.longest.nanoseconds / 1_000_000) ms in the foreground, and nothing was reported."
    )
  }

  private func judgeSent(_ record: Record, _ context: JudgeContext) {
    for sighting in context.model.sightings
    where sighting.isNewContent && sighting.expected < 0 && !sighting.isRenamed {
      let fields = context.ledger.messages[sighting.wire].fields
      guard fields.isHang(in: context.arena) else { continue }
      report(
        "a hang event without a stall", at: record, context,
        "The hang event \(context.text(fields.messageId)) at \(context.text(fields.timestamp)) matches no"
          + " stall of a main thread.")
    }
  }

  private func judgeEnd(_ record: Record, _ context: JudgeContext, isQuiet: Bool) {
    context.model.forEachUnmade(context, isQuiet: isQuiet) { message in
      guard case .hang = message.cause else { return }
      report(
        "a hang without its event", at: record.instant, process: message.process, context,
        "The SDK looked at the hung main thread of process \(message.process) at"
          + " \(message.callInstant.seconds) s and made no event of it.")
    }
  }
}
