import FuzzHistory
import SimKernel

/// What was accepted or finally refused is not sent again: not by the process that heard the
/// answer, and by no later one whose journal shows the removal (A-11).
public final class INV07: Invariant {
  static let info = InvariantInfo(
    id: "INV-07",
    statement:
      "An id whose acceptance, 400, 403 or single-message 413 was received is not sent again by that"
      + " process, nor later once its removal is durable.",
    kind: .safety,
    requirements: [
      "TRN-13", "TRN-14", "TRN-15", "TRN-16", "TRN-19", "CMP-10", "CMP-28", "CMP-29",
    ],
    antecedent:
      "A process hears that a batch was accepted or finally refused, and this or a later process"
      + " starts another batch request.")

  /// One message by one call: a second call with the same id has another timestamp.
  private struct Settled {
    var process: Int32
    var status: UInt16
    var exchange: UInt32
    /// A process that was launched since then may read it from the journal.
    var mayComeBack: Bool
  }

  private var settled: [Settled] = []
  private var index = HashIndex()
  private var hasNews = false

  public init() { super.init(INV07.info, on: [.requestStarted, .exchangeEnded, .launched]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    switch record.fact {
    case .exchangeEnded(let number, _, _, _, _): settle(context.ledger[number], number, context)
    case .launched: launch(context)
    case .requestStarted(let number, _, _, _, _, _, _, _, _, _, _):
      let exchange = context.ledger[number]
      guard exchange.isBatch else { return }
      if hasNews {
        antecedent()
        hasNews = false
      }
      check(exchange, number, record, context)
    default: break
    }
  }

  private func settle(_ exchange: Exchange, _ number: UInt32, _ context: JudgeContext) {
    guard exchange.isBatch, let answer = exchange.received else { return }
    switch context.ledger.verdict(answer, messageCount: exchange.slots.count) {
    case .accepted, .final: break
    case .split, .rateLimited, .kept: return
    }
    hasNews = true
    for slot in exchange.slots {
      let key = self.key(context.ledger.slots[slot].message, context)
      let entry = Settled(
        process: exchange.process, status: answer.status, exchange: number, mayComeBack: false)
      let place = Int(index[key])
      if place >= 0 {
        settled[place] = entry
      } else {
        index[key] = Int32(settled.count)
        settled.append(entry)
      }
    }
  }

  /// What the journal still holds at a launch, its removal lost, may lawfully come again.
  private func launch(_ context: JudgeContext) {
    for place in settled.indices { settled[place].mayComeBack = false }
    guard !settled.isEmpty else { return }
    for record in context.disk.records.indices where context.disk.isLive(record) {
      let stored = context.disk.records[record]
      let place = Int(index[key(stored.identifierHash, milliseconds: stored.time)])
      if place >= 0 { settled[place].mayComeBack = true }
    }
  }

  private func check(
    _ exchange: Exchange, _ number: UInt32, _ record: Record, _ context: JudgeContext
  ) {
    for slot in exchange.slots {
      let message = context.ledger.slots[slot].message
      let place = Int(index[key(message, context)])
      guard place >= 0, !settled[place].mayComeBack else { continue }
      let before = settled[place]
      let isSame = before.process == exchange.process
      let id = context.text(context.ledger.messages[message].fields.messageId)
      let kind = before.status < 300 ? "accepted" : "refused for good"
      report(
        "a message that was \(kind) is sent again by \(isSame ? "the same" : "a later") process",
        at: record, context,
        "Batch request \(number) carries message \(id), which request \(before.exchange) had seen"
          + " \(kind) with status \(before.status)"
          + (isSame ? "." : "; its removal stood in the journal when this process was launched."))
    }
  }

  private func key(_ message: Int, _ context: JudgeContext) -> UInt64 {
    let message = context.ledger.messages[message]
    let time = Timestamps.milliseconds(context.bytes(message.fields.timestamp)) ?? 0
    return key(message.identifierHash, milliseconds: time)
  }

  private func key(_ identifierHash: UInt64, milliseconds: Int64) -> UInt64 {
    mixBits(identifierHash ^ UInt64(bitPattern: milliseconds) &* 0x9e37_79b9_7f4a_7c15)
  }
}
