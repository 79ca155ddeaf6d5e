import FuzzHistory
import SimKernel

/// What requests and answers say of the messages.
extension ReferenceModel {
  // MARK: Requests

  func takeRequest(_ exchange: UInt32, _ record: Record, _ context: JudgeContext) {
    sightings.removeAll(keepingCapacity: true)
    let request = context.ledger[exchange]
    guard request.isBatch else { return }
    while expectedOfWire.count < context.ledger.messages.count {
      expectedOfWire.append(-2)
      wireDeviations.append([])
    }
    pruneRecentLosses(record, context)
    for slot in request.slots { see(slot, exchange, record, context) }
    if queueProcess == record.process { _ = dropExpired(record, context) }
  }

  private func see(_ slot: Int, _ exchange: UInt32, _ record: Record, _ context: JudgeContext) {
    let wire = context.ledger.slots[slot].message
    var sighting = Sighting(
      slot: slot, wire: wire, expected: expectedOfWire[wire], isFirst: false,
      isNewContent: false, isRenamed: false, deviation: [], contradictedLoss: nil, overtakenBy: -1,
      age: 0)
    if sighting.expected == -2 {
      sighting.isNewContent = true
      sighting.expected = find(wire, record, context)
      expectedOfWire[wire] = sighting.expected
      if sighting.expected >= 0 {
        sighting.deviation = compare(Int(sighting.expected), wire, record, context)
        wireDeviations[wire] = sighting.deviation
      } else {
        sighting.isRenamed = isRenamed(wire, exchange, context)
      }
    }
    if sighting.expected >= 0 { note(&sighting, exchange, record, context) }
    sightings.append(sighting)
  }

  private func note(
    _ sighting: inout Sighting, _ exchange: UInt32, _ record: Record, _ context: JudgeContext
  ) {
    let index = Int(sighting.expected)
    sighting.isFirst = !messages[index].isSighted
    sighting.age = age(index, record, context)
    noteAttempt(index)
    if sighting.isFirst {
      messages[index].firstExchange = Int64(exchange)
      if !messages[index].cameBack { noteOrder(&sighting, record) }
    }
    if let loss = messages[index].loss { revive(index, loss, &sighting, record, context) }
    if messages[index].place == .queued { messages[index].isInFlight = true }
    messages[index].lastExchange = Int64(exchange)
  }

  /// First in, first out, also across processes (S-27, B45). A process that could not tell what was
  /// decided knows of no stored queue: what it sends is in order among itself alone (S-34).
  private func noteOrder(_ sighting: inout Sighting, _ record: Record) {
    let index = Int(sighting.expected)
    let sender = Int(record.process)
    guard sender >= 0, sender < processes.count else { return }
    if case .firstOpen = messages[index].cause {
      // It comes when its facts do, wherever that is among the calls.
      if messages[index].process == record.process { sightedFirstOpen = Int32(index) }
      return
    }
    if isOvertakenByFirstOpen(index) { sighting.overtakenBy = sightedFirstOpen }
    let isAlone = processes[sender].isMemoryOnly
    let newest = isAlone ? processes[sender].newestSighted : newestSighted
    if newest >= 0, isBefore(index, Int(newest)) {
      sighting.overtakenBy = newest
    } else if isAlone {
      processes[sender].newestSighted = sighting.expected
    } else {
      newestSighted = sighting.expected
    }
  }

  /// A message that the model had given up is sent: either the world's delays allow it, or it is a
  /// contradiction.
  private func revive(
    _ index: Int, _ loss: LossReason, _ sighting: inout Sighting, _ record: Record,
    _ context: JudgeContext
  ) {
    let isRecent = recentLosses.contains { $0.message == Int32(index) }
    let hasReadTrouble = context.disk.lastReadFailure?.process == record.process
    switch loss {
    case .queueBound, .duplicateInQueue, .consentRevoked:
      if isRecent || messages[index].isDoubtful || (hasReadTrouble && loss != .consentRevoked) {
        unlose(index, loss, record)
        return
      }
    case .fileFault, .diskFullThenDeath, .diedBeforeAppend, .powerLossUnsynced, .expired,
      .serverFinal:
      // It was there after all, or was sent again lawfully: its own invariant judges that.
      takeBack(index)
      if queueProcess == record.process, !messages[index].isSettled, !queue.contains(Int32(index)) {
        messages[index].place = .queued
        insertInOrder(index)
      }
      return
    default: break
    }
    sighting.contradictedLoss = loss
    takeBack(index)
  }

