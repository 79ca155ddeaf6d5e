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
    /// What the clock of hand-offs and the troubles of the disk showed when it was heard.
    var heardRunning: TimeSpan
    var troubles: Int
    /// What the world had damaged when the process was launched, and how often the queue was wiped.
    var damages: Int
    var wipes: Int
    /// The disk failed since: the next change, or a timer, tries again (S-37).
    var isDelayed = false
    /// The process that heard it had the time to take the message off the disk.
    var hadTime = false
    /// The removal had to be durable when a process ended (A-02).
    var isDurable = false
    /// The newest process that failed to read a file with the removal.
    var unreadBy: Int32 = -1
    /// A process that was launched since then may read it from the journal.
    var mayComeBack: Bool
  }

  private var settled: [Settled] = []
  private var index = HashIndex()
  private var hasNews = false
  /// What was settled since the last batch request, and may not be off the disk yet.
  private var unsaved: [Int] = []
  private var damagesAtLaunch = 0

  public init() {
    super.init(
      INV07.info,
      on: [
        .requestStarted, .exchangeEnded, .launched, .ended, .disk, .fileContent, .fileDamaged,
        .powerLost,
      ])
  }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    switch record.fact {
    case .exchangeEnded(let number, _, _, _, _): settle(record, number, context)
    case .launched: launch(context)
    case .disk: noteUnread(record, context)
    // What the world takes from the journal between the launch and its reading counts as well.
    case .fileContent(let path, _), .fileDamaged(let path, _):
      if context.disk.isQueue(path), context.model.hasToLoadQueue { readmit(context) }
    case .ended(let cause):
      noteTime(record, context, isNextRequest: false)
      noteDurable(record, context)
      if cause == .powerLoss { losePower() }
    case .powerLost: losePower()
    case .requestStarted(let number, _, _, _, _, _, _, _, _, _, _):
      let exchange = context.ledger[number]
      guard exchange.isBatch else { return }
      if hasNews {
        antecedent()
        hasNews = false
      }
      check(exchange, number, record, context)
      noteTime(record, context, isNextRequest: true)
    default: break
    }
  }

  /// What no barrier had to cover may be gone with the power.
  private func losePower() {
    for place in settled.indices where !settled[place].isDurable {
      settled[place].hadTime = false
    }
  }

  /// Removals that had to be durable by the end of a process outlast a power loss.
  private func noteDurable(_ record: Record, _ context: JudgeContext) {
    if context.disk.lastWriteFailure?.process == record.process { return }
    if context.disk.lastReadFailure?.process == record.process { return }
    let now = handOffTime(record, context)
    for place in settled.indices
    where settled[place].hadTime && settled[place].process == record.process {
      var written = settled[place].heardRunning.nanoseconds
      if settled[place].isDelayed { written += ReferenceModel.barrierBound }
      settled[place].isDurable = context.model.mustBeDurable(
        record.process, writtenAt: written, now: now.nanoseconds)
    }
  }

  private func settle(_ record: Record, _ number: UInt32, _ context: JudgeContext) {
    let exchange = context.ledger[number]
    guard exchange.isBatch, let answer = exchange.received else { return }
    switch context.ledger.verdict(answer, messageCount: exchange.slots.count) {
    case .accepted, .final: break
    case .split, .rateLimited, .kept: return
    }
    hasNews = true
    for slot in exchange.slots {
      let key = self.key(context.ledger.slots[slot].message, context)
      let entry = Settled(
        process: exchange.process, status: answer.status, exchange: number,
        heardRunning: handOffTime(record, context), troubles: context.disk.journalTroubles,
        damages: damagesAtLaunch, wipes: context.disk.wipes, mayComeBack: false)
      var place = Int(index[key])
      if place >= 0 {
        settled[place] = entry
      } else {
        place = settled.count
        index[key] = Int32(place)
        settled.append(entry)
      }
      unsaved.append(place)
    }
  }

  /// What was settled leaves the disk like what is new comes to it, within a second of running time
  /// (A-02), and before the next batch (B29: progress is saved after each). Where the disk failed
  /// meanwhile it is the time of a barrier that counts; what a power loss took back is excused.
  private func noteTime(_ record: Record, _ context: JudgeContext, isNextRequest: Bool) {
    guard !unsaved.isEmpty else { return }
    let now = handOffTime(record, context)
    let bound = TimeSpan(nanoseconds: context.model.slack)
    let delayedBound = bound + TimeSpan(nanoseconds: ReferenceModel.barrierBound)
    let troubles = context.disk.journalTroubles
    for place in unsaved {
      if settled[place].troubles != troubles {
        settled[place].troubles = troubles
        settled[place].heardRunning = now
        settled[place].isDelayed = true
      }
      let waited = now - settled[place].heardRunning
      settled[place].hadTime =
        settled[place].isDelayed ? waited > delayedBound : isNextRequest || waited > bound
    }
    unsaved.removeAll { settled[$0].hadTime }
  }

  /// Running time without what the world itself holds back (A-29).
  private func handOffTime(_ record: Record, _ context: JudgeContext) -> TimeSpan {
    context.processes.undisturbedTime(
      record.process, at: record.instant, longestHandOff: context.header.longestHandOff)
  }

  /// What the journal still holds at a launch, its removal lost, may lawfully come again.
  private func launch(_ context: JudgeContext) {
    unsaved.removeAll(keepingCapacity: true)
    damagesAtLaunch = context.disk.journalDamages
    for place in settled.indices { settled[place].mayComeBack = false }
    readmit(context)
  }

  private func readmit(_ context: JudgeContext) {
    guard !settled.isEmpty else { return }
    for record in context.disk.records.indices where context.disk.isLive(record) {
      let place = Int(index[key(of: context.disk.records[record], context)])
      guard place >= 0 else { continue }
      // What the world damaged since that launch may have held the removal, and the wipe of a
      // revoke takes removals also where a file is left that may not be removed (C-16).
      let isLost =
        settled[place].damages != context.disk.journalDamages
        || settled[place].wipes != context.disk.wipes
      if isLost || !settled[place].hadTime { settled[place].mayComeBack = true }
    }
  }

  /// Where a removal stands in a file that cannot be read now, nobody knows of it, and a file that
  /// cannot be read holds up nothing else (B06, B07).
  private func noteUnread(_ record: Record, _ context: JudgeContext) {
    for unread in context.disk.unreadRemovals {
      let place = Int(index[key(of: context.disk.records[unread], context)])
      if place >= 0 { settled[place].unreadBy = record.process }
    }
  }

  private func check(
    _ exchange: Exchange, _ number: UInt32, _ record: Record, _ context: JudgeContext
  ) {
    for slot in exchange.slots {
      let message = context.ledger.slots[slot].message
      let place = Int(index[key(message, context)])
      guard place >= 0 else { continue }
      let before = settled[place]
      let isSame = before.process == exchange.process
      // Repeated by a later process where a mark was lost: that is what their ids are for.
      if !isSame,
        before.mayComeBack || isRepeatable(message, context)
          || isUnread(place, exchange.process, key(message, context), context)
      {
        continue
      }
      let id = context.text(context.ledger.messages[message].fields.messageId)
      let kind = before.status < 300 ? "accepted" : "refused for good"
      report(
        "a message that was \(kind) is sent again by \(isSame ? "the same" : "a later") process",
        at: record, context,
        "Batch request \(number) carries message \(id), which request \(before.exchange) had seen"
          + " \(kind) with status \(before.status)"
          + (isSame
            ? "."
            : "; the process that heard of it could have written the removal, or had done so."))
    }
  }

  private func isRepeatable(_ message: Int, _ context: JudgeContext) -> Bool {
    let expected = Int(context.model.expected(ofWire: message))
    return expected >= 0 && context.model.messages[expected].isToldByName
  }

  /// Whether a process failed to read the removal, and has not read it anywhere since.
  private func isUnread(
    _ place: Int, _ process: Int32, _ wanted: UInt64, _ context: JudgeContext
  ) -> Bool {
    guard settled[place].unreadBy == process else { return false }
    return !context.disk.records.indices.contains { index in
      key(of: context.disk.records[index], context) == wanted
        && context.disk.isRemovalShown(index, to: process)
    }
  }

  private func key(_ message: Int, _ context: JudgeContext) -> UInt64 {
    let message = context.ledger.messages[message]
    let time = Timestamps.milliseconds(context.bytes(message.fields.timestamp)) ?? 0
    return key(message.identifierHash, milliseconds: time)
  }

  /// The time in a record is that of the message only where no call has another one.
  private func key(of stored: JournalRecord, _ context: JudgeContext) -> UInt64 {
    let time =
      stored.expected >= 0
      ? context.model.messages[Int(stored.expected)].timestampMilliseconds : stored.time
    return key(stored.identifierHash, milliseconds: time)
  }

  private func key(_ identifierHash: UInt64, milliseconds: Int64) -> UInt64 {
    mixBits(identifierHash ^ UInt64(bitPattern: milliseconds) &* 0x9e37_79b9_7f4a_7c15)
  }
}
