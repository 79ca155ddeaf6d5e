import FuzzHistory
import SimKernel

/// The hold buffer keeps the newest 200 calls.
public final class INV20: Invariant {
  static let info = InvariantInfo(
    id: "INV-20",
    statement: "Of early calls exactly the newest 200 survive.",
    kind: .safety,
    requirements: ["API-09"],
    antecedent: "A process had more than 200 early calls and sends the first of them.")

  public init() { super.init(INV20.info, on: [.requestStarted]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    var newest: Int64 = -1
    for sighting in context.model.sightings where sighting.expected >= 0 {
      let message = context.model.messages[Int(sighting.expected)]
      if sighting.contradictedLoss == .holdOverflow {
        report(
          "an evicted early call was sent", at: record, context,
          "The \(context.model.nameText(Int(sighting.expected))) was sent although 200 later early calls"
            + " had pushed it out.")
      }
      if sighting.isFirst, !message.isMadeBySDK, message.process == record.process, message.wasHeld,
        context.model.evictedCalls(record.process) > 0
      {
        antecedent()
        newest = max(newest, message.occurrence)
      }
    }
    if newest >= 0 { judgeGap(upTo: newest, record, context) }
  }

  /// A surviving early call that later ones have passed was lost.
  private func judgeGap(upTo newest: Int64, _ record: Record, _ context: JudgeContext) {
    // The SDK may not know how full its queue is.
    if context.disk.lastReadFailure?.process == record.process { return }
    for item in context.model.queue {
      let message = context.model.messages[Int(item)]
      guard message.process == record.process, message.wasHeld, !message.isSighted,
        !message.isMadeBySDK, message.occurrence < newest, !message.mayBeEvicted,
        !message.isDoubtful
      else { continue }
      report(
        "a surviving early call was lost", at: record, context,
        "The \(context.model.nameText(Int(item))) is among the newest 200 early calls, but later ones"
          + " were sent before it.")
      return
    }
  }
}
