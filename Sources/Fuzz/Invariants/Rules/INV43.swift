import FuzzHistory
import SimKernel

/// The messages of one screen view.
public final class INV43: Invariant {
  static let info = InvariantInfo(
    id: "INV-43",
    statement:
      "Each pageview_id has one screen message, at most one final leave, and one non-final leave per"
      + " background entry in it.",
    kind: .safety,
    requirements: [
      "SCR-01", "SCR-02", "SCR-03", "SCR-04", "SCR-05", "SCR-15", "SCR-16", "S-04", "S-53", "S-54",
    ],
    antecedent: "A view is left whose screen was sent.")

  private struct View {
    var screen: ByteSlice?
    var path: String?
    /// The final leave, with its timestamp.
    var final: (id: ByteSlice, time: Int64)?
    /// The timestamps of leaves that are not final.
    var pauses: [Int64] = []
  }

  private var places = HashIndex()
  private var views: [View] = []
  /// When processes went to the background, by their anchored clocks in milliseconds.
  private var entries: [(process: Int32, milliseconds: Int64)] = []

  public init() { super.init(INV43.info, on: [.requestStarted, .phase]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    if case .phase(let phase) = record.fact {
      if phase == .background { noteEntry(record, context) }
      return
    }
    for sighting in context.model.sightings where sighting.isNewContent && !sighting.isRenamed {
      // One that loses its advertising id on the way is the same leave (S-02).
      if sighting.expected >= 0, !sighting.isFirst { continue }
      let fields = context.ledger.messages[sighting.wire].fields
      if let leave = LeaveFields(fields, in: context.arena) {
        judge(leave, fields, sighting, record, context)
      } else if MessageScan.holds(fields.type, "screen", in: context.arena) {
        judge(screen: fields, record, context)
      }
    }
  }

  private func noteEntry(_ record: Record, _ context: JudgeContext) {
    let continuous = context.continuousNow(record)
    guard let anchored = context.model.anchoredTime(record.process, continuous: continuous) else {
      return
    }
    entries.append((record.process, millisecondsFloor(anchored)))
  }

  private func place(of id: ByteSlice, _ context: JudgeContext) -> Int {
    let hash = hashIdentifier(context.bytes(id))
    if places[hash] < 0 {
      places[hash] = Int32(views.count)
      views.append(View())
    }
    return Int(places[hash])
  }

  private func judge(screen fields: MessageFields, _ record: Record, _ context: JudgeContext) {
    let id = MessageScan.pageviewIdentifier(of: fields.properties, in: context.arena)
    if id.count == 0 {
      return report(
        "a screen without pageview_id", at: record, context,
        "The screen \(context.text(fields.messageId)) names no view.")
    }
    let place = place(of: id, context)
    if let first = views[place].screen,
      !bytesEqual(context.bytes(first), context.bytes(fields.messageId))
    {
      return report(
        "two screens with one pageview_id", at: record, context,
        "The screens \(context.text(first)) and \(context.text(fields.messageId)) both have the"
          + " pageview_id \(context.text(id)).")
    }
    views[place].screen = fields.messageId
    let properties = try? JSONValue.parse(context.bytes(fields.properties))
    views[place].path = properties?["path"]?.string
  }

  private func judge(
    _ leave: LeaveFields, _ fields: MessageFields, _ sighting: Sighting, _ record: Record,
    _ context: JudgeContext
  ) {
    let id = context.text(fields.messageId)
    func report(_ cause: String, _ message: String) {
      self.report(cause, at: record, context, "The $pageleave \(id) " + message)
    }
    if sighting.expected < 0 {
      return report(
        "a view is left that did not end", "at \(context.text(fields.timestamp)) fits no view.")
    }
    let place = place(of: leave.pageview, context)
    let time = Timestamps.milliseconds(context.bytes(fields.timestamp)) ?? 0
    if let path = views[place].path {
      antecedent()
      if !sameBytes(path, leave.path) {
        report("path of another view", "has the path \(leave.path), its screen \(path).")
      }
    }
    // By time: what another process has kept may come first.
    if let final = views[place].final, leave.isFinal || time > final.time,
      !bytesEqual(context.bytes(final.id), context.bytes(fields.messageId))
    {
      report("a leave after the final one", "follows the final one, \(context.text(final.id)).")
    }
    if leave.isFinal {
      if let last = views[place].pauses.max(), last > time {
        report("a leave after the final one", "is final, but another one follows it.")
      }
      views[place].final = (fields.messageId, time)
      return
    }
    if views[place].pauses.contains(time) {
      report("two leaves for one background entry", "is the second one of its instant.")
    }
    views[place].pauses.append(time)
    let process = context.model.messages[Int(sighting.expected)].process
    let isTrue = entries.contains { $0.process == process && abs($0.milliseconds - time) <= 1 }
    if !isTrue {
      report("a leave without a background entry", "is not final, but nobody left the app then.")
    }
  }
}
