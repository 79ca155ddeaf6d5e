import FuzzHistory
import SimKernel

/// One id, one content: judged on arrivals, before the collector dedupes.
public final class INV02: Invariant {
  static let info = InvariantInfo(
    id: "INV-02",
    statement: "No message id is stored twice, and no request body holds an id twice.",
    kind: .safety,
    requirements: ["API-16", "CMP-18", "CMP-22", "CMP-23"],
    antecedent: "A message reaches the collector again, or a caller's id is used by a second call.")

  /// For each expected message the distinct message that arrived for it first, or -1.
  private var arrived: [Int32] = []
  /// By id, the expected message that arrived under it first.
  private var owners = HashIndex()

  public init() { super.init(INV02.info, on: [.requestStarted, .requestArrived, .answered]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    switch record.fact {
    case .requestStarted(let exchange, _, _, _, _, _, _, _, _, _, _):
      judgeBody(context.ledger[exchange], record, context)
    case .requestArrived(let exchange, _):
      let request = context.ledger[exchange]
      guard request.isBatch else { return }
      for slot in request.slots { judgeArrival(slot, record, context) }
    case .answered(let exchange, _, _, _, _):
      if context.header.isCalm { judgeCalm(context.ledger[exchange], record, context) }
    default: return
    }
  }

  private func judgeBody(_ request: Exchange, _ record: Record, _ context: JudgeContext) {
    guard request.isBatch else { return }
    let slots = request.slots
    for slot in slots {
      let hash = identifierHash(slot, context)
      for other in slots.lowerBound..<slot where identifierHash(other, context) == hash {
        report(
          "an id twice in one body", at: record, context,
          "One request holds the id \(identifier(slot, context)) twice.")
      }
    }
    for sighting in context.model.sightings where sighting.contradictedLoss == .duplicateInQueue {
      report(
        "a call with the id of a queued message was sent", at: record, context,
        "The id \(identifier(sighting.slot, context)) was sent for a second call although the first"
          + " one was still queued when it was made.")
    }
  }

  private func judgeArrival(_ slot: Int, _ record: Record, _ context: JudgeContext) {
    let wire = context.ledger.slots[slot].message
    let expected = Int(context.model.expected(ofWire: wire))
    guard expected >= 0 else { return }
    while arrived.count <= expected { arrived.append(-1) }
    let first = Int(arrived[expected])
    if first < 0 {
      arrived[expected] = Int32(wire)
    } else {
      antecedent()
      if first != wire, !context.isLawfulVariant(first, wire) {
        report(
          "one call stored with two contents", at: record, context,
          "The message \(identifier(slot, context)) has arrived with another content before.")
      }
    }
    judgeOwner(expected, slot, record, context)
  }

  private func judgeOwner(
    _ expected: Int, _ slot: Int, _ record: Record, _ context: JudgeContext
  ) {
    let hash = identifierHash(slot, context)
    let owner = Int(owners[hash])
    if owner < 0 {
      owners[hash] = Int32(expected)
      return
    }
    if owner == expected { return }
    antecedent()
    let messages = context.model.messages
    if messages[owner].hasCallersIdentifier, messages[expected].hasCallersIdentifier { return }
    // Repeated by a later process where a mark was lost (S-114, S-115).
    if messages[owner].isToldByName, messages[expected].isToldByName,
      messages[owner].process != messages[expected].process
    {
      return
    }
    report(
      "two calls under one id of the SDK", at: record, context,
      "The id \(identifier(slot, context)) made by the SDK stands for two calls.")
  }

  private func judgeCalm(_ request: Exchange, _ record: Record, _ context: JudgeContext) {
    guard request.isBatch else { return }
    for slot in request.slots {
      let expected = Int(context.model.expected(ofWire: context.ledger.slots[slot].message))
      guard expected >= 0, context.model.messages[expected].acceptedArrivals > 1 else { continue }
      // A process that was suspended with the request, and killed, never heard of the first time.
      let first = context.ledger[UInt32(context.model.messages[expected].firstExchange)]
      if first.received == nil, first.process != request.process { continue }
      report(
        "stored twice although nothing went wrong", at: record, context,
        "The message \(identifier(slot, context)) was accepted twice in a calm run.")
    }
  }

  private func identifierHash(_ slot: Int, _ context: JudgeContext) -> UInt64 {
    context.ledger.messages[context.ledger.slots[slot].message].identifierHash
  }

  private func identifier(_ slot: Int, _ context: JudgeContext) -> String {
    context.text(context.ledger.messages[context.ledger.slots[slot].message].fields.messageId)
  }
}

extension JudgeContext {
  /// Whether one call may be sent with two contents: both right for their process, and the traits
  /// of the later one are missing because its process is a later one, or its advertising id since
  /// marketing was withdrawn.
  func isLawfulVariant(_ first: Int, _ second: Int) -> Bool {
    guard model.wireDeviations[first].isEmpty, model.wireDeviations[second].isEmpty else {
      return false
    }
    let makers = (
      ledger[ledger.messages[first].firstExchange].process,
      ledger[ledger.messages[second].firstExchange].process
    )
    if makers.0 != makers.1 { return true }
    // Marketing was withdrawn in between.
    let hasId = (
      ledger.messages[first].context.hasAdvertisingId,
      ledger.messages[second].context.hasAdvertisingId
    )
    return hasId.0 != hasId.1
  }
}
