import FuzzHistory
import SimKernel

/// Consent comes and goes; the visitor stays.
public final class INV25: Invariant {
  static let info = InvariantInfo(
    id: "INV-25",
    statement: "Neither grant nor revoke changes the anonymous id within a process.",
    kind: .safety,
    requirements: ["CON-15", "CON-17"],
    antecedent:
      "Messages of one visitor are sent that were made before and after analytics came or went.")

  private struct Visit {
    var process: Int32
    /// Counts visitors: a reset makes a new one.
    var visitor: Int32
    var epoch: UInt32
    var id: ByteSlice
  }

  private var visits: [Visit] = []
  /// The newest message's visit: most messages are of the same.
  private var newest: [Int32] = []

  public init() { super.init(INV25.info, on: [.requestStarted]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    for sighting in context.model.sightings where sighting.isFirst && sighting.expected >= 0 {
      let message = context.model.messages[Int(sighting.expected)]
      let visit = Visit(
        process: message.process, visitor: message.anonymous, epoch: message.consentEpoch,
        id: context.ledger.messages[sighting.wire].fields.anonymousId)
      if newest == [visit.process, visit.visitor, Int32(visit.epoch)] { continue }
      newest = [visit.process, visit.visitor, Int32(visit.epoch)]
      compare(visit, record, context)
    }
  }

  private func compare(_ visit: Visit, _ record: Record, _ context: JudgeContext) {
    let own = visits.filter { $0.process == visit.process && $0.visitor == visit.visitor }
    if own.contains(where: { $0.epoch == visit.epoch }) { return }
    if let other = own.first {
      antecedent()
      if !bytesEqual(context.bytes(other.id), context.bytes(visit.id)) {
        report(
          "the visitor changed with consent", at: record, context,
          "Process \(visit.process) was \(context.text(other.id)) and became"
            + " \(context.text(visit.id)) when analytics changed, without a reset.")
      }
    }
    visits.append(visit)
  }
}
