import FuzzHistory
import SimKernel

/// `$first_open` bears the time of its launch.
public final class INV40: Invariant {
  static let info = InvariantInfo(
    id: "INV-40",
    statement:
      "$first_open's timestamp is the launch start (or stored one) and not later than any message of"
      + " that launch.",
    kind: .safety,
    requirements: ["LIF-07", "LIF-08", "LIF-12"],
    antecedent: "A $first_open is sent that became due after its launch, or in another process.")

  /// The earliest message of a process that was sent so far.
  private var earliest: (process: Int32, milliseconds: Int64)?
  private var sent: (process: Int32, milliseconds: Int64)?

  public init() { super.init(INV40.info, on: [.requestStarted]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    for sighting in context.model.sightings where sighting.isFirst && sighting.expected >= 0 {
      let message = context.model.messages[Int(sighting.expected)]
      let fields = context.ledger.messages[sighting.wire].fields
      // The event of a crash has the time of another process.
      if message.crash != nil { continue }
      guard let time = Timestamps.milliseconds(context.bytes(fields.timestamp)) else { continue }
      if case .firstOpen = message.cause {
        judgeFirstOpen(sighting, message, time, record, context)
      } else {
        judgeOther(message, time, record, context)
      }
    }
  }

  private func judgeFirstOpen(
    _ sighting: Sighting, _ message: ExpectedMessage, _ time: Int64, _ record: Record,
    _ context: JudgeContext
  ) {
    antecedent()
    if sighting.deviation.contains(.timestamp) {
      report(
        "$first_open has another time than its launch", at: record, context,
        "The $first_open of process \(message.process) has the time \(time), its launch was at"
          + " \(message.timestampMilliseconds) (milliseconds since 1970).")
    }
    if context.model.faults(ofFirstOpen: sighting.expected).contains(.wrongLaunch) {
      report(
        "a late $first_open is not the stored one", at: record, context,
        "The $first_open of process \(message.process) has the time \(time), which is not that of the"
          + " launch that had made it due.")
    }
    // The launch that a late one belongs to is over, with its messages.
    if context.model.isLate(firstOpen: sighting.expected) { return }
    sent = (message.process, time)
    if let earliest, earliest.process == message.process, earliest.milliseconds < time {
      reportLater(message, record, context)
    }
  }

  private func judgeOther(
    _ message: ExpectedMessage, _ time: Int64, _ record: Record, _ context: JudgeContext
  ) {
    if let known = earliest, known.process == message.process, known.milliseconds <= time {
      // An earlier one is known.
    } else {
      earliest = (message.process, time)
    }
    if let sent, sent.process == message.process, time < sent.milliseconds {
      reportLater(message, record, context)
    }
  }

  private func reportLater(
    _ message: ExpectedMessage, _ record: Record, _ context: JudgeContext
  ) {
    report(
      "$first_open is later than another message of its launch", at: record, context,
      "Process \(message.process) has sent a message that is older than its $first_open.")
  }
}
