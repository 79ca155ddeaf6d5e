import FuzzHistory
import SimKernel

/// An install is opened for the first time once: judged at the collector, before it dedupes.
public final class INV38: Invariant {
  static let info = InvariantInfo(
    id: "INV-38",
    statement: "At most one $first_open per install at the collector.",
    kind: .safety,
    requirements: ["LIF-06"],
    antecedent: "An install whose $first_open was accepted starts again under consent.")

  private var install: UInt32?
  private var accepted: ByteSlice?
  private var newestStarted: Int32 = -1

  public init() { super.init(INV38.info, on: [.launched, .answered, .requestStarted]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    switch record.fact {
    case .launched(_, _, let install, _, _):
      if self.install != install { accepted = nil }
      self.install = install
    case .requestStarted:
      judgeSent(record, context)
      // It has sent something under consent without another `$first_open`, so far.
      guard accepted != nil, record.process != newestStarted,
        context.model.mayStore(record.process, context, at: record)
      else { return }
      newestStarted = record.process
      antecedent()
    case .answered(let exchange, let copy, _, _, _): answer(exchange, copy, record, context)
    default: return
    }
  }

  /// What no launch owes is no opening, whether or not another one is ever accepted.
  private func judgeSent(_ record: Record, _ context: JudgeContext) {
    for sighting in context.model.sightings
    where sighting.expected < 0 && sighting.isNewContent && !sighting.isRenamed {
      let fields = context.ledger.messages[sighting.wire].fields
      guard fields.isEvent("$first_open", in: context.arena),
        !context.model.openings.isExcused
      else { continue }
      report(
        "a $first_open that no launch owes", at: record, context,
        "The $first_open \(context.text(fields.messageId)) was sent, and no launch had made it due."
      )
    }
  }

  private func answer(
    _ exchange: UInt32, _ copy: UInt8, _ record: Record, _ context: JudgeContext
  ) {
    let request = context.ledger[exchange]
    guard request.isBatch, let answer = copy == 0 ? request.answers.0 : request.answers.1,
      context.ledger.verdict(answer, messageCount: request.slots.count) == .accepted
    else { return }
    for slot in request.slots {
      let fields = context.ledger.messages[context.ledger.slots[slot].message].fields
      guard fields.isEvent("$first_open", in: context.arena) else { continue }
      guard let first = accepted else {
        accepted = fields.messageId
        newestStarted = record.process
        continue
      }
      if bytesEqual(context.bytes(first), context.bytes(fields.messageId)) { continue }
      if context.model.openings.isExcused { continue }
      report(
        "a second $first_open of one install", at: record, context,
        "The collector accepted the $first_open \(context.text(fields.messageId)) although it had"
          + " \(context.text(first)) of the same install.")
    }
  }
}
