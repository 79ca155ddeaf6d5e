import FuzzHistory
import SimKernel

/// All attempts of a message are the same message; `sentAt` alone is the attempt's.
public final class INV06: Invariant {
  static let info = InvariantInfo(
    id: "INV-06",
    statement:
      "All attempts of a message carry equal id, timestamp and content, while sentAt is the attempt's own"
      + " time.",
    kind: .safety,
    requirements: ["TRN-11", "TRN-20", "CMP-19", "CMP-20", "CMP-21"],
    antecedent: "A message is in a request that is not its first.")

  public init() { super.init(INV06.info, on: [.requestStarted]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    guard case .requestStarted(let exchange, _, _, _, _, _, _, _, _, _, _) = record.fact else {
      return
    }
    let request = context.ledger[exchange]
    guard request.isBatch else { return }
    for sighting in context.model.sightings {
      if sighting.isRenamed {
        report(
          "messageId changed between attempts", at: record, context,
          "A message of the request before came again under the id \(identifier(sighting, context))."
        )
      }
      guard sighting.expected >= 0, !sighting.isFirst else { continue }
      antecedent()
      if sighting.isNewContent { judgeChange(sighting, record, context) }
    }
    judgeSentAt(request, record, context)
  }

  private func judgeChange(_ sighting: Sighting, _ record: Record, _ context: JudgeContext) {
    let earlier = earlierVariant(of: sighting, context)
    if earlier >= 0, context.isLawfulVariant(earlier, sighting.wire) { return }
    let words = sighting.deviation.words
    let cause = words.isEmpty ? "content" : words.joined(separator: ", ")
    report(
      cause + " changed between attempts", at: record, context,
      "The message \(identifier(sighting, context)) differs from its earlier attempt in \(cause).")
  }

  /// Another content of the same call, seen before.
  private func earlierVariant(of sighting: Sighting, _ context: JudgeContext) -> Int {
    var variant = context.ledger.messages[sighting.wire].previousVariant
    while variant >= 0, context.model.expected(ofWire: variant) != sighting.expected {
      variant = context.ledger.messages[variant].previousVariant
    }
    return variant
  }

  /// `sentAt` is the time of the request in the frame of its messages' anchor; messages of an
  /// earlier boot go in the frame of the process that sends them.
  private func judgeSentAt(_ request: Exchange, _ record: Record, _ context: JudgeContext) {
    guard let sentAt = request.sentAtMilliseconds else {
      if request.isWellFormed {
        report(
          "sentAt missing", at: record, context, "A request has no sentAt of the documented form.")
      }
      return
    }
    var frame: Int32 = -1
    for sighting in context.model.sightings where sighting.expected >= 0 {
      let maker = context.model.messages[Int(sighting.expected)].process
      if frame < 0 {
        frame = maker
      } else if maker != frame, !context.model.sharesAnchor(maker, frame) {
        report(
          "a request mixes anchors", at: record, context,
          "One request holds messages of processes \(frame) and \(maker), whose clocks were anchored"
            + " at different times.")
        return
      }
    }
    if frame < 0 || context.processes[frame].boot != context.processes[record.process].boot {
      frame = record.process
    }
    guard let due = context.model.anchoredTime(frame, continuous: request.startContinuous) else {
      return
    }
    let dueMilliseconds = millisecondsFloor(due)
    let early = context.model.slack / 1_000_000
    if sentAt > dueMilliseconds || sentAt < dueMilliseconds - early {
      report(
        "sentAt is not the time of the attempt", at: record, context,
        "sentAt is \(sentAt - dueMilliseconds) ms off the anchored time of the request.")
    }
  }

  private func identifier(_ sighting: Sighting, _ context: JudgeContext) -> String {
    context.text(context.ledger.messages[sighting.wire].fields.messageId)
  }
}
