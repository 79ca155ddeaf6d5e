import FuzzHistory
import SimKernel

/// Each batch keeps its limits: messages, bytes, and bytes a message.
public final class INV05: Invariant {
  static let info = InvariantInfo(
    id: "INV-05",
    statement:
      "Each batch has 1 to min(20, flushAt) messages, at most 512 000 bytes, none over 32 KB.",
    kind: .safety,
    requirements: ["TRN-05", "TRN-08", "TRN-09", "TRN-10", "OPT-08", "CMP-26"],
    antecedent:
      "A batch is at a limit: as many messages as allowed, a body over 450 000 bytes, or a message"
      + " over 32 000 bytes.")

  static let bodyLimit = 512_000
  static let messageLimit = 32_768

  public init() { super.init(INV05.info, on: [.requestStarted]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    guard case .requestStarted(let number, _, _, _, _, _, let body, _, _, _, _) = record.fact else {
      return
    }
    let exchange = context.ledger[number]
    guard exchange.isBatch else { return }
    let limit = context.lane.client.flushAt
    let count = exchange.slots.count
    var largest = 0
    for slot in exchange.slots {
      largest = max(largest, Int(context.ledger.slots[slot].bytes.count))
    }
    if count >= limit || body.count > 450_000 || largest > 32_000 { antecedent() }
    if !exchange.isWellFormed {
      report(
        "the body is no batch", at: record, context,
        "The body of batch request \(number) is not the object of `batch` and `sentAt` that the"
          + " collector reads.")
    } else if count == 0 {
      report(
        "a batch is empty", at: record, context, "Batch request \(number) carries no message.")
    }
    if count > limit {
      report(
        "a batch has too many messages", at: record, context,
        "Batch request \(number) carries \(count) messages; flushAt allows \(limit).")
    }
    if body.count > INV05.bodyLimit {
      report(
        "a body is too large", at: record, context,
        "The body of batch request \(number) has \(body.count) bytes; 512 000 are allowed.")
    }
    if largest > INV05.messageLimit {
      report(
        "a message is too large", at: record, context,
        "Batch request \(number) carries a message of \(largest) bytes; 32 768 are allowed.")
    }
  }
}
