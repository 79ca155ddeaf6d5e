import FuzzHistory
import SimKernel

/// The pause that a process owes before its next batch request, as bounds that every lawful reading
/// of the rules keeps (TRN-17 to TRN-27, A-29, C-07, S-13, S-14, S-18).
public struct LaneWait {
  /// The request whose answer or failure began it.
  public var exchange: UInt32
  public var began: Instant
  /// The status that was received; 0 for a failure without an answer.
  public var status: UInt16
  /// How many answers 429 stand in a row, this one included; 0 for another end.
  public var rateLimitsInRow: Int
  /// Nothing starts before this: Retry-After, and one second after a 429.
  public var floor: Instant
  /// The backoff's earliest end; a flush or a return to the foreground skips it.
  public var earliest: Instant
  /// The latest end of the pause by any reading; what the world itself adds comes on top.
  public var latest: Instant
  /// The latest that a skip leaves standing.
  public var latestFloor: Instant
  /// Since when a flush or a return to the foreground has skipped the backoff.
  public var skipped: Instant?
  /// Such a trigger came so shortly before that the client may have seen it after.
  public var maySkip = false
  /// The process was suspended meanwhile: its timers fired late.
  public var isDisturbed = false
  /// The batch may have lost its messages to a revoke, age or damage: nothing has to follow.
  public var mayBeVoid = false
  /// Disk steps of the process before it began.
  var diskSteps: Int

  public var isRateLimit: Bool { rateLimitsInRow > 0 }

  /// What the next request has to keep to at least.
  public var due: Instant {
    skipped == nil && !maySkip && !mayBeVoid ? max(floor, earliest) : floor
  }
  /// By when the request has to have started.
  public var deadline: Instant {
    guard let skipped else { return latest }
    return min(latest, max(latestFloor, skipped))
  }
}

/// How many failures stand in a row: bounds, where the rules leave room.
struct FailureCount {
  var low = 0
  var high = 0

  /// The shortest and longest pause after one more failure, jitter included (TRN-22, S-14).
  func backoff() -> (shortest: TimeSpan, longest: TimeSpan) {
    (FailureCount.base(low) * 4, FailureCount.base(high) * 6)
  }

  /// A fifth of `min(24 h, 10 s × 4^attempt)`: jitter makes four to six of it.
  private static func base(_ attempt: Int) -> TimeSpan {
    var seconds: Int64 = 10
    for _ in 0..<min(attempt, 7) { seconds *= 4 }
    return TimeSpan(nanoseconds: min(86_400, seconds) * 200_000_000)
  }
}