  /// Takes a loss back; another message has gone instead where the queue was full.
  private func unlose(_ index: Int, _ loss: LossReason, _ record: Record) {
    takeBack(index)
    messages[index].place = .queued
    if messages[index].isDoubtful {
      messages[index].isDoubtful = false
      if loss == .queueBound { doubtfulCount = max(0, doubtfulCount - 1) }
    }
    recentLosses.removeAll { $0.message == Int32(index) }
    if loss == .consentRevoked, isRevokedNow(index) {
      // The request was on its way before the revoke was carried out.
      lose(index, .consentRevoked, record.instant)
      return
    }
    guard queueProcess == record.process, !queue.contains(Int32(index)) else { return }
    insertInOrder(index)
    guard loss == .queueBound else { return }
    // The SDK had it in flight when the queue overflowed, so that another one had to go.
    let bound = processes[Int(record.process)].options.maxQueueSize
    guard queue.count > bound, let request = queue.firstIndex(of: Int32(index)) else { return }
    messages[Int(queue[request])].isInFlight = true
    let isLater: (Int32) -> Bool = { !self.messages[Int($0)].isInFlight }
    if let victim = queue.firstIndex(where: isLater) {
      let evicted = queue.remove(at: victim)
      lose(Int(evicted), .queueBound, record.instant)
      messages[Int(evicted)].isDoubtful = true
      recentLosses.append((evicted, 0))
    }
  }

  /// The revoke was one of this process: what it dropped does not come back into the queue.
  private func isRevokedNow(_ index: Int) -> Bool { messages[index].lossProcess == queueProcess }

  private func insertInOrder(_ index: Int) {
    var place = 0
    while place < queue.count, isBefore(Int(queue[place]), index) { place += 1 }
    queue.insert(Int32(index), at: place)
  }

  private func isBefore(_ left: Int, _ right: Int) -> Bool {
    messages[left].occurrence < messages[right].occurrence
  }

  private func pruneRecentLosses(_ record: Record, _ context: JudgeContext) {
    guard !recentLosses.isEmpty, queueProcess == record.process else { return }
    let now = running(record, context)
    recentLosses.removeAll { now - $0.running > slack && !messages[Int($0.message)].isDoubtful }
  }

  // MARK: Which call a message belongs to

  private func find(_ wire: Int, _ record: Record, _ context: JudgeContext) -> Int32 {
    let message = context.ledger.messages[wire]
    let owed = findFirstOpen(message, record, context)
    if owed >= 0 { return owed }
    var best: Int32 = -1
    var bestRank = -1
    var candidate = byIdentifier[message.identifierHash]
    while candidate >= 0 {
      let index = Int(candidate)
      if isSameIdentifier(index, message) {
        let rank = rank(index, message)
        if rank > bestRank || (rank == bestRank && isBetter(index, than: Int(best))) {
          best = candidate
          bestRank = rank
        }
      }
      candidate = messages[index].previousSameIdentifier
    }
    if best >= 0 { return best }
    return findByContent(message, record)
  }

  /// The `$first_open` that is owed, unless the message is one that waits in the queue already.
  private func findFirstOpen(
    _ message: WireMessage, _ record: Record, _ context: JudgeContext
  ) -> Int32 {
    guard record.process == queueProcess, queueProcess >= 0,
      processes[Int(queueProcess)].lifecycle.due != nil, isFirstOpen(message.fields, in: arena)
    else { return -1 }
    var candidate = byIdentifier[message.identifierHash]
    while candidate >= 0 {
      if messages[Int(candidate)].place == .queued { return -1 }
      // It was thought lost, by a full queue perhaps: what still lies on disk is no new one.
      let stored = messages[Int(candidate)].journalRecord
      if stored >= 0, context.disk.isLive(stored) { return -1 }
      candidate = messages[Int(candidate)].previousSameIdentifier
    }
    return makeFirstOpen(arena.slice(message.bytes), record, context)
  }

