import FuzzHistory
import SimKernel

/// The batch lane of the running process as the wire shows it: what is in flight, the pause that is
/// owed, and which lists of messages have to come next. All of it dies with the process.
///
/// Rules read it right after it took a record: `started` at a `requestStarted`, `overdue` at the
/// records that end a pause without a request.
public final class BatchLane {
  /// What is known of a batch request at its start.
  public struct Start {
    /// The pause that was owed.
    public var wait: LaneWait?
    /// The list that had to come, and whether it did.
    public var list: ListCheck
    /// Another request that was still in flight.
    public var overlapped: UInt32?
  }

  /// The client of the process.
  public private(set) var client = ClientFacts()
  /// The batch request in flight.
  public private(set) var inFlight: UInt32?
  /// Something may have taken messages out of it: it need not come again whole.
  private var mayLoseInFlight = false
  /// Until when a job on its way to the client's queue may not know of the newest such thing.
  private var lossWindowEnd = Instant.start
  /// When the newest step of the file system ends: the client's queue is busy until then.
  public private(set) var busyUntil = Instant.start
  public private(set) var wait: LaneWait?
  /// Set while a `requestStarted` of a batch is judged.
  public private(set) var started: Start?
  /// Set while a record is judged that finds a pause over for long and no request begun.
  public private(set) var overdue: LaneWait?
  /// Lists of message ids that have to come next, first first.
  var expected: [ExpectedList] = []
  /// Disk steps of the process so far: each may take the longest that the world allows.
  public private(set) var diskSteps = 0

  private var failures = FailureCount()
  private var rateLimitsInRow = 0
  private var isForeground = false
  /// A return to the foreground so recent that an answer may be handled before it.
  private var lastForeground: Instant?
  private var failuresSinceForeground = 0
  /// Until when an answer may be handled before the newest flush or return.
  private var skipWindowEnd = Instant.start

  /// Jobs between a trigger and its request that the world may hold back.
  static let hops: Int64 = 8

  init() {}

  /// How late a request may be: a second of running time, and what the world itself adds.
  public func slack(_ context: JudgeContext, sinceDiskSteps steps: Int) -> TimeSpan {
    .seconds(1)
      + TimeSpan(nanoseconds: context.header.longestHandOff)
      * (BatchLane.hops + 2 * Int64(diskSteps - steps))
  }

  // MARK: Taking facts

  func take(_ record: Record, _ context: JudgeContext) {
    started = nil
    overdue = nil
    switch record.fact {
    case .launched: reset()
    case .disk(let operation, let outcome, _, _, let path, _, _, _):
      diskSteps += 1
      // A job that is at work keeps the next one waiting.
      if record.instant <= lossWindowEnd { lossWindowEnd = record.instant + handling(context) }
      if record.instant <= skipWindowEnd {
        skipWindowEnd = max(skipWindowEnd, record.instant + handling(context))
      }
      // What could not be looked at before may say later that a message was delivered (INV-07).
      if outcome == .notPermitted || outcome == .inputOutput,
        operation == .read || operation == .list || operation == .size,
        context.disk.isQueue(path)
      {
        loosen(record.instant, context)
      }
      busyUntil = max(busyUntil, record.instant)
    case .callBegan(let call, _, _, _, _): take(context.history.calls[Int(call)], record, context)
    case .phase(let phase): take(phase, record, context)
    case .storageLock:
      // What lay on disk is another process's from now on.
      if context.storageLock.tookKnowledge, !context.model.runsFromMemory(record.process) {
        loosen(record.instant, context)
      }
    case .requestStarted(let number, _, _, _, _, _, _, _, _, _, _):
      if context.ledger[number].isBatch { start(number, record, context) }
    case .exchangeCancelled(let number): if inFlight == number { inFlight = nil }
    case .exchangeEnded(let number, _, _, _, _):
      if context.ledger[number].isBatch { end(number, record, context) }
    case .ended, .calmEnded:
      checkOverdue(record.instant, context)
      wait = nil
      inFlight = nil
    default: break
    }
    client.take(record, context)
  }

  private func reset() {
    client = ClientFacts()
    inFlight = nil
    wait = nil
    expected = []
    diskSteps = 0
    failures = FailureCount()
    rateLimitsInRow = 0
    isForeground = false
    lastForeground = nil
    skipWindowEnd = .start
    lossWindowEnd = .start
    busyUntil = .start
  }

  private func take(_ call: HostCall, _ record: Record, _ context: JudgeContext) {
    switch call {
    case .flush: skip(record.instant, until: record.instant + handling(context))
    // What was made under consent is dropped: the batch may be gone, in part or as a whole.
    case .consent(analytics: false, _): loosen(record.instant, context)
    default: break
    }
  }

  private func take(_ phase: AppPhase, _ record: Record, _ context: JudgeContext) {
    switch phase {
    case .suspended:
      checkOverdue(record.instant, context)
      wait?.isDisturbed = true
    case .background: isForeground = false
    case .resumed: break
    case .inactive, .active:
      if isForeground { return }
      isForeground = true
      failures.low = 0
      failuresSinceForeground = 0
      lastForeground = record.instant
      // The app tells its observers in two steps, entering and then active.
      skip(record.instant, until: record.instant + .seconds(1) + handling(context))
    }
  }

