/// Moments as `2026-05-28T20:26:40.000Z`.
enum DateText {
  /// - Returns: nothing outside of the years 1 to 9999.
  static func text(milliseconds: Int64) -> String? {
    let fraction = ((milliseconds % 1_000) + 1_000) % 1_000
    let civil = CivilTime(secondsSinceEpoch: (milliseconds - fraction) / 1_000)
    guard (1...9_999).contains(civil.year), milliseconds > -100_000_000_000_000 else { return nil }
    return padded(civil.year, 4) + "-" + padded(civil.month, 2) + "-" + padded(civil.day, 2) + "T"
      + padded(civil.hour, 2) + ":" + padded(civil.minute, 2) + ":" + padded(civil.second, 2)
      + "." + padded(Int(fraction), 3) + "Z"
  }

  /// - Returns: nothing where the text is no moment of the calendar in exactly this form.
  static func milliseconds(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count == 24 else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      var value = 0
      for byte in bytes[range] {
        guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
        value = value * 10 + Int(byte - UInt8(ascii: "0"))
      }
      return value
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      let fraction = number(20..<23), year >= 1, (1...12).contains(month), day >= 1
    else { return nil }
    let days = CivilTime.daysSinceEpoch(year: year, month: month, day: day)
    let seconds = Int64(hour * 3_600 + minute * 60 + second)
    let milliseconds = (days * 86_400 + seconds) * 1_000 + Int64(fraction)
    // Whatever does not come back as it was is no date: the 30th of February, the 25th hour.
    return self.text(milliseconds: milliseconds) == text ? milliseconds : nil
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