  /// How well a call fits a message with its id: by time, then by content, then by whether it was
  /// to be sent at all. Only calls that share an id need to be told apart.
  private func rank(_ index: Int, _ message: WireMessage) -> Int {
    var rank = isTimestampEqual(index, message) && messages[index].place != .held ? 4 : 0
    let isAlone =
      messages[index].previousSameIdentifier < 0
      && byIdentifier[message.identifierHash] == Int32(index)
    if isAlone { return rank }
    if !messages[index].bytes.isEmpty, content(index, is: message.fields, in: arena) == .same {
      rank += 2
    }
    if messages[index].loss == nil { rank += 1 }
    return rank
  }

  private func isSameIdentifier(_ index: Int, _ message: WireMessage) -> Bool {
    if messages[index].identifier.count == 0 { return true }
    return bytesEqual(
      arena.slice(messages[index].identifier), arena.slice(message.fields.messageId))
      || messages[index].hasCallersIdentifier
  }

  /// Of two calls with one id the earlier one that was not sent yet, else the later one.
  private func isBetter(_ index: Int, than other: Int) -> Bool {
    if messages[index].isSighted != messages[other].isSighted { return !messages[index].isSighted }
    return messages[index].isSighted ? index > other : index < other
  }

  private func isTimestampEqual(_ index: Int, _ message: WireMessage) -> Bool {
    Timestamps.milliseconds(arena.slice(message.fields.timestamp))
      == messages[index].timestampMilliseconds
  }

  /// An id never seen: the first call of that type that was in no request yet and has the time and
  /// the content, else the time and the name, else the content, else the time.
  private func findByContent(_ message: WireMessage, _ record: Record) -> Int32 {
    guard let type = ReferenceModel.type(arena.slice(message.fields.type)) else { return -1 }
    let time = Timestamps.milliseconds(arena.slice(message.fields.timestamp))
    let isReserved = arena.slice(message.fields.event).first == 0x24
    var byName: Int32 = -1
    var byContent: Int32 = -1
    var byTime: Int32 = -1
    let list = Int(type.rawValue)
    var isHead = true
    var seen = 0
    for item in unsighted[list] {
      let index = Int(item)
      if messages[index].isSighted {
        if isHead { seen += 1 }
        continue
      }
      isHead = false
      if messages[index].process > record.process || messages[index].bytes.isEmpty { continue }
      let hasTime = messages[index].timestampMilliseconds == time
      // What the SDK makes by itself is told by name and time alone.
      if messages[index].isMadeBySDK != isReserved { continue }
      if isReserved, !hasTime, !messages[index].isToldByName { continue }
      if !hasTime, byContent >= 0 || byName >= 0 { continue }
      let match = content(index, is: message.fields, in: arena)
      if hasTime, match == .same {
        dropSighted(list, seen)
        return item
      }
      if hasTime, match == .name, byName < 0 { byName = item }
      if hasTime, byTime < 0, !isReserved { byTime = item }
      if match == .same, byContent < 0 { byContent = item }
    }
    dropSighted(list, seen)
    if byName >= 0 { return byName }
    return byContent >= 0 ? byContent : byTime
  }

  private func dropSighted(_ list: Int, _ count: Int) {
    if count > 16 { unsighted[list].removeFirst(count) }
  }

  static func type(_ word: UnsafeRawBufferPointer) -> MessageType? {
    let types: [MessageType] = [.track, .screen, .identify, .group, .alias]
    return types.first { type in
      bytesEqual(
        UnsafeRawBufferPointer(start: type.word.utf8Start, count: type.word.utf8CodeUnitCount),
        word)
    }
  }

  /// How far a message agrees with what a call must yield, ids and time aside.
  enum ContentMatch {
    case none
    case name
    case same
  }

