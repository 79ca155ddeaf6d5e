import FuzzHistory
import SimKernel

/// What the disk says of the messages.
extension ReferenceModel {
  func takeDisk(
    _ operation: DiskOperation, _ outcome: DiskOutcome, _ path: ByteSlice, _ record: Record,
    _ context: JudgeContext
  ) {
    tieNewRecords(record, context)
    noteTakenOff(operation, outcome, record, context)
    noteTrouble(context)
    if operation == .remove, context.disk.isSession(path) { storedSession = .open }
    if operation != .read { return }
    if context.disk.isInstall(path) { readInstall(outcome, record, context) }
    if context.disk.isSession(path) { readSession(outcome, record, context) }
    if context.disk.isDecision(path) {
      readDecision(outcome, record, context)
      readOpened(outcome, record, context)
    }
  }

  /// A message leaves the disk when it has left the queue. A file that cannot be read now is no
  /// reason: it is kept, and what is in it goes once it can be read (B06).
  private func noteTakenOff(
    _ operation: DiskOperation, _ outcome: DiskOutcome, _ record: Record, _ context: JudgeContext
  ) {
    if !context.disk.takenOff.isEmpty, queueProcess == record.process {
      doubtForHidden(Int(record.process), context)
    }
    for index in context.disk.takenOff {
      let found = context.disk.records[index]
      let item = Int(found.expected)
      if found.isHalfWritten, found.process == record.process { continue }
      guard item >= 0, messages[item].journalRecord == index, isDue(item, record, context) else {
        continue
      }
      // A file that could not be read at the launch held the event of a crash already: of its two
      // records one goes.
      if let other = otherRecord(of: item, than: index, context) {
        messages[item].journalRecord = other
        continue
      }
      takenOff.append(Int32(item))
      if operation != .remove || outcome == .done || outcome == .diedAfter {
        messages[item].isTakenOff = true
      }
    }
  }

  /// The newest other record of a message that is still there to be read.
  private func otherRecord(of item: Int, than index: Int, _ context: JudgeContext) -> Int? {
    guard messages[item].crash != nil else { return nil }
    return context.disk.records.indices.last {
      $0 != index && Int(context.disk.records[$0].expected) == item && context.disk.isLive($0)
        && !context.disk.records[$0].wasDamaged
    }
  }

  /// The running process may not know of the messages in a file that is damaged or not readable.
  /// - Returns: those messages.
  @discardableResult
  private func noteTrouble(_ context: JudgeContext) -> [Int] {
    let items = context.disk.troubled.map { Int(context.disk.records[$0].expected) }
      .filter { $0 >= 0 }
    for item in items { messages[item].troubledProcess = context.processes.current }
    return items
  }

  /// Whether a message has to be sent yet, by any reading of what happened so far.
  private func isDue(_ index: Int, _ record: Record, _ context: JudgeContext) -> Bool {
    let message = messages[index]
    switch message.place {
    case .queued, .dormant, .stored: break
    case .held, .gone: return false
    }
    if message.loss != nil || message.isSettled || message.isDelivered { return false }
    if message.mayBeEvicted || message.isDoubtful || message.isReadAtRevoke { return false }
    if message.wasInDamagedFile || isDoomed(index, record) { return false }
    // Of two stored messages with one id the later one goes when they are loaded (S-16).
    if sharesIdentifier(index) { return false }
    return age(index, record, context) + slack <= ReferenceModel.largestAge
  }

  /// A decline wipes what earlier processes left before anything else is done, and so may a late
  /// withdrawal of a process that knew no decision.
  private func isDoomed(_ index: Int, _ record: Record) -> Bool {
    guard messages[index].place == .stored else { return false }
    let process = Int(record.process)
    if mayBeWiped || process < 0 || process >= processes.count { return true }
    return processes[process].hasToLoadQueue && decisionAtLaunch(process)?.analytics == false
  }

  /// Whether another call has the id of a message.
  func sharesIdentifier(_ index: Int) -> Bool {
    messages[index].previousSameIdentifier >= 0
      || byIdentifier[messages[index].identifierHash] != Int32(index)
  }

  /// Finds the messages of the records that the newest fact brought.
  func tieNewRecords(_ record: Record, _ context: JudgeContext) {
    for index in context.disk.newRecords {
      tie(index, record, context)
      let expected = Int(context.disk.records[index].expected)
      if expected >= 0, queueProcess >= 0 {
        messages[expected].appendedRunning =
          context.processes.undisturbedTime(
            queueProcess, at: context.disk.records[index].appended,
            longestHandOff: history.header.longestHandOff
          ).nanoseconds
        // It was on its way to the disk when the revoke was called, and is brought back with it.
        if !processes[Int(queueProcess)].analytics {
          messages[expected].readBackProcess = queueProcess
        }
      }
    }
  }

  func takeDamage(_ path: ByteSlice, _ context: JudgeContext) {
    for item in noteTrouble(context) { messages[item].wasInDamagedFile = true }
    if context.disk.isInstall(path) {
      storedIdentity = .open
      hasDamagedIdentity = true
      openings.isExcused = true
      openings.pendingMilliseconds = nil
    }
    if context.disk.isSession(path) {
      storedSession = .open
      hasDamagedSession = true
    }
    if context.disk.isDecisionOrSpare(path) { hasDamagedSpare = true }
    if context.disk.isDecision(path) {
      storedDecision = .open
      hasDamagedDecision = true
      openings.isExcused = true
    }
  }

