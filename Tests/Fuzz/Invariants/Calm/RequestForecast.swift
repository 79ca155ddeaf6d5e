import FuzzHistory
import SimKernel

@testable import FuzzInvariants

/// Foretells the batch requests of a process in which nothing goes wrong and every delay is fixed:
/// from its calls, its ways to the background, the delays, and when its requests ended (TRN-01 to
/// TRN-04, TRN-07, TRN-08, A-10, A-30).
///
/// The world gives a job to an idle queue one hand-off later, and one behind another at its end;
/// the steps of the file system are what a job lasts.
struct RequestForecast {
  /// A request that must start, and what it must hold.
  struct Request: Equatable {
    var instant: Instant
    var messages: [Int32]
  }

  /// How long `$first_open` waits for its facts (LIF-09).
  private static let patience = TimeSpan.seconds(20)

  private let life: CalmWitness.Life
  private let handOff: TimeSpan
  private let diskStep: TimeSpan
  private let interval: TimeSpan
  /// The device has told of the token before the wait for it is over, if the app is not suspended.
  private let isTokenFirst: Bool

  private var queue: [(message: Int32, queued: Instant)] = []
  /// The messages that a trigger covers.
  private var covered: [Int32] = []
  private var isInFlight = false
  private(set) var requests: [Request] = []

  private var calls: ArraySlice<CalmWitness.Call>
  private var entries: ArraySlice<Instant>
  private var returns: ArraySlice<Instant>
  private var steps: ArraySlice<Instant>
  /// Tokens that are told after the wait for them: the job that hears of one has nothing to do with
  /// it, but goes on with whatever is due.
  private var lateTokens: ArraySlice<Instant>
  /// `$first_open` until it is queued, and since when its launch waits under consent.
  private var firstOpen: Int32?
  private var launched: Instant?
  private var hasConsent: Bool
  /// When the newest job began, and when it ends.
  private var newest = (began: Instant.start, ends: Instant.start)

  init(
    _ life: CalmWitness.Life, handOff: TimeSpan, diskStep: TimeSpan, tokenDelay: TimeSpan
  ) {
    self.life = life
    self.handOff = handOff
    self.diskStep = diskStep
    interval = TimeSpan(nanoseconds: life.options.flushIntervalNanoseconds)
    calls = life.calls[...]
    entries = life.entries[...]
    returns = life.returns[...]
    steps = life.diskSteps[...]
    isTokenFirst = tokenDelay < RequestForecast.patience
    lateTokens = life.told == nil ? life.tokens[...] : []
    firstOpen = life.firstOpen
    hasConsent = life.startsWithConsent
    // The stored queue is looked at behind the decision, the ids and the session.
    if life.diskSteps.count > 2 {
      queue = life.stored.map { ($0.message, life.diskSteps[2]) }
    }
    if let started = life.started { run(from: started) }
  }

  // MARK: Jobs

  private mutating func run(from started: Instant) {
    var started = started
    if !life.options.remoteConfig, let loaded = life.loaded {
      // Without a config to wait for, the start is part of the first job, behind its look at the
      // disk.
      begin(at: loaded + handOff)
      started = newest.began
      for place in 0..<life.looks where life.diskSteps[place] <= newest.ends {
        started = life.diskSteps[place]
      }
    } else {
      begin(at: started)
    }
    if hasConsent { launched = started }
    if queue.count >= life.options.flushAt { cover() }
    let hasFlush = takeCalls(upTo: started, isStart: true)
    let isAway = entries.prefix { $0 + handOff <= started }.count
    entries = entries.dropFirst(isAway)
    returns = returns.drop { $0 + handOff <= started }
    if hasFlush || isAway > 0 { cover() }
    advance()
    while requests.count <= life.requests.count, let job = nextJob {
      if let other = otherJob(before: job.instant) {
        begin(at: other, isTimer: true)
        continue
      }
      if isBehindStorageTimer(job.kind, at: job.instant) {
        begin(at: job.instant, isTimer: true)
        continue
      }
      // A timer that is late for a suspension runs ahead of the job of the return, which writes the
      // session: the steps are not its own.
      let isFollowed =
        job.kind != .return && job.kind != .firstOpen && !isOfReturn(job.kind)
        && returns.first.map { $0 + handOff <= job.instant } ?? false
      begin(
        at: job.instant, hasSteps: !isFollowed && job.kind != .lateToken,
        takesCalls: job.kind == .calls, isEnd: job.kind == .end)
      switch job.kind {
      case .end: endRequest()
      case .calls: takeCalls(upTo: job.instant, isStart: false)
      case .background:
        entries = entries.dropFirst()
        cover()
      case .return: returns = returns.dropFirst()
      case .firstOpen: queueFirstOpen(at: job.instant)
      case .lateToken: lateTokens = lateTokens.dropFirst()
      case .interval: break
      }
      advance()
    }
  }

