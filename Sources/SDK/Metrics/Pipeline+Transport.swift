extension Pipeline {
  /// Starts what the lane wants to start now, and sets its timer for what it wants later.
  func advance() {
    advertisingMember = nil
    while true {
      let step = lane.step(now: now, oldest: oldestSendable)
      if step.isStart, !isMemoryOnly {
        // Only in the last seconds before a suspension: it goes on after it.
        if !holdStorage() && !isMemoryOnly {
          return setLaneTimer(now + Self.storeDelayNanoseconds)
        }
        // What lay on disk is another process's now.
        if isMemoryOnly { continue }
      }
      switch step {
      case .busy: return setLaneTimer(nil)
      case .wait(let deadline): return setLaneTimer(deadline)
      case .rest:
        guard let deadline = flushDeadline else { return setLaneTimer(nil) }
        if deadline > now { return setLaneTimer(max(deadline, lane.earliestStart)) }
        trigger()
      case .resend(let list):
        // One that is too old leaves its place to the next: each is looked up in its turn.
        let batch = list.filter { messages.index(of: $0).map { prepare($0) } ?? false }
        if send(batch) { return setLaneTimer(nil) }
        lane.dropFirstKept()
      case .send(let limit):
        // A file that could not be read may say that some of these were delivered (INV-07).
        if store.journal.hasUnreadableSegment { loadUnreadable() }
        if send(nextBatch(upTo: limit)) { return setLaneTimer(nil) }
      }
    }
  }

  private var oldestSendable: UInt64? {
    (0..<messages.count).first { !messages[$0].isSetAside }.map { messages[$0].sequence }
  }

  /// When the interval ends for messages that no trigger covers (TRN-02).
  private var flushDeadline: Int64? {
    guard !messages.isEmpty else { return nil }
    var since = Int64.max
    // Covered messages that are set aside have their own instant; their queueing is long past.
    for sequence in [lane.coveredUpTo, max(lane.coveredUpTo, restUpTo)] {
      let index = messages.firstIndex(from: sequence + 1)
      if index < messages.count { since = min(since, messages[index].queuedAt) }
    }
    if let setAsideUntil, hasSetAside { since = min(since, setAsideUntil) }
    return since == .max ? nil : since + settings.flushIntervalNanoseconds
  }

  /// Takes the next messages that fit into one request: of one anchor, within count and size (A-03,
  /// S-09).
  private func nextBatch(upTo limit: UInt64) -> [UInt64] {
    var batch: [UInt64] = []
    var byteCount = BatchBody.envelopeByteCount
    var first: MessageRecord?
    var index = 0
    while index < messages.count, batch.count < lane.policy.mostMessages {
      let record = messages[index].record
      if record.sequence > limit { break }
      if let first, first.anchor != record.anchor || first.stamp.boot != record.stamp.boot {
        if messages[index].isSetAside {
          index += 1
          continue
        }
        break
      }
      let count = messages.count
      guard prepare(index) else {
        // Either it is gone, or it is passed over.
        if messages.count == count { index += 1 }
        continue
      }
      byteCount += messages[index].sentByteCount + advertisingMember(for: record).count + 1
      if byteCount - 1 > lane.policy.mostBytes, !batch.isEmpty { break }
      first = record
      batch.append(record.sequence)
      index += 1
    }
    return batch
  }

  /// Makes a message ready to be sent: takes it out if it is too old or lost, passes it over if it
  /// cannot be read now.
  private func prepare(_ index: Int) -> Bool {
    if messages[index].isSetAside { return false }
    if isExpired(messages[index], present) {
      remove(at: index, .expired)
      return false
    }
    if messages[index].bytes != nil { return true }
    guard let place = messages[index].place else { return false }
    switch store.journal.read(place, sequence: messages[index].sequence) {
    case .bytes(let bytes):
      messages[index].bytes = bytes
      return true
    case .unreadable(let error):
      log(.storageFailed(error))
      setAside(at: index)
      return false
    case .lost:
      remove(at: index, .fileFault)
      salvage(place.segment)
      return false
    }
  }

  /// Passes a message over until the next interval ends.
  func setAside(at index: Int) {
    // The one that set the time may have left the queue since.
    if !hasSetAside { setAsideUntil = now }
    messages[index].isSetAside = true
  }

  private var hasSetAside: Bool {
    setAsideUntil != nil && (0..<messages.count).contains { messages[$0].isSetAside }
  }

  private var present: Stamp {
    let uptime = now
    return Stamp(
      time: anchor?.milliseconds(atUptime: uptime) ?? 0, boot: anchor?.boot ?? 0, uptime: uptime)
  }

  /// Starts a request with messages whose bytes are in memory.
  /// - Returns: false if there is nothing to send.
  private func send(_ chosen: [UInt64]) -> Bool {
    let list = markingAttempt(withoutUnsettledCrashes(chosen))
    let batch = list.compactMap { messages.index(of: $0) }.map { messages[$0] }
    guard let first = batch.first, let connection else { return false }
    // What was taken out on the way must not come back (INV-07): its removal is written first.
    commit()
    if batch.contains(where: { $0.record.flags.contains(.startsSession) }) {
      store.forgetSessionWithoutFlag()
      commit()
    }
    let advertising = batch.map { advertisingMember(for: $0.record) }
    let body = BatchBody.write(batch, advertising: advertising, sentAt: sentAt(first.record))
    let attempt = requestCount
    requestCount += 1
    lane.start(list)
    log(.batchSent(messages: batch.count, bytes: body.count, attempt: attempt))
    requestToken = platform.http.start(
      connection.batchRequest(body, attempt: attempt, policy: lane.policy), on: queue
    ) { result in self.finishRequest(result, attempt: attempt) }
    return true
  }

  /// The time of sending, in the frame of the messages' own anchor while the boot is the same
  ///
  private func sentAt(_ record: MessageRecord) -> Int64 {
    guard let anchor else { return record.stamp.time }
    if record.stamp.boot == anchor.boot, record.anchor != anchor.milliseconds {
      return record.stamp.time + floorDivide(now - record.stamp.uptime, 1_000_000)
    }
    return anchor.milliseconds(atUptime: now)
  }

  private func finishRequest(_ result: Result<HTTPResponse, HTTPFailure>, attempt: UInt32) {
    requestToken = nil
    guard case .inFlight(let list) = lane.state else { return }
    let outcome = classify(result, count: list.count)
    let covered = lane.coveredUpTo
    let bits = platform.random.random128(.retryJitter, key: UInt64(attempt))
    switch lane.end(outcome, now: now, random: bits.low) {
    case .remove(let list):
      let reason: Diagnostic.Drop? = outcome == .accepted ? nil : .refusedByServer
      for sequence in list {
        if let index = messages.index(of: sequence) { remove(at: index, reason) }
      }
    case .retry(let wait): log(.retryScheduled(afterMilliseconds: wait / 1_000_000))
    case .split: log(.batchSplit(messages: list.count))
    }
    if outcome == .refused { endPass(covered: covered) }
    forgetGone()
    settle()
  }

  /// What a refused batch leaves behind waits for a trigger of its own, at the latest one interval
  /// from now.
  private func endPass(covered: UInt64) {
    restUpTo = covered
    for index in 0..<messages.count where messages[index].sequence <= covered {
      messages[index].queuedAt = now
    }
  }

  private func classify(_ result: Result<HTTPResponse, HTTPFailure>, count: Int)
    -> RequestOutcome
  {
    switch result {
    case .failure(let failure):
      log(.batchFailed(failure, messages: count))
      return .kept(retryAfter: nil)
    case .success(let response):
      log(.batchAnswered(status: response.status, messages: count))
      return classify(response)
    }
  }

  private func classify(_ response: HTTPResponse) -> RequestOutcome {
    if (200..<300).contains(response.status) {
      guard let answer = BatchAnswer.parse(response.body) else {
        log(.unreadableAnswer)
        return .kept(retryAfter: retryAfter(response))
      }
      for id in answer.rejected { log(.serverRejected(id: id)) }
      for _ in 0..<answer.warningCount { log(.serverWarning) }
      return .accepted
    }
    if lane.policy.finalStatuses.contains(response.status) { return .refused }
    switch response.status {
    case 413: return .tooLarge
    case 429: return .rateLimited(retryAfter: retryAfter(response))
    case 401:
      logAlways(.writeKeyRefused)
      return .kept(retryAfter: retryAfter(response))
    default: return .kept(retryAfter: retryAfter(response))
    }
  }

  private func retryAfter(_ response: HTTPResponse) -> Int64? {
    RetryAfter.nanoseconds(response, deviceTime: present.time)
  }

  private func setLaneTimer(_ deadline: Int64?) {
    if let timer = laneTimer {
      if timer.deadline == deadline { return }
      queue.cancel(timer.token)
      laneTimer = nil
    }
    guard let deadline else { return }
    let token = queue.schedule(
      afterNanoseconds: max(0, deadline - now), clock: .continuous
    ) { self.laneTimerFired() }
    laneTimer = (token, deadline)
  }

  private func laneTimerFired() {
    laneTimer = nil
    settle()
  }
}
