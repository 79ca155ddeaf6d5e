import FuzzHistory
import SimKernel

/// First in, first out, from the call to the wire.
public final class INV19: Invariant {
  static let info = InvariantInfo(
    id: "INV-19",
    statement: "Calls of one thread keep their order through buffer and queue.",
    kind: .safety,
    requirements: ["API-02", "API-07", "API-08", "ID-10"],
    antecedent: "A process sends a message after another one of its own.")

  private var lastMaker: Int32 = -1

  public init() { super.init(INV19.info, on: [.requestStarted]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    for sighting in context.model.sightings where sighting.isFirst && sighting.expected >= 0 {
      let message = context.model.messages[Int(sighting.expected)]
      if message.process == lastMaker { antecedent() }
      lastMaker = message.process
      // A file that could not be read for a while may let later ones pass (B06, B07).
      let isExcused =
        context.disk.lastReadFailure.map { $0.instant >= message.callInstant } ?? false
      guard sighting.overtakenBy >= 0, !isExcused else { continue }
      let other = context.model.thread(ofCall: UInt32(sighting.overtakenBy))
      report(
        other == message.thread ? "order of one thread changed" : "order of two threads changed",
        at: record, context,
        "The \(context.model.nameText(Int(sighting.expected))) was sent after a message of a later call."
      )
    }
  }
}
