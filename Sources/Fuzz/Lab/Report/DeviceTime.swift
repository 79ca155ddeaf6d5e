import FuzzHistory
import SimKernel

/// What the clock of the device shows along a history.
struct DeviceTime {
  private let trueEpoch: Int64
  /// How far the device's clock is ahead of true time, in nanoseconds.
  private var offset: Int64 = 0

  init(_ header: HistoryHeader) { trueEpoch = header.trueEpoch }

  /// Takes over what a record says of the clock.
  mutating func follow(_ record: Record) {
    switch record.fact {
    case .wallClockSet(_, let after):
      offset = after &- trueEpoch &- record.instant.nanoseconds
    case .callBegan(_, _, _, let wall, _),
      .requestStarted(_, _, _, _, _, _, _, _, _, let wall, _):
      offset = wall &- trueEpoch &- record.instant.nanoseconds
    default: return
    }
  }

  /// The clock at an instant, in nanoseconds since the Unix epoch.
  func wall(at instant: Instant) -> Int64 { trueEpoch &+ instant.nanoseconds &+ offset }

  /// A time in UTC: `2026-06-01 08:00:00.250`.
  static func text(_ nanoseconds: Int64) -> String {
    let milliseconds = nanoseconds.flooredDivision(by: 1_000_000)
    let day = milliseconds.flooredDivision(by: 86_400_000)
    let rest = milliseconds - day * 86_400_000
    let date = civil(daysSinceEpoch: day)
    func two(_ number: Int64) -> String { Figures.padded(number, 2) }
    return "\(Figures.padded(date.year, 4))-\(two(date.month))-\(two(date.day)) "
      + "\(two(rest / 3_600_000)):\(two(rest / 60_000 % 60)):\(two(rest / 1_000 % 60))."
      + Figures.padded(rest % 1_000, 3)
  }

  /// Year, month and day in the Gregorian calendar, counted over eras of 400 years from 1 March.
  private static func civil(daysSinceEpoch: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let days = daysSinceEpoch + 719_468
    let era = days.flooredDivision(by: 146_097)
    let dayOfEra = days - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1
    )
  }
}

extension Int64 {
  /// Division that rounds towards minus infinity.
  fileprivate func flooredDivision(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
