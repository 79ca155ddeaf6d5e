/// How one lane batches and retries. A lane is this value, not a branch in the code.
struct LanePolicy: Hashable, Sendable {
  /// The wait after the first failure.
  var baseNanoseconds: Int64
  /// By how much the wait grows with each further failure.
  var factor: Int64
  var capNanoseconds: Int64
  /// How far a wait may lie off, to both sides, in thousandths.
  var jitterPerMille: Int64
  /// How often a batch is tried; nil is without limit (TRN-23).
  var attemptLimit: Int?
  var mostMessages: Int
  /// The most bytes of a body, envelope included (S-09).
  var mostBytes: Int
  /// Answers that refuse a batch for good.
  var finalStatuses: [Int]
  /// The least wait after a 429, whatever it says.
  var leastRateLimitNanoseconds: Int64
  /// From this 429 in a row on, the backoff is waited for as well.
  var rateLimitsBeforeBackoff: Int
  var mostRetryAfterNanoseconds: Int64
  var idleTimeoutMilliseconds: Int
  var totalTimeoutMilliseconds: Int
  /// Kept messages older than this go, in nanoseconds (TRN-24).
  var mostAgeNanoseconds: Int64

  /// The lane of document 000.
  static func postlip(flushAt: Int) -> LanePolicy {
    LanePolicy(
      baseNanoseconds: 10 * .nanosecondsPerSecond, factor: 4,
      capNanoseconds: 86_400 * .nanosecondsPerSecond, jitterPerMille: 200, attemptLimit: nil,
      mostMessages: min(20, flushAt), mostBytes: 512_000, finalStatuses: [400, 403],
      leastRateLimitNanoseconds: .nanosecondsPerSecond, rateLimitsBeforeBackoff: 3,
      mostRetryAfterNanoseconds: 86_400 * .nanosecondsPerSecond,
      idleTimeoutMilliseconds: 20_000, totalTimeoutMilliseconds: 120_000,
      mostAgeNanoseconds: 2_592_000 * .nanosecondsPerSecond)
  }

  /// The lane of Apple's attribution API: four attempts at most, 5 s apart (ATT-06). Its answer
  /// counts for as long as `$first_open` waits.
  static let appleSearchAds = LanePolicy(
    baseNanoseconds: 5 * .nanosecondsPerSecond, factor: 1,
    capNanoseconds: 5 * .nanosecondsPerSecond, jitterPerMille: 0, attemptLimit: 4,
    mostMessages: 1, mostBytes: 65_536, finalStatuses: [], leastRateLimitNanoseconds: 0,
    rateLimitsBeforeBackoff: 1, mostRetryAfterNanoseconds: 0, idleTimeoutMilliseconds: 20_000,
    totalTimeoutMilliseconds: 20_000, mostAgeNanoseconds: FirstOpen.patienceNanoseconds)

  /// The wait after a failure: grows to the cap, then is moved within the jitter (TRN-22, S-14).
  /// - Parameters:
  ///   - failures: how many failures came before, since the last success.
  ///   - random: 64 random bits; all values are equally likely.
  func backoffNanoseconds(failures: Int, random: UInt64) -> Int64 {
    var wait = baseNanoseconds
    for _ in 0..<failures {
      if wait >= capNanoseconds { break }
      wait *= factor
    }
    wait = min(wait, capNanoseconds)
    let width = UInt64(wait / 1_000 * jitterPerMille * 2 + 1)
    let offset = Int64(random.multipliedFullWidth(by: width).high)
    return wait - wait / 1_000 * jitterPerMille + offset
  }
}

extension Int64 {
  static let nanosecondsPerSecond: Int64 = 1_000_000_000
}