  /// - Parameter bytes: what the fields are slices of.
  func content(
    _ index: Int, is fields: MessageFields, in bytes: UnsafeRawBufferPointer
  ) -> ContentMatch {
    if messages[index].pageviewHole >= 0 {
      // The id of the screen view is the message's own: it is taken over to compare the rest.
      let pageview = bytes.slice(MessageScan.pageviewIdentifier(of: fields.properties, in: bytes))
      if pageview.count == 36 { fill(messages[index].pageviewHole, with: pageview) }
    }
    let due = expectedFields(index)
    return buffer.bytes.withUnsafeBytes { expected in
      func same(_ left: ByteSlice, _ right: ByteSlice) -> Bool {
        bytesEqual(expected.slice(left), bytes.slice(right))
      }
      guard same(due.event, fields.event), same(due.name, fields.name),
        same(due.groupId, fields.groupId)
      else { return .none }
      let isAliasOfNobody = messages[index].previousHole >= 0
      guard same(due.userId, fields.userId), same(due.properties, fields.properties),
        isAliasOfNobody || same(due.previousId, fields.previousId),
        fields.traits.count == 0 || same(due.traits, fields.traits)
      else { return .name }
      return .same
    }
  }

  func expectedFields(_ index: Int) -> MessageFields {
    buffer.bytes.withUnsafeBytes { MessageScan.fields(of: messages[index].bytes, in: $0) }
  }

  /// Whether the process sent the same message under another id in the request before.
  private func isRenamed(_ wire: Int, _ exchange: UInt32, _ context: JudgeContext) -> Bool {
    let message = context.ledger.messages[wire]
    let id = message.fields.messageId
    guard id.count > 0 else { return false }
    let head = id.offset - message.bytes.offset
    let tail = message.bytes.count - head - id.count
    for other in context.ledger.slotsOfBatch(before: exchange) {
      let known = context.ledger.messages[context.ledger.slots[other].message]
      let knownId = known.fields.messageId
      guard knownId.offset - known.bytes.offset == head,
        known.bytes.count - head - knownId.count == tail
      else { continue }
      let sameHead = bytesEqual(
        arena.slice(ByteSlice(offset: message.bytes.offset, count: head)),
        arena.slice(ByteSlice(offset: known.bytes.offset, count: head)))
      let sameTail = bytesEqual(
        arena.slice(ByteSlice(offset: id.offset + id.count, count: tail)),
        arena.slice(ByteSlice(offset: knownId.offset + knownId.count, count: tail)))
      if sameHead, sameTail { return true }
    }
    return false
  }

  // MARK: Answers

  /// The server acted: what it accepted is stored, whether or not the app hears of it.
  func takeAnswer(_ exchange: UInt32, _ copy: UInt8, _ context: JudgeContext) {
    let request = context.ledger[exchange]
    guard request.isBatch, let answer = copy == 0 ? request.answers.0 : request.answers.1 else {
      return
    }
    guard context.ledger.verdict(answer, messageCount: request.slots.count) == .accepted else {
      return
    }
    let rejected = context.ledger.rejectedIdentifierHashes(answer.body)
    for slot in request.slots {
      let wire = context.ledger.slots[slot].message
      let expected = Int(self.expected(ofWire: wire))
      guard expected >= 0 else { continue }
      if rejected.contains(context.ledger.messages[wire].identifierHash) { continue }
      messages[expected].isDelivered = true
      messages[expected].acceptedArrivals += 1
    }
  }

