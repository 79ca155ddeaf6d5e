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

  private let life: CalmWitness.Life
  private let handOff: TimeSpan
  private let diskStep: TimeSpan
  private let interval: TimeSpan

  private var queue: [(message: Int32, queued: Instant)] = []
  private var coveredUpTo: Int32 = -1
  private var isInFlight = false
  private(set) var requests: [Request] = []

  private var calls: ArraySlice<CalmWitness.Call>
  private var entries: ArraySlice<Instant>
  private var returns: ArraySlice<Instant>
  private var steps: ArraySlice<Instant>
  /// When the newest job began, and when it ends.
  private var newest = (began: Instant.start, ends: Instant.start)

  init(_ life: CalmWitness.Life, handOff: TimeSpan, diskStep: TimeSpan) {
    self.life = life
    self.handOff = handOff
    self.diskStep = diskStep
    interval = TimeSpan(nanoseconds: life.options.flushIntervalNanoseconds)
    calls = life.calls[...]
    entries = life.entries[...]
    returns = life.returns[...]
    steps = life.diskSteps[...]
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
      // A timer that is late for a suspension runs ahead of the job of the return, which writes the
      // session: the steps are not its own.
      let isFollowed =
        job.kind != .return && returns.first.map { $0 + handOff <= job.instant } ?? false
      begin(at: job.instant, hasSteps: !isFollowed, takesCalls: job.kind == .calls)
      switch job.kind {
      case .end: endRequest()
      case .calls: takeCalls(upTo: job.instant, isStart: false)
      case .background:
        entries = entries.dropFirst()
        cover()
      case .return: returns = returns.dropFirst()
      case .interval: break
      }
      advance()
    }
  }

  private enum JobKind {
    case end
    case calls
    case background
    case `return`
    case interval
  }

  private var nextJob: (kind: JobKind, instant: Instant)? {
    var jobs: [(kind: JobKind, instant: Instant)] = []
    if isInFlight, let end = life.requests[requests.count - 1].end { jobs.append((.end, end)) }
    if let call = calls.first { jobs.append((.calls, run(givenAt: call.instant))) }
    if let entry = entries.first { jobs.append((.background, run(givenAt: entry))) }
    if let timer = timerInstant { jobs.append((.interval, run(givenAt: timer))) }
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
    at instant: Instant, hasSteps: Bool = true, isTimer: Bool = false, takesCalls: Bool = false
  ) {
    newest = (instant, instant)
    guard hasSteps else { return }
    var end = instant
    steps = steps.drop { $0 <= end }
    var hasAdded = isTimer
    while steps.first == end + diskStep {
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
        queue.append((message, instant))
        if queue.count(where: { $0.message > coveredUpTo }) >= life.options.flushAt { cover() }
      case .flush:
        hasFlush = true
        if !isStart { cover() }
      // What comes behind it waits for its wipe.
      case .revoke:
        instant = life.wipes.first { $0 > instant && $0 <= newest.ends } ?? instant
      case .other: break
      }
    }
    return hasFlush
  }

  private mutating func cover() { coveredUpTo = max(coveredUpTo, queue.last?.message ?? -1) }

  private mutating func endRequest() {
    isInFlight = false
    let sent = requests[requests.count - 1].messages
    queue.removeAll { sent.contains($0.message) }
  }

  /// The end of the interval of the oldest message that nothing covers.
  private var deadline: Instant? {
    queue.first { $0.message > coveredUpTo }.map { $0.queued + interval }
  }

  /// When the SDK's timer for it fires: late, if the app was suspended.
  private var timerInstant: Instant? {
    guard !isInFlight, let deadline else { return nil }
    for suspension in life.suspensions where suspension.from <= deadline {
      guard let until = suspension.until else { return nil }
      if deadline < until { return until }
    }
    return deadline
  }

  private mutating func advance() {
    if isInFlight || queue.isEmpty { return }
    if queue[0].message > coveredUpTo {
      guard let deadline, deadline <= newest.ends else { return }
      cover()
    }
    let batch = queue.prefix { $0.message <= coveredUpTo }.prefix(life.options.flushAt)
    requests.append(Request(instant: newest.ends, messages: batch.map(\.message)))
    isInFlight = true
  }
}
