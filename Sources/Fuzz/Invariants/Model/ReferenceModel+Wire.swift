import FuzzHistory
import SimKernel

/// What requests and answers say of the messages.
extension ReferenceModel {
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
        if messages[Int(sighting.expected)].crash != nil {
          sighting.crashDeviation = sighting.deviation.subtracting(.consent)
          sighting.deviation = sighting.deviation.intersection(.consent)
          if hasChangedMind(Int(sighting.expected)) { sighting.deviation = [] }
        }
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
    // So does the event of a crash, when its record was read.
    if messages[index].crash != nil { return }
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
    // What came with it may never have had room, nor a start flag to take along.
    for other in recentLosses where messages[Int(other.message)].startsSession {
      messages[Int(other.message)].mayBeEvicted = true
    }
    // The SDK had it in flight when the queue overflowed, so that another one had to go.
    let bound = processes[Int(record.process)].options.maxQueueSize
    guard queue.count > bound, let request = queue.firstIndex(of: Int32(index)) else { return }
    messages[Int(queue[request])].isInFlight = true
    let isLater: (Int32) -> Bool = { !self.messages[Int($0)].isInFlight }
    if let victim = queue.firstIndex(where: isLater) {
      let evicted = queue.remove(at: victim)
      lose(Int(evicted), .queueBound, record.instant)
      messages[Int(evicted)].isDoubtful = true
      // The newest one never had room, and what has none moves no session.
      if victim == queue.count, messages[Int(evicted)].isFromForeground {
        processes[Int(record.process)].sessionModel.doubtUse()
      }
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
}