  /// Finds the message that a new record of the journal belongs to.
  private func tie(_ index: Int, _ record: Record, _ context: JudgeContext) {
    let found = context.disk.records[index]
    if found.expected >= 0 {
      messages[Int(found.expected)].journalRecord = index
      return
    }
    if found.type == MessageType.track.rawValue, queueProcess >= 0,
      processes[Int(queueProcess)].lifecycle.due != nil
    {
      let made = Array(context.disk.messageBytes(index)).withUnsafeBytes { bytes in
        isOwedFirstOpen(bytes, queueProcess) ? makeFirstOpen(bytes, record, context) : -1
      }
      if made >= 0, let place = unjournaled.lastIndex(of: made) {
        bindRecord(index, toUnjournaled: place, context)
        return
      }
    }
    if found.type == MessageType.track.rawValue, !crashes.isEmpty {
      let made = Array(context.disk.messageBytes(index)).withUnsafeBytes {
        makeCrash($0, record, context)
      }
      if let made {
        if let place = unjournaled.lastIndex(of: made) {
          bindRecord(index, toUnjournaled: place, context)
        } else if messages[Int(made)].loss == nil {
          // An append that failed had brought it to the disk before.
          context.disk.bind(index, to: made)
          messages[Int(made)].journalRecord = index
        }
        return
      }
    }
    guard let place = placeOfMessage(for: found, index, context) else { return }
    bindRecord(index, toUnjournaled: place, context)
  }

  private func bindRecord(_ index: Int, toUnjournaled place: Int, _ context: JudgeContext) {
    let found = context.disk.records[index]
    let expected = Int(unjournaled.remove(at: place))
    context.disk.bind(index, to: Int32(expected))
    messages[expected].journalRecord = index
    if !messages[expected].hasIdentifier, messages[expected].identifierHash == 0 {
      messages[expected].identifierHash = found.identifierHash
      messages[expected].previousSameIdentifier = byIdentifier[found.identifierHash]
      byIdentifier[found.identifierHash] = Int32(expected)
    }
  }

  /// By id, else by type and time, else the first of the type; where that fits several, the one
  /// with the content, then one that was not lost.
  private func placeOfMessage(
    for found: JournalRecord, _ index: Int, _ context: JudgeContext
  ) -> Int? {
    var byType: Int?
    var fitting: [Int] = []
    for place in unjournaled.indices {
      let message = messages[Int(unjournaled[place])]
      if message.hasIdentifier {
        if message.identifierHash == found.identifierHash { fitting.append(place) }
        continue
      }
      guard message.type.rawValue == found.type else { continue }
      // What the SDK makes by itself has a reserved name.
      if message.hasReservedName, !isReserved(index, context) { continue }
      if message.timestampMilliseconds == found.time { fitting.append(place) }
      if byType == nil { byType = place }
    }
    // Of twins the one with the consent that the record tells.
    let isAllowed = found.flags & 1 != 0
    let alike = fitting.filter { messages[Int(unjournaled[$0])].analytics == isAllowed }
    if !alike.isEmpty { fitting = alike }
    if fitting.count > 1 {
      // What was lost before it came to the disk is the less likely one.
      let likely = fitting.filter { messages[Int(unjournaled[$0])].loss == nil }
      return placeOfSameContent(likely, index, context)
        ?? placeOfSameContent(fitting, index, context) ?? likely.first ?? fitting.first
    }
    return fitting.first ?? byType
  }

  private func isReserved(_ index: Int, _ context: JudgeContext) -> Bool {
    Array(context.disk.messageBytes(index)).withUnsafeBytes { bytes in
      let event = MessageScan.fields(of: 0..<bytes.count, in: bytes).event
      return bytes.slice(event).first == 0x24
    }
  }

  private func placeOfSameContent(
    _ places: [Int], _ index: Int, _ context: JudgeContext
  ) -> Int? {
    Array(context.disk.messageBytes(index)).withUnsafeBytes { bytes in
      let fields = MessageScan.fields(of: 0..<bytes.count, in: bytes)
      return places.first { content(Int(unjournaled[$0]), is: fields, in: bytes) == .same }
    }
  }

  /// The process has read who it is.
  private func readInstall(_ outcome: DiskOutcome, _ record: Record, _ context: JudgeContext) {
    let process = Int(record.process)
    guard process >= 0, process < processes.count, processes[process].stage != .started else {
      return
    }
    processes[process].lifecycle.read = nil
    guard outcome == .done else {
      processes[process].installIsUncertain = outcome != .notFound
      processes[process].installAnonymousId = nil
      processes[process].installUserId = nil
      return
    }
    processes[process].installIsUncertain = false
    guard let content = context.disk.installContent,
      let value = try? JSONValue.parse(content), value["version"]?.integer == 1,
      let anonymousId = value["anonymousId"]?.string,
      Array(anonymousId.utf8).withUnsafeBytes({ UUIDText.isRandom($0) }),
      value["userId"].map({ !($0.string ?? "").isEmpty }) ?? true, let marks = ReadMarks(value)
    else {
      processes[process].installAnonymousId = nil
      processes[process].installUserId = nil
      return
    }
    processes[process].lifecycle.read = marks
    processes[process].installAnonymousId = Array(anonymousId.utf8)
    processes[process].installUserId = value["userId"]?.string
  }
}
