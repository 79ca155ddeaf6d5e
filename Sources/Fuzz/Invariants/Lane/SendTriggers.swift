import FuzzHistory
import SimKernel

/// What sets the running process to send, outside its retry waits: by when the next request is
/// owed, and since when one is allowed.
struct SendTriggers {
  /// A request that is owed.
  struct Owed {
    enum Cause: String {
      case flush = "a flush"
      case background = "the background"
      case count = "the count"
      case interval = "the interval"
      case rest = "the rest of a batch or pass"
    }

    var since: Instant
    var cause: Cause
    var diskSteps: Int
    /// The oldest message that waits, an index in `ReferenceModel.messages`; -1 for a kept batch.
    var message: Int32 = -1
  }

  /// The newest trigger that surely covers what was queued then, and up to which message, by
  /// `ExpectedMessage.occurrence`.
  private var cover: (cause: Owed.Cause, since: Instant, upTo: Int64)?
  /// It was a count that came while the lane was free, and no request has started since: one is
  /// owed, whatever messages it holds.
  private var isUnanswered = false
  /// Up to here messages were counted for a trigger; the next count begins behind.
  private var countedUpTo: Int64 = -1
  /// Where the next count begins is open: a stored queue may have been counted by itself, or an
  /// interval may have ended somewhere in a pass. It is known again once nothing waits.
  private var isCountOpen = false
  /// The newest trigger by any reading; nil if none came since a refusal ended the pass.
  private(set) var allowed: Instant?
  /// Disk steps of the process before the newest trigger.
  private var allowedDiskSteps = 0
  private(set) var started: Instant?
  /// When the pass ended with a refusal: what was queued then waits for a trigger of its own.
  private var passEnded: Instant?
  /// When the lane became free, the app came out of suspension, or the process began.
  private var freeSince = Instant.start
  private var owesRest = false
  private var isSuspended = false
  /// What came so shortly before the newest suspension that it may have been taken at its end.
  private var unsure: (from: Instant, until: Instant)?
  private var suspended = Instant.start
  private var isForeground = false
  private var isFlushHeld = false

  mutating func reset(at instant: Instant) {
    self = SendTriggers()
    freeSince = instant
  }

  // MARK: Taking facts

  mutating func start(at instant: Instant, _ context: JudgeContext) {
    if started != nil { return }
    started = instant
    // What an earlier process left may go at once or within the interval.
    allow(instant, context)
    if isFlushHeld {
      trigger(.flush, at: instant, context)
    } else {
      countAtStart(at: instant, context)
    }
  }

  /// Held calls are queued one after the other: each time the count is reached, what is queued is
  /// covered, and what comes later may push that out of a full queue.
  private mutating func countAtStart(at instant: Instant, _ context: JudgeContext) {
    let model = context.model
    let process = context.processes.current
    if model.queue.count >= context.lane.client.flushAt { allow(instant, context) }
    // Also one that a full queue has pushed out by now.
    let hadStored = model.messages.contains { message in
      message.process != process
        && (message.place == .queued
          || message.loss == .queueBound && message.lossInstant == instant)
    }
    // Whether there is an update to report is known at the start, though it comes in between.
    let hasUpdate = model.messages.contains { message in
      message.process == process && model.change(of: message) != nil
    }
    if hadStored { countStored(at: instant, context) }
    if hadStored || hasUpdate {
      isCountOpen = true
      return
    }
    let bound = model.options(process).maxQueueSize
    var covered = 0
    var uncovered = 0
    var held: [Int64] = []
    for index in model.messages.indices where model.messages[index].process == process {
      let message = model.messages[index]
      guard message.enqueuedInstant == instant, message.loss == nil || message.loss == .queueBound
      else { continue }
      held.append(message.occurrence)
    }
    // What the SDK makes by itself stands among the calls in the order in which it happened.
    held.sort()
    for occurrence in held {
      if covered + uncovered == bound {
        if covered > 0 { covered -= 1 } else { uncovered -= 1 }
      }
      uncovered += 1
      guard uncovered >= context.lane.client.flushAt else { continue }
      covered += uncovered
      uncovered = 0
      trigger(.count, at: instant, context, upTo: occurrence)
    }
  }

  /// A stored queue that reaches the count is covered, whatever held calls join it (TRN-01, A-10).
  private mutating func countStored(at instant: Instant, _ context: JudgeContext) {
    let model = context.model
    let stored = model.queue.filter {
      model.messages[Int($0)].process != context.processes.current
    }
    guard stored.count >= context.lane.client.flushAt,
      let last = stored.map({ occurrence($0, context) }).max()
    else { return }
    trigger(.count, at: instant, context, upTo: last)
  }

