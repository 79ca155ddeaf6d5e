import FuzzHistory
import SimKernel

/// The queue by the requirements: size, duplicates, bound, revoke, age, process ends.
extension ReferenceModel {
  /// The clock for bounds on hand-offs, in nanoseconds.
  func running(_ record: Record, _ context: JudgeContext) -> Int64 {
    context.processes.undisturbedTime(
      queueProcess, at: record.instant, longestHandOff: history.header.longestHandOff
    ).nanoseconds
  }

  /// The undisturbed running time of a process, also at its end.
  func running(_ process: Int32, _ record: Record, _ context: JudgeContext) -> Int64 {
    context.processes.undisturbedTime(
      process, at: record.instant, longestHandOff: history.header.longestHandOff
    ).nanoseconds
  }

  /// Seals a message and puts it into the queue, or drops it for a reason.
  /// - Parameter due: what a `$first_open` is made of: it has ids of its own.
  func enqueue(
    _ index: Int, _ process: Int, _ record: Record, _ context: JudgeContext, _ due: DueOpen? = nil
  ) {
    messages[index].analytics = processes[process].analytics
    messages[index].marketing = processes[process].marketing
    messages[index].consentEpoch = processes[process].consentEpoch
    messages[index].isUnderStoredDecision = processes[process].isUnderStoredDecision
    messages[index].enqueuedInstant = record.instant
    messages[index].takenInstant = max(
      record.instant, context.processes[Int32(process)].busyUntil)
    messages[index].enqueuedRunning = running(record, context)
    let isOfSession = seal(index, process, due)
    write(index, process: process)
    if messages[index].hasIdentifier, messages[index].identifierHole >= 0,
      messages[index].identifier.count == 36
    {
      fill(messages[index].identifierHole, with: arena.slice(messages[index].identifier))
    }
    if messages[index].bytes.count > ReferenceModel.largestMessage {
      lose(index, .tooLarge, record.instant)
      return
    }
    unjournaled.append(Int32(index))
    if isDuplicate(index, context) {
      lose(index, .duplicateInQueue, record.instant)
      dropOnArrival(index, process)
      return
    }
    guard makeRoom(for: index, process, record, context) else { return }
    if isOfSession { noteQueued(index, process) }
    messages[index].place = .queued
    queue.append(Int32(index))
    noteFullness(process)
  }

  /// A full queue has no room for a `$first_open` while all of it is in flight (S-17).
  func noteFullness(_ process: Int) {
    guard processes[process].lifecycle.due != nil,
      queue.count >= processes[process].options.maxQueueSize
    else { return }
    processes[process].lifecycle.due?.mayLackRoom = true
  }

  /// Seals ids and session of a message.
  /// - Returns: whether it belongs to the present session.
  private func seal(_ index: Int, _ process: Int, _ due: DueOpen?) -> Bool {
    let leave = leave(of: messages[index])
    if let leave {
      // It never begins a session: a view is left where it was shown.
      messages[index].isFromForeground = leave.isFromForeground
      messages[index].sessionOrigin = processes[process].sessionModel.origin
      messages[index].flagMessage = processes[process].sessionModel.flagMessage
    } else if due == nil {
      moveByMessage(index, process, messages[index].enqueuedRunning)
    }
    messages[index].anonymous = due?.anonymous ?? processes[process].anonymous
    messages[index].session = due?.session ?? processes[process].session
    messages[index].user = due?.user ?? processes[process].user
    if let leave, leave.session >= 0 {
      messages[index].session = leave.session
      return false
    }
    if messages[index].neverStartsSession { return false }
    // What is late, or of a session that is over, starts none.
    if let due, due.isLate || due.session != processes[process].session { return false }
    messages[index].flagMessage = processes[process].sessionModel.flagMessage
    messages[index].startsSession = !processes[process].sessionHasStart
    messages[index].startIsOpen = processes[process].startIsOpen
    return true
  }

  /// The message found no way into the queue. If the SDK saw room first, it had one, and a start
  /// flag that left with it.
  private func dropOnArrival(_ index: Int, _ process: Int) {
    recentLosses.append((Int32(index), messages[index].enqueuedRunning))
    if messages[index].startsSession { processes[process].startIsOpen = true }
    if messages[index].isFromForeground {
      processes[process].sessionModel.perhapsUse(messages[index].timestampMilliseconds)
    }
  }

  /// A message with the same caller's id waits in the queue (S-16).
  private func isDuplicate(_ index: Int, _ context: JudgeContext) -> Bool {
    if isRepeatedUpdate(index, context) || isRepeatedOpening(index) { return true }
    guard messages[index].hasCallersIdentifier, case .track(_, _, let id?) = call(of: index) else {
      return false
    }
    for other in queue where messages[Int(other)].hasCallersIdentifier {
      if case .track(_, _, let otherId?) = call(of: Int(other)), sameBytes(id, otherId) {
        return true
      }
    }
    return false
  }

