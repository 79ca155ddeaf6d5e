import FuzzHistory
import SimKernel

/// Conservation: accepted is delivered plus queued plus one lawful reason of the closed list A-02.
public final class INV03: Invariant {
  static let info = InvariantInfo(
    id: "INV-03",
    statement:
      "Every accepted message is stored in the end or has exactly one recorded lawful reason for loss.",
    kind: .liveness,
    requirements: [
      "CON-02", "TRN-21", "TRN-23", "TRN-25", "TRN-28", "CMP-09", "CMP-14", "CMP-15", "CMP-16",
      "CMP-30",
    ],
    antecedent: "A message was in a failed request, or in the queue when its process ended.")

  /// In a calm run only the calls themselves can be the reason.
  private static let calmReasons: [LossReason] = [
    .refused, .tooLarge, .duplicateInQueue, .holdOverflow, .queueBound, .consentRevoked,
    .memoryOnlyProcessEnd,
  ]

  public init() { super.init(INV03.info, on: [.disk, .requestStarted, .calmEnded]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    switch record.fact {
    case .disk: judgeTakenOff(record, context)
    case .requestStarted: judgeSightings(record, context)
    case .calmEnded(let pending): judgeEnd(record, context, isQuiet: pending.count == 0)
    default: return
    }
  }

  /// The disk may lose a message, the SDK may not: what waits to be sent stays where it is, also in
  /// a file that cannot be read for a while (B06).
  private func judgeTakenOff(_ record: Record, _ context: JudgeContext) {
    for item in context.model.takenOff {
      let message = context.model.messages[Int(item)]
      report(
        "taken off the disk while it waits to be sent", at: record, context,
        "The \(context.model.nameText(Int(item))) of process \(message.process), called at"
          + " \(message.callInstant.seconds) s, waits to be sent and has no lawful reason to leave the"
          + " disk, from which it is removed.")
    }
  }

  /// A message that has left for a reason must not be sent any more. Losses with an invariant of
  /// their own are judged there.
  private func judgeSightings(_ record: Record, _ context: JudgeContext) {
    for sighting in context.model.sightings {
      guard let loss = sighting.contradictedLoss else { continue }
      switch loss {
      case .consentRevoked, .traitsLost, .diedInHold, .memoryOnlyProcessEnd, .lockedProcessEnd:
        let id = context.text(context.ledger.messages[sighting.wire].fields.messageId)
        report(
          "sent although lost: \(loss.word)", at: record, context,
          "The message \(id) was sent although it had to go: \(loss.word).")
      default: continue
      }
    }
  }

  private func judgeEnd(_ record: Record, _ context: JudgeContext, isQuiet: Bool) {
    for index in context.model.messages.indices {
      let message = context.model.messages[index]
      if message.isSettled || message.process != context.model.queueProcess { antecedent() }
      switch context.model.fate(index, context) {
      case .delivered, .dormant: continue
      case .queued:
        if isQuiet { missing(index, "never delivered", record, context) }
      case .missing:
        missing(index, message.unlawful?.words ?? "gone from the queue", record, context)
      case .lost(let reason):
        if context.header.isCalm, !INV03.calmReasons.contains(reason) {
          missing(index, "\(reason.word) although nothing went wrong", record, context)
        }
      }
    }
  }

  private func missing(
    _ index: Int, _ cause: String, _ record: Record, _ context: JudgeContext
  ) {
    let message = context.model.messages[index]
    let sent = message.isSighted ? "was sent but not accepted" : "was never sent"
    let name = context.model.nameText(index)
    report(
      cause + (message.isSighted ? ", sent" : ", never sent"), at: record.instant,
      process: message.process, context,
      "The \(name) of process \(message.process), called at \(message.callInstant.seconds) s, \(sent)"
        + " and has no lawful reason to be missing: \(cause).")
  }
}

extension UnlawfulLoss {
  var words: String {
    switch self {
    case .notOnDiskAtProcessEnd: return "not on disk when its process ended"
    case .notDurable: return "not durable in time when the power went"
    case .goneFromDisk: return "gone from disk between two processes"
    }
  }
}