  /// Whether a job takes what a return has made: then the steps are its own.
  private func isOfReturn(_ kind: JobKind) -> Bool {
    kind == .calls && calls.first?.instant == returns.first
  }

  /// Whether the storage timer, late for a suspension, makes its barriers ahead of what the return
  /// has made: a message is never written with a barrier first.
  private func isBehindStorageTimer(_ kind: JobKind, at instant: Instant) -> Bool {
    isOfReturn(kind) && steps.first { $0 > instant } == instant + diskStep
      && life.barriers.contains(instant + diskStep) && newest.ends <= instant
  }

  /// `$first_open` is made durable before it is queued, and what waits in the inbox by then comes
  /// ahead of it.
  private mutating func queueFirstOpen(at instant: Instant) {
    guard let message = firstOpen else { return }
    var queued = instant
    while life.barriers.contains(queued + diskStep), queued < newest.ends {
      queued = queued + diskStep
    }
    takeCalls(upTo: queued, isStart: false)
    firstOpen = nil
    add(message, at: queued)
  }

  private mutating func add(_ message: Int32, at instant: Instant) {
    queue.append((message, instant))
    if queue.count(where: { isOpen($0.message) }) >= life.options.flushAt { cover() }
  }

  private enum JobKind {
    case end
    case calls
    case background
    case `return`
    case firstOpen
    case lateToken
    case interval
  }

  private var nextJob: (kind: JobKind, instant: Instant)? {
    var jobs: [(kind: JobKind, instant: Instant)] = []
    if isInFlight, let end = life.requests[requests.count - 1].end { jobs.append((.end, end)) }
    // Timers that are late for a suspension run ahead of what the return makes, in their own order.
    if isTokenFirst, let token = lateTokens.first { jobs.append((.lateToken, token)) }
    if firstOpen != nil, let launched {
      // When the facts are told is the world's affair; without them it goes after the wait.
      if let told = life.told {
        jobs.append((.firstOpen, told))
      } else if let timer = firing(of: launched + RequestForecast.patience) {
        jobs.append((.firstOpen, run(givenAt: timer)))
      }
    }
    if !isTokenFirst, let token = lateTokens.first { jobs.append((.lateToken, token)) }
    if let timer = timerInstant { jobs.append((.interval, run(givenAt: timer))) }
    if let call = calls.first { jobs.append((.calls, run(givenAt: call.instant))) }
    if let entry = entries.first { jobs.append((.background, run(givenAt: entry))) }
    if let first = returns.first { jobs.append((.return, run(givenAt: first))) }
    return jobs.min { $0.instant < $1.instant }
  }

  /// When a job of the storage timer begins ahead of another one; only its steps tell of it.
  private mutating func otherJob(before instant: Instant) -> Instant? {
    steps = steps.drop { $0 <= newest.ends }
    guard let step = steps.first, step - diskStep < instant else { return nil }
    return step - diskStep
  }

