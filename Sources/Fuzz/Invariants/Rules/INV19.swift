import FuzzHistory
import SimKernel

/// First in, first out, from the call to the wire, also across processes (S-27, B45).
public final class INV19: Invariant {
  static let info = InvariantInfo(
    id: "INV-19",
    statement:
      "Calls of one thread keep their order through buffer and queue; what an earlier process left"
      + " goes before the messages of later ones.",
    kind: .safety,
    requirements: ["API-02", "API-07", "API-08", "ID-10", "TRN-28"],
    antecedent:
      "A process sends a message after another one of its own, or one that an earlier process left."
  )

  private var lastMaker: Int32 = -1

  public init() { super.init(INV19.info, on: [.requestStarted]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    for sighting in context.model.sightings where sighting.isFirst && sighting.expected >= 0 {
      let message = context.model.messages[Int(sighting.expected)]
      if message.process == lastMaker || message.process != record.process { antecedent() }
      lastMaker = message.process
      guard sighting.overtakenBy >= 0, !isExcused(message, context) else { continue }
      report(
        cause(message, context.model.messages[Int(sighting.overtakenBy)]), at: record, context,
        "The \(context.model.nameText(Int(sighting.expected))) was sent after"
          + " \(context.model.nameText(Int(sighting.overtakenBy))), which happened later.")
    }
  }

  /// A file that could not be read for a while may let later ones pass (B06, B07).
  private func isExcused(_ message: ExpectedMessage, _ context: JudgeContext) -> Bool {
    guard let failure = context.disk.lastReadFailure, let queued = message.enqueuedInstant else {
      return false
    }
    return failure.instant >= queued
  }

  private func cause(_ message: ExpectedMessage, _ other: ExpectedMessage) -> String {
    if other.process != message.process { return "a message of an earlier process was overtaken" }
    if other.isMadeBySDK || message.isMadeBySDK {
      return "order of a call and a lifecycle event changed"
    }
    return other.thread == message.thread
      ? "order of one thread changed" : "order of two threads changed"
  }
}
