/// When a main thread hangs (HNG-01 to HNG-07, S-62): a pure value that is told what the main run
/// loop does and when somebody looks, and says what follows.
///
/// Somebody looks only while the main thread is busy in the foreground. Time counts from the newest
/// sign of life, but never more between two looks than a look may be late: what is beyond that was
/// spent in a suspension, or with the whole process waiting for its turn.
///
/// All instants are of the clock that stands still while the device sleeps, in nanoseconds.
struct HangWatch: Sendable {
  /// From one look to the next.
  static let intervalNanoseconds: Int64 = 250_000_000
  /// The most that counts between two looks.
  static let mostLateNanoseconds: Int64 = 1_000_000_000
  /// From so long a silence on it is a hang.
  static let limitNanoseconds: Int64 = 5_000_000_000

  /// What a look leads to.
  enum Verdict: Equatable, Sendable {
    /// Nothing is to be watched: the next sign of life says when it is again.
    case rest
    /// Look again after an interval.
    case goOn
    /// It hangs: report it, and rest.
    case report
  }

  /// Whether hangs are reported at all: the option, the panel and the user allow it.
  private(set) var isArmed = false
  private(set) var isForeground = false
  /// Until the first sign of life nobody knows: the main thread has to answer.
  private var isBusy = true
  /// Somebody is to look.
  private(set) var isLooking = false
  /// This silence was reported; the next report needs a sign of life (S-62).
  private var isReported = false
  /// How long the main thread has been silent, as far as it counts.
  private var silence: Int64 = 0
  private var lastLook: Int64 = 0

  /// Watches from now on; a silence from before does not count, and one that was reported is not
  /// reported again.
  /// - Returns: whether somebody must begin to look.
  mutating func arm(isForeground: Bool, at now: Int64) -> Bool {
    isArmed = true
    self.isForeground = isForeground
    return listen(at: now)
  }

  /// Watches no more until it is armed again (S-106).
  mutating func disarm() { isArmed = false }

  /// The main run loop has done something: a sign of life.
  /// - Returns: whether somebody must begin to look.
  mutating func note(_ activity: RunLoopActivity, at now: Int64) -> Bool {
    isBusy = activity != .beforeWaiting
    isReported = false
    return listen(at: now)
  }

  /// The app has come to the foreground or left it, which is a sign of life as well.
  /// - Returns: whether somebody must begin to look.
  mutating func move(isForeground: Bool, at now: Int64) -> Bool {
    self.isForeground = isForeground
    isReported = false
    return listen(at: now)
  }

  private mutating func listen(at now: Int64) -> Bool {
    silence = 0
    lastLook = now
    guard isArmed, isForeground, isBusy, !isLooking else { return false }
    isLooking = true
    return true
  }

  /// Somebody looks.
  /// - Parameter isDebugged: a debugger may hold the main thread: that is no hang (HNG-05).
  mutating func look(at now: Int64, isDebugged: Bool) -> Verdict {
    guard isArmed, isForeground, isBusy, !isReported else {
      isLooking = false
      return .rest
    }
    silence += min(max(now - lastLook, 0), Self.mostLateNanoseconds)
    lastLook = now
    if isDebugged { silence = 0 }
    guard silence >= Self.limitNanoseconds else { return .goOn }
    isReported = true
    isLooking = false
    return .report
  }
}
