/// Times as they stand on the wire: `yyyy-MM-ddTHH:mm:ss.SSSZ` in UTC.
enum Timestamps {
  /// Milliseconds since the Unix epoch, or nil if the text has another shape.
  static func milliseconds(_ text: UnsafeRawBufferPointer) -> Int64? {
    guard text.count == 24, text[23] == 0x5a, text[10] == 0x54, text[19] == 0x2e else { return nil }
    guard text[4] == 0x2d, text[7] == 0x2d, text[13] == 0x3a, text[16] == 0x3a else { return nil }
    guard let year = number(text, 0, 4), let month = number(text, 5, 2),
      let day = number(text, 8, 2), let hour = number(text, 11, 2),
      let minute = number(text, 14, 2), let second = number(text, 17, 2),
      let millisecond = number(text, 20, 3)
    else { return nil }
    guard (1...12).contains(month), (1...31).contains(day) else { return nil }
    guard hour < 24, minute < 60, second < 60 else { return nil }
    let days = daysFromCivil(year: year, month: month, day: day)
    return ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1_000 + millisecond
  }

  /// Appends a time to `bytes`.
  static func append(milliseconds: Int64, to bytes: inout [UInt8]) {
    let day: Int64 = 86_400_000
    var days = milliseconds / day
    var rest = milliseconds % day
    if rest < 0 {
      rest += day
      days -= 1
    }
    let date = civilFromDays(days)
    appendDigits(date.year, 4, &bytes)
    bytes.append(0x2d)
    appendDigits(date.month, 2, &bytes)
    bytes.append(0x2d)
    appendDigits(date.day, 2, &bytes)
    bytes.append(0x54)
    appendDigits(rest / 3_600_000, 2, &bytes)
    bytes.append(0x3a)
    appendDigits(rest / 60_000 % 60, 2, &bytes)
    bytes.append(0x3a)
    appendDigits(rest / 1_000 % 60, 2, &bytes)
    bytes.append(0x2e)
    appendDigits(rest % 1_000, 3, &bytes)
    bytes.append(0x5a)
  }

  private static func number(_ text: UnsafeRawBufferPointer, _ start: Int, _ count: Int) -> Int64? {
    var value: Int64 = 0
    for index in start..<start + count {
      let digit = text[index] &- 0x30
      if digit > 9 { return nil }
      value = value * 10 + Int64(digit)
    }
    return value
  }

  private static func appendDigits(_ value: Int64, _ count: Int, _ bytes: inout [UInt8]) {
    var divisor: Int64 = 1
    for _ in 1..<count { divisor *= 10 }
    while divisor > 0 {
      bytes.append(0x30 + UInt8(truncatingIfNeeded: value / divisor % 10))
      divisor /= 10
    }
  }

  /// Days since 1970-01-01 of a date in the Gregorian calendar, counted in eras of 400 years that
  /// begin in March.
  static func daysFromCivil(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  static func civilFromDays(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, day)
  }
}
