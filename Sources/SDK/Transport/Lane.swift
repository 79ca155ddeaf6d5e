/// What came of a request.
enum RequestOutcome: Hashable, Sendable {
  /// The server has the batch.
  case accepted
  /// The server never will take the batch.
  case refused
  /// 413: the batch is too large for the server.
  case tooLarge
  /// 429, with the wait that it names in nanoseconds.
  case rateLimited(retryAfter: Int64?)
  /// Everything else: no answer, or one after which the batch is kept.
  case kept(retryAfter: Int64?)
}

/// What is to be done with a batch after its request ended.
enum BatchDecision: Equatable, Sendable {
  /// The messages leave the queue.
  case remove([UInt64])
  /// The same batch goes again after a wait of so many nanoseconds.
  case retry(afterNanoseconds: Int64)
  /// The batch goes again in two halves, at once.
  case split
}

/// What the lane would do at an instant.
enum LaneStep: Equatable, Sendable {
  /// Send these messages again, as far as they are still queued.
  case resend([UInt64])
  /// Send a new batch of messages up to a sequence number.
  case send(upTo: UInt64)
  /// Nothing before an instant of the clock that runs in sleep.
  case wait(until: Int64)
  /// A request is on its way.
  case busy
  /// Nothing until the next trigger.
  case rest

  /// Whether a request is to start.
  var isStart: Bool {
    switch self {
    case .resend, .send: return true
    case .wait, .busy, .rest: return false
    }
  }
}

/// One lane's batching and retrying as a pure state machine: inputs in, decisions out (A-10, A-11,
///
///
/// A *trigger* covers all messages queued at its instant, and the lane sends batch after batch
/// until none of them is left; messages queued later need a trigger of their own. Lists that were
/// sent and not settled go first, unchanged. Instants are nanoseconds of the clock that runs in
/// sleep.
struct Lane {
  enum State: Equatable, Sendable {
    /// No request is on its way.
    case idle
    /// A request with these messages is on its way.
    case inFlight([UInt64])
  }

  let policy: LanePolicy
  private(set) var state = State.idle
  /// Lists that must go next, first one first: a kept batch, or the halves of a split one.
  private(set) var kept: [[UInt64]] = []
  /// The highest sequence number that a trigger covers.
  private(set) var coveredUpTo: UInt64 = 0
  /// Failures since the last success or return to the foreground.
  private(set) var failures = 0
  private(set) var rateLimitsInARow = 0
  /// No request starts before: the server asked for it.
  private(set) var heldUntil = Int64.min
  /// No request starts before, unless a flush or a return to the foreground skips it (S-18).
  private(set) var backedOffUntil = Int64.min

  init(policy: LanePolicy) { self.policy = policy }

  var isInFlight: Bool { state != .idle }
  var earliestStart: Int64 { max(heldUntil, backedOffUntil) }

  /// Whether a message is part of a batch that is on its way or waits for a retry.
  func holds(_ sequence: UInt64) -> Bool {
    if case .inFlight(let list) = state, list.contains(sequence) { return true }
    return kept.contains { $0.contains(sequence) }
  }

  /// Count, interval or background: covers what is queued, and waits while there is a wait.
  mutating func trigger(upTo sequence: UInt64) { coveredUpTo = max(coveredUpTo, sequence) }

  /// `flush`: covers what is queued and skips a backoff, never what the server asked for.
  mutating func flush(upTo sequence: UInt64) {
    trigger(upTo: sequence)
    backedOffUntil = .min
  }

  /// A return to the foreground: the backoff starts over and a wait for it is skipped (TRN-27).
  mutating func enterForeground() {
    failures = 0
    backedOffUntil = .min
  }

  /// What to do now.
  /// - Parameter oldest: the sequence number of the oldest message that could be sent; those of
  ///   kept lists are among them.
  func step(now: Int64, oldest: UInt64?) -> LaneStep {
    if isInFlight { return .busy }
    let isCovered = oldest.map { $0 <= coveredUpTo } ?? false
    guard isCovered else { return .rest }
    if now < earliestStart { return .wait(until: earliestStart) }
    if let list = kept.first { return .resend(list) }
    return .send(upTo: coveredUpTo)
  }

  /// A request with these messages starts.
  mutating func start(_ list: [UInt64]) {
    assert(state == .idle, "one request at a time (TRN-07)")
    assert(!list.isEmpty, "a batch holds at least one message")
    if !kept.isEmpty { kept.removeFirst() }
    state = .inFlight(list)
  }

  /// A list that was to go again holds nothing any more.
  mutating func dropFirstKept() {
    assert(!kept.isEmpty, "there must be a list to drop")
    if !kept.isEmpty { kept.removeFirst() }
  }

  /// The pass ends: what it covered needs a new trigger.
  mutating func endPass() { coveredUpTo = 0 }

  /// Messages left the queue: no list names them any more.
  mutating func forget(_ isGone: (UInt64) -> Bool) {
    for index in kept.indices { kept[index].removeAll(where: isGone) }
    kept.removeAll { $0.isEmpty }
  }

  /// The request on its way has ended.
  /// - Parameters:
  ///   - random: random bits for the jitter of a wait.
  mutating func end(_ outcome: RequestOutcome, now: Int64, random: UInt64) -> BatchDecision {
    guard case .inFlight(let list) = state else {
      assertionFailure("only a request that started can end")
      return .remove([])
    }
    state = .idle
    if case .rateLimited = outcome { rateLimitsInARow += 1 } else { rateLimitsInARow = 0 }
    switch outcome {
    case .accepted:
      failures = 0
      backedOffUntil = .min
      return .remove(list)
    case .refused:
      endPass()
      return .remove(list)
    case .tooLarge:
      if list.count == 1 { return .remove(list) }
      let half = (list.count + 1) / 2
      kept.insert(contentsOf: [Array(list[..<half]), Array(list[half...])], at: 0)
      return .split
    case .rateLimited(let retryAfter):
      return retry(
        list, now: now, random: random, least: policy.leastRateLimitNanoseconds,
        retryAfter: retryAfter,
        backsOff: retryAfter == nil || rateLimitsInARow >= policy.rateLimitsBeforeBackoff)
    case .kept(let retryAfter):
      return retry(
        list, now: now, random: random, least: 0, retryAfter: retryAfter, backsOff: true)
    }
  }

  private mutating func retry(
    _ list: [UInt64], now: Int64, random: UInt64, least: Int64, retryAfter: Int64?, backsOff: Bool
  ) -> BatchDecision {
    kept.insert(list, at: 0)
    let asked = min(max(retryAfter ?? 0, least), policy.mostRetryAfterNanoseconds)
    heldUntil = asked > 0 ? now + asked : .min
    backedOffUntil =
      backsOff ? now + policy.backoffNanoseconds(failures: failures, random: random) : .min
    failures += 1
    return .retry(afterNanoseconds: max(earliestStart - now, 0))
  }
}
