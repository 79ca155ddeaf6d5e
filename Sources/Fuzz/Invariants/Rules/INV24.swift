import FuzzHistory
import SimKernel

/// A launch without analytics consent is a new visitor, and nobody after it is the same one.
public final class INV24: Invariant {
  static let info = InvariantInfo(
    id: "INV-24",
    statement: "Without analytics consent no two processes share an anonymous id.",
    kind: .safety,
    requirements: ["CON-05"],
    antecedent:
      "A message is sent of a process that began without analytics consent after another process.")

  private struct Visitor {
    var hash: UInt64
    var process: Int32
  }

  private var visitors: [Visitor] = []
  private var newest: (process: Int32, hash: UInt64) = (-1, 0)

  public init() { super.init(INV24.info, on: [.requestStarted]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    for sighting in context.model.sightings where sighting.isFirst && sighting.expected >= 0 {
      let message = context.model.messages[Int(sighting.expected)]
      // The event of a crash tells of the process that died (INV-50).
      if message.crash != nil { continue }
      let id = context.ledger.messages[sighting.wire].fields.anonymousId
      let hash = hashIdentifier(context.bytes(id))
      let process = message.process
      if newest == (process, hash) { continue }
      newest = (process, hash)
      meet(Visitor(hash: hash, process: process), id, record, context)
    }
  }

  private func meet(
    _ visitor: Visitor, _ id: ByteSlice, _ record: Record, _ context: JudgeContext
  ) {
    if visitors.contains(where: { $0.hash == visitor.hash && $0.process == visitor.process }) {
      return
    }
    if context.model.beganWithoutAnalytics(visitor.process), visitor.process > 0 { antecedent() }
    for other in visitors where other.hash == visitor.hash && other.process != visitor.process {
      let earlier = min(other.process, visitor.process)
      let later = max(other.process, visitor.process)
      guard context.model.beganWithoutAnalytics(later) || !context.model.hasStored(earlier) else {
        continue
      }
      report(
        "a visitor lives on without consent", at: record, context,
        "Processes \(earlier) and \(later) are both \(context.text(id)), without the consent that"
          + " could have stored it.")
    }
    visitors.append(visitor)
  }
}