  /// The same `$first_open`, from a file that could be read only later (S-114).
  private func isRepeatedOpening(_ index: Int) -> Bool {
    guard case .firstOpen = messages[index].cause else { return false }
    return queue.contains { other in
      if case .firstOpen = messages[Int(other)].cause {
        return messages[Int(other)].identifierHash == messages[index].identifierHash
          && messages[index].identifierHash != 0
      }
      return false
    }
  }

  /// The same update of the same visitor waits in the queue: its id is made of these (S-115).
  private func isRepeatedUpdate(_ index: Int, _ context: JudgeContext) -> Bool {
    guard let change = change(of: messages[index]) else { return false }
    let visitor = messages[index].anonymous
    return queue.contains { other in
      guard self.change(of: messages[Int(other)]) == change else { return false }
      if messages[Int(other)].anonymous == visitor { return true }
      return drawn[Int(visitor)].isKnown
        && drawn[Int(visitor)].bytes == visitorBytes(Int(other), context)
    }
  }

  /// The visitor of a message, where it was not met yet as its record on disk names it.
  private func visitorBytes(_ index: Int, _ context: JudgeContext) -> [UInt8] {
    let known = drawn[Int(messages[index].anonymous)].bytes
    if !known.isEmpty || messages[index].journalRecord < 0 { return known }
    let stored = try? JSONValue.parse(context.disk.messageBytes(messages[index].journalRecord))
    return stored?["anonymousId"]?.string.map { Array($0.utf8) } ?? []
  }

  /// Evicts the oldest message that is not in flight if the queue is full (S-17).
  /// - Returns: whether there is room for the new one.
  private func makeRoom(
    for index: Int, _ process: Int, _ record: Record, _ context: JudgeContext
  ) -> Bool {
    let bound = processes[process].options.maxQueueSize
    if queue.count + doubtfulCount >= bound, doubtfulCount > 0 { doubtOldest(doubtfulCount) }
    doubtForHidden(process, context)
    guard queue.count >= bound else { return true }
    loosenDue(process)
    if dropExpired(record, context) {
      // Whether an attempt has taken them out yet is open, and so is whether another one had to go.
      if let next = queue.first(where: { !messages[Int($0)].isInFlight }) {
        messages[Int(next)].mayBeEvicted = true
      } else {
        messages[index].mayBeEvicted = true
      }
    }
    guard queue.count >= bound else { return true }
    guard let victim = queue.firstIndex(where: { !messages[Int($0)].isInFlight }) else {
      lose(index, .queueBound, record.instant)
      dropOnArrival(index, process)
      return false
    }
    let evicted = queue.remove(at: victim)
    lose(Int(evicted), .queueBound, record.instant)
    recentLosses.append((evicted, messages[index].enqueuedRunning))
    // With what is hidden in the queue the SDK is one ahead: the next in line may be gone too.
    doubtForHidden(process, context)
    return true
  }

  /// The queue may be fuller than the model believes: the oldest ones may have been evicted.
  func doubtOldest(_ count: Int) {
    var left = count
    for other in queue where left > 0 && !messages[Int(other)].isInFlight {
      messages[Int(other)].mayBeEvicted = true
      left -= 1
    }
  }

  func lose(_ index: Int, _ reason: LossReason, _ instant: Instant) {
    messages[index].loss = reason
    messages[index].lossInstant = instant
    messages[index].lossProcess = queueProcess
    messages[index].place = .gone
    messages[index].isInFlight = false
  }

  /// The message is there after all.
  func takeBack(_ index: Int) {
    messages[index].formerLoss = messages[index].loss ?? messages[index].formerLoss
    messages[index].loss = nil
    // A death before the decision is durable undoes the revoke (S-42).
    if openings.newest == Int32(index) { openings.isMade = true }
  }

  /// Takes a message out of the queue without a loss.
  func settle(_ index: Int) {
    messages[index].place = .gone
    messages[index].isInFlight = false
    messages[index].isSettled = true
    if let place = queue.firstIndex(of: Int32(index)) { queue.remove(at: place) }
  }

  /// `consent(analytics: false)`: everything unsent that was made under consent goes, a running
  /// request may end (C-16, S-01). What was made without consent stays in memory.
  func revoke(_ record: Record, _ context: JudgeContext) {
    dropCrashes()
    let now = running(record, context)
    let all = dormant + queue
    dormant.removeAll()
    queue.removeAll(keepingCapacity: true)
    for item in all {
      let index = Int(item)
      if messages[index].analytics {
        lose(index, .consentRevoked, record.instant)
        messages[index].enqueuedRunning = now
        recentLosses.append((item, now))
      } else {
        messages[index].readBackProcess = messages[index].journalRecord >= 0 ? record.process : -1
        messages[index].place = .queued
        queue.append(item)
      }
    }
  }
}