  mutating func flush(at instant: Instant, _ context: JudgeContext) {
    allow(instant, context)
    if started == nil { isFlushHeld = true } else { trigger(.flush, at: instant, context) }
  }

  mutating func take(_ phase: AppPhase, at instant: Instant, _ context: JudgeContext) {
    switch phase {
    case .inactive, .active:
      isForeground = true
      resume(at: instant, context)
    case .resumed: resume(at: instant, context)
    case .suspended:
      isSuspended = true
      suspended = instant
    case .background:
      resume(at: instant, context)
      allow(instant, context)
      if isForeground, started != nil { trigger(.background, at: instant, context) }
      isForeground = false
    }
  }

  private mutating func resume(at instant: Instant, _ context: JudgeContext) {
    if !isSuspended { return }
    isSuspended = false
    unsure = (suspended - TimeSpan(nanoseconds: context.header.longestHandOff), instant)
    freeSince = max(freeSince, instant)
  }

  /// The queue may have grown to the count.
  mutating func count(at instant: Instant, _ context: JudgeContext) {
    guard started != nil else { return }
    let model = context.model
    let flushAt = context.lane.client.flushAt
    guard model.queue.count >= flushAt else { return }
    allow(instant, context)
    if isCountOpen { return }
    // Only what no earlier trigger covers surely counts, and only what came well before is surely
    // covered: of calls at one time any may have completed the count.
    let barrier = passEnded ?? .start
    let sure = instant - TimeSpan(nanoseconds: context.header.longestHandOff) * 2
    var newestSure = cover?.upTo ?? -1
    var waiting = 0
    for item in model.queue
    where occurrence(item, context) > countedUpTo && isWaiting(item, context) {
      guard let queued = model.messages[Int(item)].enqueuedInstant, queued > barrier else {
        continue
      }
      waiting += 1
      if queued < sure { newestSure = occurrence(item, context) }
      if waiting == flushAt {
        trigger(.count, at: instant, context, upTo: occurrence(item, context))
        cover?.upTo = newestSure
        return
      }
    }
  }

  /// - Parameter last: the newest message that is covered; nil covers all.
  private mutating func trigger(
    _ cause: Owed.Cause, at instant: Instant, _ context: JudgeContext, upTo last: Int64? = nil
  ) {
    // A job that runs ahead of its time holds the queue until its last step.
    let since = max(instant, context.lane.busyUntil)
    if last == nil { isCountOpen = false }
    isUnanswered = cause == .count && context.lane.inFlight == nil && context.lane.wait == nil
    countedUpTo = last ?? context.model.newestOccurrence
    cover = (cause, since, countedUpTo)
  }

  private mutating func allow(_ instant: Instant, _ context: JudgeContext) {
    allowed = instant
    allowedDiskSteps = context.lane.diskSteps
  }

  /// A request ended: what it means for the pass.
  mutating func end(
    _ verdict: BatchVerdict?, _ status: UInt16, at instant: Instant, _ context: JudgeContext
  ) {
    freeSince = instant
    owesRest = verdict == .accepted || verdict == .split
    guard verdict == .final else { return }
    cover = nil
    passEnded = instant
    // Whether what is left counts towards the next count is not said.
    if !context.model.queue.isEmpty { isCountOpen = true }
    // A single message answered 413 goes, and its pass goes on. A trigger so shortly before
    // a refusal that the world may have held it back may be handled after it.
    let hops = BatchLane.hops + 2 * Int64(context.lane.diskSteps - allowedDiskSteps)
    let delay = TimeSpan(nanoseconds: context.header.longestHandOff) * hops
    if status != 413, let newest = allowed, newest + delay < instant { allowed = nil }
  }

  mutating func request() {
    owesRest = false
    isUnanswered = false
  }

  /// What lay on disk is another process's now: whether it was counted before that is open.
  mutating func leaveStorage() {
    isCountOpen = true
    isUnanswered = false
    if cover?.cause == .count { cover = nil }
  }

  /// The event of a crash is found in the queue, and was there before: what has completed a count
  /// since the start is open (S-58).
  mutating func noteCrashEvent() {
    isCountOpen = true
    isUnanswered = false
    if cover?.cause == .count { cover = nil }
  }

