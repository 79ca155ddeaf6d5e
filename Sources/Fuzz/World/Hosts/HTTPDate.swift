/// The three date forms of HTTP, for servers that answer with dates.
enum HTTPDate {
  enum Form {
    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    case fixed
    /// `Sunday, 06-Nov-94 08:49:37 GMT`
    case rfc850
    /// `Sun Nov  6 08:49:37 1994`
    case asctime
  }

  private static let days = [
    "Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday",
  ]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// - Parameter seconds: since the Unix epoch.
  static func text(_ form: Form, seconds: Int64) -> String {
    let day = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    let rest = seconds - day * 86_400
    let time = "\(two(rest / 3_600)):\(two(rest / 60 % 60)):\(two(rest % 60))"
    let (year, month, dayOfMonth) = civil(day)
    let name = days[Int(((day % 7) + 7) % 7)]
    let short = name.prefix(3)
    let monthName = months[Int(month) - 1]
    switch form {
    case .fixed: return "\(short), \(two(dayOfMonth)) \(monthName) \(year) \(time) GMT"
    case .rfc850: return "\(name), \(two(dayOfMonth))-\(monthName)-\(two(year % 100)) \(time) GMT"
    case .asctime:
      let padded = dayOfMonth < 10 ? " \(dayOfMonth)" : "\(dayOfMonth)"
      return "\(short) \(monthName) \(padded) \(time) \(year)"
    }
  }

  private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// Year, month and day of a count of days since 1970-01-01.
  private static func civil(_ days: Int64) -> (Int64, Int64, Int64) {
    // Counts from 1 March of year 0, so that leap days come last.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthShifted = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthShifted + 2) / 5 + 1
    let month = monthShifted < 10 ? monthShifted + 3 : monthShifted - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}
