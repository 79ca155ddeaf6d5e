import FuzzHistory
import SimKernel

/// What `$pageleave` says of time, measured again on the true time of the run.
public final class INV44: Invariant {
  static let info = InvariantInfo(
    id: "INV-44",
    statement: "active_ms and total_ms equal true foreground and elapsed time within 1 ms.",
    kind: .safety,
    requirements: ["SCR-06", "SCR-07", "S-55"],
    antecedent: "A view is left of which a part was spent in the background.")

  /// The life of one process on the true time of the run.
  private struct Life {
    /// Its first call, and when it called `load`.
    var firstCall: (instant: Instant, continuous: Int64)?
    var loaded: Instant?
    /// Stays in the foreground; the last may go on.
    var stays: [(from: Instant, until: Instant?)] = []

    var isForeground: Bool { stays.last.map { $0.until == nil } ?? false }

    func foregroundTime(from start: Instant, to end: Instant) -> Int64 {
      stays.reduce(0) { sum, stay in
        let overlap = min(stay.until ?? end, end) - max(stay.from, start)
        return sum + max(0, overlap.nanoseconds)
      }
    }

    /// Whether the app came or went between two instants.
    func moved(from start: Instant, to end: Instant) -> Bool {
      stays.contains { stay in
        (stay.from > start && stay.from <= end)
          || stay.until.map { $0 > start && $0 <= end } ?? false
      }
    }
  }

  private var lives: [Life] = []
  /// The message of the model that began a view, by the view's id.
  private var screens = HashIndex()

  public init() { super.init(INV44.info, on: [.requestStarted, .phase, .callBegan]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    switch record.fact {
    case .phase(let phase): take(phase, record)
    case .callBegan(let call, _, _, _, let continuous):
      let place = place(record.process)
      if lives[place].firstCall == nil { lives[place].firstCall = (record.instant, continuous) }
      if case .load = context.history.calls[Int(call)], lives[place].loaded == nil {
        lives[place].loaded = record.instant
      }
    default:
      for sighting in context.model.sightings where sighting.isNewContent {
        take(sighting, record, context)
      }
    }
  }

  private func place(_ process: Int32) -> Int {
    while lives.count <= Int(process) { lives.append(Life()) }
    return Int(process)
  }

  private func take(_ phase: AppPhase, _ record: Record) {
    let place = place(record.process)
    switch phase {
    case .inactive, .active:
      if !lives[place].isForeground { lives[place].stays.append((record.instant, nil)) }
    case .background, .suspended:
      if lives[place].isForeground {
        lives[place].stays[lives[place].stays.count - 1].until = record.instant
      }
    case .resumed: break
    }
  }

  private func take(_ sighting: Sighting, _ record: Record, _ context: JudgeContext) {
    guard sighting.expected >= 0 else { return }
    let fields = context.ledger.messages[sighting.wire].fields
    if context.bytes(fields.type).elementsEqual("screen".utf8) {
      let id = MessageScan.pageviewIdentifier(of: fields.properties, in: context.arena)
      screens[hashIdentifier(context.bytes(id))] = sighting.expected
    } else if let leave = LeaveFields(fields, in: context.arena) {
      judge(leave, fields, record, context)
    }
  }

  private func judge(
    _ leave: LeaveFields, _ fields: MessageFields, _ record: Record, _ context: JudgeContext
  ) {
    let screen = screens[hashIdentifier(context.bytes(leave.pageview))]
    guard screen >= 0, let time = Timestamps.milliseconds(context.bytes(fields.timestamp)) else {
      return
    }
    let message = context.model.messages[Int(screen)]
    let life = lives[place(message.process)]
    guard let end = instant(of: time, life, message.process, context) else { return }
    let start = message.callInstant
    let total = max(0, (end - start).nanoseconds)
    let active = life.foregroundTime(from: start, to: end)
    if active < total - 1_000_000 { antecedent() }
    let id = context.text(fields.messageId)
    guard let activeSent = leave.activeMilliseconds, let totalSent = leave.totalMilliseconds else {
      return report(
        "no whole milliseconds", at: record, context,
        "The $pageleave \(id) was sent with \(context.text(fields.properties)).")
    }
    if activeSent < 0 || activeSent > totalSent {
      report(
        "active_ms above total_ms", at: record, context,
        "The $pageleave \(id) says \(activeSent) ms of \(totalSent) ms.")
    }
    if !INV44.isWithin(totalSent, total) {
      report(
        "total_ms is wrong", at: record, context,
        "The $pageleave \(id) says \(totalSent) ms in all; it was \(total / 1_000_000) ms.")
    }
    // Nobody tells the SDK of the app's life before it is loaded.
    if let loaded = life.loaded, start < loaded, life.moved(from: start, to: loaded) { return }
    if !INV44.isWithin(activeSent, active) {
      report(
        "active_ms is wrong", at: record, context,
        "The $pageleave \(id) says \(activeSent) ms in the foreground; it was"
          + " \(active / 1_000_000) ms of \(total / 1_000_000) ms.")
    }
  }

  private static func isWithin(_ milliseconds: Int64, _ nanoseconds: Int64) -> Bool {
    let (sent, isHuge) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    return !isHuge && abs(sent - nanoseconds) <= 1_000_000
  }

  /// The true instant of a timestamp, which counts from the first call.
  private func instant(
    of milliseconds: Int64, _ life: Life, _ process: Int32, _ context: JudgeContext
  ) -> Instant? {
    guard let first = life.firstCall,
      let anchored = context.model.anchoredTime(process, continuous: first.continuous)
    else { return nil }
    return first.instant + TimeSpan(nanoseconds: milliseconds * 1_000_000 - anchored)
  }
}