  /// A job on its way to the client's queue may be overtaken for so long.
  private func handling(_ context: JudgeContext) -> TimeSpan {
    TimeSpan(nanoseconds: context.header.longestHandOff) * 2
  }

  private func skip(_ instant: Instant, until end: Instant) {
    skipWindowEnd = max(skipWindowEnd, end)
    if wait != nil, wait?.skipped == nil { wait?.skipped = instant }
  }

  /// Something may have taken messages out of the batch that waits.
  private func loosen(_ instant: Instant, _ context: JudgeContext) {
    lossWindowEnd = instant + handling(context)
    wait?.mayBeVoid = true
    mayLoseInFlight = inFlight != nil
    for index in expected.indices { expected[index].mayLose = true }
  }

  // MARK: Requests

  private func start(_ number: UInt32, _ record: Record, _ context: JudgeContext) {
    let ids = context.ledger[number].slots.map { context.ledger.slots[$0].message }
      .map { context.ledger.messages[$0].identifierHash }
    let list = checkList(ids, number, record, context)
    started = Start(wait: wait, list: list, overlapped: inFlight)
    inFlight = number
    mayLoseInFlight = record.instant <= lossWindowEnd
    wait = nil
  }

  private func end(_ number: UInt32, _ record: Record, _ context: JudgeContext) {
    let exchange = context.ledger[number]
    guard exchange.process == context.processes.current else { return }
    if inFlight == number { inFlight = nil }
    settleReset(record.instant, context)
    let ids = exchange.slots.map { context.ledger.messages[context.ledger.slots[$0].message] }
      .map(\.identifierHash)
    guard let answer = exchange.received else {
      // A row of answers 429 ends here too.
      rateLimitsInRow = 0
      keep(number, ids, status: 0, .absent, record, context)
      return
    }
    switch context.ledger.verdict(answer, messageCount: ids.count) {
    case .accepted:
      failures = FailureCount()
      rateLimitsInRow = 0
    case .final:
      // Whether a refusal counts as a success for the backoff is left open.
      failures.low = 0
      rateLimitsInRow = 0
    case .split:
      rateLimitsInRow = 0
      expected.insert(
        ExpectedList(ids: ids, isToBeHalved: true, exchange: number, mayLose: mayLoseInFlight),
        at: 0)
    case .rateLimited:
      rateLimitsInRow += 1
      keep(number, ids, status: 429, retryAfter(exchange, answer, context), record, context)
    case .kept:
      rateLimitsInRow = 0
      var asked = RetryAfter.absent
      if answer.status >= 400 { asked = retryAfter(exchange, answer, context) }
      keep(number, ids, status: answer.status, asked, record, context)
    }
  }

  /// A return to the foreground that lies back far enough has surely set the count to zero.
  private func settleReset(_ instant: Instant, _ context: JudgeContext) {
    guard let foreground = lastForeground else { return }
    if instant > foreground + .seconds(1) + handling(context) {
      failures.high = failuresSinceForeground
      lastForeground = nil
    }
  }

  private func retryAfter(
    _ exchange: Exchange, _ answer: Answer, _ context: JudgeContext
  ) -> RetryAfter {
    let elapsed = (answer.instant - exchange.start).milliseconds
    var clocks = [exchange.startWall / 1_000_000 + elapsed]
    // The process may still count from its anchor, which `sentAt` shows.
    if let sentAt = exchange.sentAtMilliseconds { clocks.append(sentAt + elapsed) }
    return RetryAfter.read(headers: context.bytes(answer.headers), deviceClocks: clocks)
  }

  /// The batch is kept: the same list comes again, after a pause.
  private func keep(
    _ number: UInt32, _ ids: [UInt64], status: UInt16, _ asked: RetryAfter, _ record: Record,
    _ context: JudgeContext
  ) {
    expected.insert(
      ExpectedList(ids: ids, isToBeHalved: false, exchange: number, mayLose: mayLoseInFlight),
      at: 0)
    let now = record.instant
    let backoff = failures.backoff()
    var wait = LaneWait(
      exchange: number, began: now, status: status, rateLimitsInRow: rateLimitsInRow, floor: now,
      earliest: now + backoff.shortest, latest: now + backoff.longest, latestFloor: now,
      diskSteps: diskSteps)
    if status == 429 {
      wait.floor = now + .seconds(1)
      wait.latestFloor = wait.floor
      // The first two in a row are only as long as asked for; without a header that is one second.
      if rateLimitsInRow < 3, asked != .unreadable { wait.earliest = wait.floor }
    }
    if case .wait(let shortest, let longest) = asked {
      wait.floor = max(wait.floor, now + shortest)
      wait.latest = max(wait.latest, now + longest)
      wait.latestFloor = max(wait.latestFloor, now + longest)
    }
    wait.maySkip = now <= skipWindowEnd
    wait.mayBeVoid = mayLoseInFlight
    failures.high += 1
    if lastForeground != nil {
      failuresSinceForeground += 1
    } else if status != 429 {
      // Whether answers 429 count as failures for the backoff is left open.
      failures.low += 1
    }
    self.wait = wait
  }

  private func checkOverdue(_ instant: Instant, _ context: JudgeContext) {
    guard let wait, !wait.isDisturbed, !wait.mayBeVoid else { return }
    if instant > wait.deadline + slack(context, sinceDiskSteps: wait.diskSteps) { overdue = wait }
  }
}
