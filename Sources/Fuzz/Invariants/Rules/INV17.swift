import FuzzHistory
import SimKernel

/// Timestamps are those of the calls, by the anchored clock.
public final class INV17: Invariant {
  static let info = InvariantInfo(
    id: "INV-17",
    statement:
      "A message's timestamp is the device time of its call, in UTC, also for buffered calls.",
    kind: .safety,
    requirements: ["API-10", "CMP-07", "CMP-08"],
    antecedent: "A message was held, or the wall clock was set since its process began.")

  /// The process that ran when the wall clock was last set.
  private var steppedProcess: Int32 = -1

  public init() { super.init(INV17.info, on: [.requestStarted, .wallClockSet]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    if case .wallClockSet = record.fact {
      steppedProcess = context.processes.current
      return
    }
    for sighting in context.model.sightings where sighting.isFirst && sighting.expected >= 0 {
      let message = context.model.messages[Int(sighting.expected)]
      if message.enqueuedInstant != message.callInstant || message.process == steppedProcess {
        antecedent()
      }
      guard sighting.deviation.contains(.timestamp), !message.isToldByName else { continue }
      let fields = context.ledger.messages[sighting.wire].fields
      var due: [UInt8] = []
      Timestamps.append(milliseconds: message.timestampMilliseconds, to: &due)
      report(
        message.enqueuedInstant == message.callInstant
          ? "timestamp is not the call's" : "timestamp of a held call is not the call's",
        at: record, context,
        "The message \(context.text(fields.messageId)) has the timestamp"
          + " \(context.text(fields.timestamp)), its call was at"
          + " \(String(decoding: due, as: UTF8.self)).")
    }
  }
}
