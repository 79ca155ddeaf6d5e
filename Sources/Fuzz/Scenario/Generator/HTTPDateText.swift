/// The three forms in which HTTP writes a date.
enum HTTPDateText {
  enum Form: CaseIterable {
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

  /// - Parameter seconds: since the Unix epoch, not before it.
  static func text(_ seconds: Int64, _ form: Form) -> String {
    let civil = CivilTime(secondsSinceEpoch: seconds)
    let day = days[Int(civil.daysSinceEpoch % 7)]
    let month = months[civil.month - 1]
    let time = "\(two(civil.hour)):\(two(civil.minute)):\(two(civil.second))"
    switch form {
    case .fixed:
      return "\(day.prefix(3)), \(two(civil.day)) \(month) \(civil.year) \(time) GMT"
    case .rfc850:
      return "\(day), \(two(civil.day))-\(month)-\(two(civil.year % 100)) \(time) GMT"
    case .asctime:
      let padding = civil.day < 10 ? " " : ""
      return "\(day.prefix(3)) \(month) \(padding)\(civil.day) \(time) \(civil.year)"
    }
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
