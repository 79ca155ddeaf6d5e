/// Times on the wire: `yyyy-MM-ddTHH:mm:ss.SSSZ`, in UTC and in the Gregorian calendar, whatever
/// the device's locale, calendar or zone (C-39).
enum Timestamp {
  static let millisecondsPerDay: Int64 = 86_400_000
  /// The first and last instants that four digits of a year can name, in milliseconds since 1970.
  static let range: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

  /// Adds a time in milliseconds since the Unix epoch; times outside `range` are moved to its ends.
  static func append(milliseconds: Int64, to bytes: inout [UInt8]) {
    let time = min(max(milliseconds, range.lowerBound), range.upperBound)
    let days = floorDivide(time, millisecondsPerDay)
    let rest = Int(time - days * millisecondsPerDay)
    let date = civil(days: Int(days))
    bytes.append(digits: date.year, width: 4)
    bytes.append(0x2D)
    bytes.append(digits: date.month, width: 2)
    bytes.append(0x2D)
    bytes.append(digits: date.day, width: 2)
    bytes.append(0x54)
    bytes.append(digits: rest / 3_600_000, width: 2)
    bytes.append(0x3A)
    bytes.append(digits: rest / 60_000 % 60, width: 2)
    bytes.append(0x3A)
    bytes.append(digits: rest / 1_000 % 60, width: 2)
    bytes.append(0x2E)
    bytes.append(digits: rest % 1_000, width: 3)
    bytes.append(0x5A)
  }

  /// The calendar date of a day counted from 1970-01-01.
  ///
  /// Counts in eras of 400 years that start on 1 March, so that the leap day is a year's last day.
  static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = Int(floorDivide(Int64(shifted), 146_097))
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  /// The day counted from 1970-01-01 of a calendar date; the inverse of `civil(days:)`.
  static func days(year: Int, month: Int, day: Int) -> Int {
    let marchYear = month <= 2 ? year - 1 : year
    let era = Int(floorDivide(Int64(marchYear), 400))
    let yearOfEra = marchYear - era * 400
    let marchMonth = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

/// Divides and rounds down, also for negative values; the divisor is positive.
@inline(__always)
func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
  let quotient = value / divisor
  return value % divisor < 0 ? quotient - 1 : quotient
}