  /// With an empty queue the next count begins with the next message.
  mutating func settle(_ context: JudgeContext) {
    guard isCountOpen, context.model.queue.isEmpty else { return }
    isCountOpen = false
    countedUpTo = context.model.newestOccurrence
  }

  private func occurrence(_ item: Int32, _ context: JudgeContext) -> Int64 {
    context.model.messages[Int(item)].occurrence
  }

  // MARK: Asking

  /// By when the next request has to start, if nothing else happens; nil while nothing is owed.
  /// - Parameter isDoubtful: reading has failed or a file was damaged: what the triggers cover is
  ///   open, but what can be read still waits no longer than its interval (TRN-02, B07).
  func owed(_ context: JudgeContext, isDoubtful: Bool) -> Owed? {
    let lane = context.lane
    guard let started, !isSuspended, lane.inFlight == nil, lane.wait == nil else { return nil }
    if isDoubtful { return owedInDoubt(started, context) }
    if let list = lane.expected.first {
      guard owesRest, !list.mayLose else { return nil }
      return owed(freeSince, .rest, context)
    }
    guard let oldest = context.model.queue.first(where: { isWaiting($0, context) }) else {
      return nil
    }
    let message = context.model.messages[Int(oldest)]
    let queued = max(taken(message, started), passEnded ?? .start)
    var next = owed(queued + context.lane.client.flushInterval, .interval, context)
    if let cover, isUnanswered || occurrence(oldest, context) <= cover.upTo {
      let since = max(cover.since, freeSince)
      if since < next.since { next = owed(since, cover.cause, context) }
    }
    next.since = max(next.since, freeSince)
    next.message = oldest
    return next
  }

  /// When the SDK surely had a message.
  private func taken(_ message: ExpectedMessage, _ started: Instant) -> Instant {
    let taken = max(message.takenInstant ?? started, started)
    if let unsure, taken >= unsure.from, taken < unsure.until { return unsure.until }
    return taken
  }

  private func owedInDoubt(_ started: Instant, _ context: JudgeContext) -> Owed? {
    guard context.lane.expected.isEmpty,
      let item = context.model.queue.first(where: {
        isWaiting($0, context) && context.model.isReadable(Int($0), context)
      })
    else { return nil }
    let message = context.model.messages[Int(item)]
    let queued = max(taken(message, started), passEnded ?? .start)
    var next = owed(
      max(queued + context.lane.client.flushInterval, freeSince), .interval, context)
    next.message = item
    return next
  }

  private func owed(_ since: Instant, _ cause: Owed.Cause, _ context: JudgeContext) -> Owed {
    Owed(since: since, cause: cause, diskSteps: context.lane.diskSteps)
  }

  /// Whether a message could have been the reason for a request that starts now.
  func allows(_ item: Int32, at instant: Instant, _ context: JudgeContext) -> Bool {
    if hasWaitedItsInterval(item, at: instant, context) { return true }
    guard let allowed, let queued = context.model.messages[Int(item)].enqueuedInstant else {
      return false
    }
    return queued <= allowed + context.lane.slack(context, sinceDiskSteps: context.lane.diskSteps)
  }

  /// A request with this message starts: where its interval is the reason, all that is queued now
  /// is covered.
  mutating func note(_ item: Int32, sentAt instant: Instant, _ context: JudgeContext) {
    guard hasWaitedItsInterval(item, at: instant, context) else { return }
    allow(instant, context)
    isCountOpen = true
  }

  /// Messages of an earlier process count from a start that is not known to the instant.
  private func hasWaitedItsInterval(
    _ item: Int32, at instant: Instant, _ context: JudgeContext
  ) -> Bool {
    let message = context.model.messages[Int(item)]
    guard message.process == context.processes.current, !message.isQueueingOpen,
      let queued = message.enqueuedInstant
    else {
      // After a refusal it waits anew, or since this process could first read it.
      guard allowed == nil, let loaded = context.lane.client.loadInstant else { return true }
      return loaded + context.lane.client.flushInterval <= instant + .milliseconds(1)
    }
    return queued + context.lane.client.flushInterval <= instant + .milliseconds(1)
  }

  private func isWaiting(_ item: Int32, _ context: JudgeContext) -> Bool {
    let message = context.model.messages[Int(item)]
    // When exactly the event of a crash is queued at a start is the SDK's affair.
    if message.crash != nil, message.process == context.model.queueProcess { return false }
    // One that a full queue may have pushed out owes nothing.
    return !message.isInFlight && message.heldBackProcess != context.model.queueProcess
      && !message.mayBeEvicted
  }
}