  /// When a job runs.
  private func run(givenAt instant: Instant) -> Instant {
    instant <= newest.began ? newest.ends : max(instant + handOff, newest.ends)
  }

  /// A job lasts as long as its steps of the file system follow each other.
  private mutating func begin(
    at instant: Instant, hasSteps: Bool = true, isTimer: Bool = false, takesCalls: Bool = false,
    isEnd: Bool = false
  ) {
    newest = (instant, instant)
    guard hasSteps else { return }
    var end = instant
    steps = steps.drop { $0 <= end }
    var hasAdded = isTimer
    while steps.first == end + diskStep {
      if isTimer, !life.barriers.contains(end + diskStep), isCallWaiting(behind: nil, at: end) {
        break
      }
      if isEnd, life.writes.contains(end + diskStep), isCallWaiting(behind: nil, at: end) {
        // The end of a request only takes messages off the disk.
        break
      }
      if takesCalls, life.queueBarriers.contains(end + diskStep),
        entries.first.map({ $0 <= instant }) ?? false
      {
        // What the way to the background has made comes in a job ahead of its barriers.
        break
      }
      if life.sizes.contains(end + diskStep) {
        // A second look at a file, or one behind the barriers of the timer, is that of a call
        // that waited for this job's end.
        if hasAdded, isCallWaiting(behind: takesCalls ? instant : nil, at: end) { break }
        hasAdded = true
      }
      end = end + diskStep
      steps = steps.dropFirst()
    }
    newest = (instant, end)
  }

  private func isCallWaiting(behind own: Instant?, at end: Instant) -> Bool {
    calls.contains { call in call.instant <= end && own.map { call.instant > $0 } ?? true }
  }

  // MARK: The lane

  @discardableResult
  private mutating func takeCalls(upTo instant: Instant, isStart: Bool) -> Bool {
    var hasFlush = false
    var instant = instant
    let given = instant
    while let call = calls.first, call.instant <= given {
      calls = calls.dropFirst()
      switch call.kind {
      case .message(let message):
        add(message, at: instant)
      case .flush:
        hasFlush = true
        if !isStart { cover() }
      // What comes behind it waits for its wipe.
      case .grant:
        if !hasConsent { launched = instant }
        hasConsent = true
      case .revoke:
        hasConsent = false
        launched = nil
        instant = life.wipes.first { $0 > instant && $0 <= newest.ends } ?? instant
      case .other: break
      }
    }
    return hasFlush
  }

  private mutating func cover() { covered = queue.map(\.message) }

  private func isOpen(_ message: Int32) -> Bool { !covered.contains(message) }

  private mutating func endRequest() {
    isInFlight = false
    let sent = requests[requests.count - 1].messages
    queue.removeAll { sent.contains($0.message) }
  }

  private func process(of message: Int32) -> Int32 {
    life.stored.first { $0.message == message }?.process ?? life.number
  }

  /// The end of the interval of the oldest message that nothing covers.
  private var deadline: Instant? {
    queue.first { isOpen($0.message) }.map { $0.queued + interval }
  }

  /// When the SDK's timer for it fires: late, if the app was suspended.
  private var timerInstant: Instant? {
    guard !isInFlight, let deadline else { return nil }
    return firing(of: deadline)
  }

  private func firing(of deadline: Instant) -> Instant? {
    for suspension in life.suspensions where suspension.from <= deadline {
      guard let until = suspension.until else { return nil }
      if deadline < until { return until }
    }
    return deadline
  }

  private mutating func advance() {
    if isInFlight || queue.isEmpty { return }
    if isOpen(queue[0].message) {
      guard let deadline, deadline <= newest.ends else { return }
      cover()
    }
    let own = process(of: queue[0].message)
    // A request holds messages of one process.
    let batch = queue.prefix { !isOpen($0.message) && process(of: $0.message) == own }.prefix(
      life.options.flushAt)
    requests.append(Request(instant: newest.ends, messages: batch.map(\.message)))
    isInFlight = true
  }
}
