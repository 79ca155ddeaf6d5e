import Foundation

/// Clocks of the machine, for measuring the lab itself; nothing simulated reads them.
public enum ProcessClock {
  /// The processor time of this process in nanoseconds.
  public static func cpuNanoseconds() -> Int64 { read(CLOCK_PROCESS_CPUTIME_ID) }

  /// Time that passes, in nanoseconds from an unspecified start.
  public static func nanoseconds() -> Int64 { read(CLOCK_MONOTONIC) }

  /// Seconds since an earlier reading of `nanoseconds()`.
  public static func secondsSince(_ start: Int64) -> Double {
    Double(nanoseconds() - start) / 1e9
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    guard clock_gettime(clock, &time) == 0 else { return 0 }
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