  /// The app heard of the end of a request.
  func takeEnd(_ exchange: UInt32, _ record: Record, _ context: JudgeContext) {
    let request = context.ledger[exchange]
    if isConfig(exchange, record.process) {
      var body: UnsafeRawBufferPointer?
      // An answer after 3 s is none, also where the app slept through it (S-22).
      let wait = record.instant - request.start
      if let answer = request.received, (200..<300).contains(answer.status),
        wait <= ReferenceModel.configTimeout
      {
        body = arena.slice(answer.body)
      }
      startOrWait(record, body: body, context)
      return
    }
    guard request.isBatch, queueProcess == record.process else { return }
    let verdict = request.received.map {
      context.ledger.verdict($0, messageCount: request.slots.count)
    }
    var rejected: [UInt64] = []
    if verdict == .accepted, let body = request.received?.body {
      rejected = context.ledger.rejectedIdentifierHashes(body)
    }
    let before = queue.count
    for slot in request.slots {
      let wire = context.ledger.slots[slot].message
      let expected = Int(self.expected(ofWire: wire))
      guard expected >= 0 else { continue }
      end(expected, wire, verdict ?? .kept, rejected, record, context)
    }
    if queue.count < before { loosenRecentLosses(record, context) }
  }

  private func end(
    _ index: Int, _ wire: Int, _ verdict: BatchVerdict, _ rejected: [UInt64], _ record: Record,
    _ context: JudgeContext
  ) {
    switch verdict {
    case .accepted:
      if messages[index].loss == .consentRevoked { return }
      settle(index)
      if rejected.contains(context.ledger.messages[wire].identifierHash) {
        lose(index, .serverFinal, record.instant)
      }
    case .final:
      if messages[index].loss == .consentRevoked { return }
      settle(index)
      lose(index, .serverFinal, record.instant)
    case .split, .rateLimited, .kept: break
    }
  }

  /// Room came within one hand-off of an overflow: whether the SDK had to drop anything is open.
  private func loosenRecentLosses(_ record: Record, _ context: JudgeContext) {
    guard !recentLosses.isEmpty else { return }
    let now = running(record, context)
    recentLosses.removeAll { now - $0.running > slack && !messages[Int($0.message)].isDoubtful }
    for loss in recentLosses {
      let index = Int(loss.message)
      guard !messages[index].isDoubtful else { continue }
      messages[index].isDoubtful = true
      if messages[index].loss == .queueBound { doubtfulCount += 1 }
    }
  }

  // MARK: Age

  /// How long a message has been in the queue, by the clock that A-03 names, in nanoseconds.
  func age(_ index: Int, _ record: Record, _ context: JudgeContext) -> Int64 {
    let process = record.process >= 0 ? Int(record.process) : Int(messages[index].process)
    guard process < processes.count else { return 0 }
    let now = context.continuousNow(record)
    let stamp = messages[index].aging
    if stamp.boot == processes[process].boot { return max(0, now - stamp.continuous) }
    let anchored = processes[process].anchoredTime(continuous: now)
    return max(0, anchored - stamp.milliseconds * 1_000_000)
  }

  /// A message of another boot whose stamp cannot be true ages from its first load on.
  func putAgeRight(_ index: Int, _ record: Record, _ context: JudgeContext) {
    let process = Int(record.process)
    let stamp = messages[index].aging
    if stamp.boot == processes[process].boot { return }
    let now = context.continuousNow(record)
    let anchored = millisecondsFloor(processes[process].anchoredTime(continuous: now))
    if stamp.milliseconds >= ReferenceModel.releaseDate,
      stamp.milliseconds <= anchored + ReferenceModel.day
    {
      return
    }
    messages[index].aging = AgingStamp(
      milliseconds: anchored, boot: processes[process].boot, continuous: now)
  }

  /// Messages over 30 days leave before an attempt (S-24, S-25).
  /// - Returns: whether any has left.
  func dropExpired(_ record: Record, _ context: JudgeContext) -> Bool {
    var kept: [Int32] = []
    for item in queue {
      let index = Int(item)
      if isInRequest(index, record) || age(index, record, context) <= ReferenceModel.largestAge {
        kept.append(item)
      } else {
        lose(index, .expired, record.instant)
      }
    }
    let hasDropped = kept.count < queue.count
    if hasDropped { queue = kept }
    return hasDropped
  }

  /// Whether a record starts a request with this message.
  private func isInRequest(_ index: Int, _ record: Record) -> Bool {
    if case .requestStarted(let exchange, _, _, _, _, _, _, _, _, _, _) = record.fact {
      return messages[index].lastExchange == Int64(exchange)
    }
    return false
  }
}
