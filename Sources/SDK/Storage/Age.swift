/// How old a message is (A-03, S-24, S-25).
enum Age {
  /// 2026-01-01T00:00:00Z in milliseconds: no message is older than the SDK.
  static let releaseDate: Int64 = 1_767_225_600_000
  private static let millisecondsPerDay: Int64 = 86_400_000

  /// Whether a stamp of another boot cannot be true: before the SDK's release, or more than a day
  /// ahead.
  static func isImplausible(_ stamp: Stamp, present: Stamp) -> Bool {
    if stamp.boot == present.boot { return false }
    return stamp.time < releaseDate || stamp.time > present.time + millisecondsPerDay
  }

  /// The age in nanoseconds: by the clock that runs in sleep within one boot, else by the wall
  /// clock; never negative.
  static func nanoseconds(of stamp: Stamp, present: Stamp) -> Int64 {
    if stamp.boot == present.boot { return max(0, present.uptime &- stamp.uptime) }
    let (milliseconds, overflow) = present.time.subtractingReportingOverflow(stamp.time)
    if overflow || milliseconds < 0 { return 0 }
    return milliseconds > .max / 1_000_000 ? .max : milliseconds * 1_000_000
  }
}
