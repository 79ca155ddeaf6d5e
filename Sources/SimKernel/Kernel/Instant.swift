/// A point of true simulated time, in nanoseconds since the start of the run.
public struct Instant: Comparable, Hashable, Sendable {
  /// The point itself.
  public var nanoseconds: Int64

  @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static let start = Instant(nanoseconds: 0)
  public static let endOfTime = Instant(nanoseconds: .max)

  @inlinable public static func < (left: Instant, right: Instant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
  @inlinable public static func + (left: Instant, right: TimeSpan) -> Instant {
    Instant(nanoseconds: left.nanoseconds &+ right.nanoseconds)
  }
  @inlinable public static func - (left: Instant, right: TimeSpan) -> Instant {
    Instant(nanoseconds: left.nanoseconds &- right.nanoseconds)
  }
  @inlinable public static func - (left: Instant, right: Instant) -> TimeSpan {
    TimeSpan(nanoseconds: left.nanoseconds &- right.nanoseconds)
  }

  /// Seconds since the start of the run, for people and reports only.
  public var seconds: Double { Double(nanoseconds) / 1e9 }
}

/// A length of simulated time in nanoseconds; negative spans point backwards.
public struct TimeSpan: Comparable, Hashable, Sendable {
  public var nanoseconds: Int64

  @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static let zero = TimeSpan(nanoseconds: 0)

  /// A span of so many microseconds.
  @inlinable public static func microseconds(_ count: Int64) -> TimeSpan {
    TimeSpan(nanoseconds: count &* 1_000)
  }
  /// A span of so many milliseconds.
  @inlinable public static func milliseconds(_ count: Int64) -> TimeSpan {
    TimeSpan(nanoseconds: count &* 1_000_000)
  }
  /// A span of so many seconds.
  @inlinable public static func seconds(_ count: Int64) -> TimeSpan {
    TimeSpan(nanoseconds: count &* 1_000_000_000)
  }
  /// A span of so many minutes.
  @inlinable public static func minutes(_ count: Int64) -> TimeSpan { .seconds(count &* 60) }
  /// A span of so many hours.
  @inlinable public static func hours(_ count: Int64) -> TimeSpan { .seconds(count &* 3_600) }
  /// A span of so many days.
  @inlinable public static func days(_ count: Int64) -> TimeSpan { .seconds(count &* 86_400) }

  /// The whole milliseconds in this span, rounded towards zero.
  @inlinable public var milliseconds: Int64 { nanoseconds / 1_000_000 }

  @inlinable public static func < (left: TimeSpan, right: TimeSpan) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
  @inlinable public static func + (left: TimeSpan, right: TimeSpan) -> TimeSpan {
    TimeSpan(nanoseconds: left.nanoseconds &+ right.nanoseconds)
  }
  @inlinable public static func - (left: TimeSpan, right: TimeSpan) -> TimeSpan {
    TimeSpan(nanoseconds: left.nanoseconds &- right.nanoseconds)
  }
  @inlinable public static func * (left: TimeSpan, right: Int64) -> TimeSpan {
    TimeSpan(nanoseconds: left.nanoseconds &* right)
  }
}
