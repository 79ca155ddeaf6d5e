/// The launch of a process as its lifecycle events need it: `load`, whatever came before it.
struct Launch: Sendable {
  /// A key for random draws: the ordinal of `load`.
  var ordinal: UInt64
  /// The clock that runs in sleep at `load`, or at the first accepted call where that was earlier
  /// (C-28), in nanoseconds.
  var uptime: Int64
  /// The anchored time of that instant in milliseconds.
  var time: Int64
  /// What was read at `load`.
  var current: CurrentContext
}

/// `$first_open` from the instant at which consent makes it due until it is queued (LIF-06 to
/// LIF-13, A-28). It waits for two things: that it lies on disk with its id, so that it goes once
/// whatever happens to the process, and that the facts of the install are known or 20 s have
/// passed.
struct FirstOpen: Sendable {
  /// The longest that it waits for facts (LIF-09).
  static let patienceNanoseconds: Int64 = 20_000_000_000

  /// What its message will be made of.
  struct Due: Sendable {
    var record: PendingFirstOpen
    /// The ids of the launch, also where a reset has replaced them since (S-48).
    var circumstances: Circumstances
    var launch: Launch
    /// Another process made it due: it belongs to that one's session.
    var isLate: Bool
  }

  private(set) var due: Due?
  private(set) var facts: InstallFacts?
  private(set) var hasWaited = false
  /// Nobody was asked yet for the facts.
  private(set) var isUnasked = false
  /// When its patience ends, on the clock that runs in sleep.
  private var deadline: Int64 = 0
  /// Tells the answers that were asked for in vain from those that count.
  private(set) var attempt: UInt64 = 0

  /// Begins to wait.
  /// - Returns: what the answers have to name.
  mutating func begin(_ due: Due, now: Int64) -> UInt64 {
    attempt += 1
    self.due = due
    facts = nil
    hasWaited = false
    isUnasked = true
    deadline = now + Self.patienceNanoseconds
    return attempt
  }

  /// Somebody is asked for the facts.
  /// - Returns: what the answers have to name.
  mutating func ask() -> UInt64 {
    isUnasked = false
    return attempt
  }

  /// Whether an answer would count. A suspension may end with one that is too late before the timer
  /// says so (S-49).
  func isWaiting(attempt: UInt64, now: Int64) -> Bool {
    attempt == self.attempt && due != nil && facts == nil && !hasWaited && now < deadline
  }

  /// Takes the facts; those of an earlier wait, and those that are late, are let go (S-49).
  mutating func take(_ facts: InstallFacts, attempt: UInt64, now: Int64) {
    if isWaiting(attempt: attempt, now: now) { self.facts = facts }
  }

  /// 20 s have passed.
  mutating func takeTimeout(attempt: UInt64) {
    if attempt == self.attempt, due != nil, facts == nil { hasWaited = true }
  }

  /// What was found on disk in place of what was to be stored: it goes under that id.
  mutating func adopt(_ record: PendingFirstOpen) {
    due?.record = record
    due?.isLate = true
  }

  /// It is not due any more: queued, or withdrawn (S-48).
  mutating func end() {
    attempt += 1
    due = nil
    isUnasked = false
  }

  /// What is to be queued now.
  /// - Parameter stored: the marks that lie on disk; nil while that is not known.
  func ready(stored: InstallMarks?) -> Due? {
    guard let due, facts != nil || hasWaited, stored?.firstOpen == due.record else { return nil }
    return due
  }
}
