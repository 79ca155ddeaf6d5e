/// The header `Retry-After`: seconds or an HTTP date (RFC 9110, section 10.2.3; S-13).
enum RetryAfter {
  /// Reads the wait that a response asks for.
  /// - Parameters:
  ///   - deviceTime: the device's time in milliseconds since the Unix epoch, for a date without
  ///     `Date`.
  /// - Returns: nanoseconds; nil where the header is missing or unreadable.
  static func nanoseconds(_ response: HTTPResponse, deviceTime: Int64) -> Int64? {
    guard let text = value(of: "retry-after", in: response) else { return nil }
    if let seconds = seconds(text) { return seconds * .nanosecondsPerSecond }
    guard let date = HTTPDate.parse(text) else { return nil }
    let base =
      value(of: "date", in: response).flatMap { HTTPDate.parse($0) }
      ?? floorDivide(deviceTime, 1_000)
    return max(0, min(date - base, mostSeconds)) * .nanosecondsPerSecond
  }

  /// More makes no difference: waits are capped at a day.
  private static let mostSeconds: Int64 = 1_000_000

  private static func value(of name: String, in response: HTTPResponse) -> [UInt8]? {
    guard let header = response.headers.first(where: { isSame($0.name, name) }) else { return nil }
    let bytes = Array(header.value.utf8)
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    guard let first = bytes.firstIndex(where: { !isSpace($0) }),
      let last = bytes.lastIndex(where: { !isSpace($0) })
    else { return nil }
    return Array(bytes[first...last])
  }

  private static func isSame(_ name: String, _ lowercase: String) -> Bool {
    name.utf8.count == lowercase.utf8.count
      && zip(name.utf8, lowercase.utf8).allSatisfy {
        ((0x41...0x5A).contains($0) ? $0 | 0x20 : $0) == $1
      }
  }

  /// Digits only; as many as there are.
  private static func seconds(_ text: [UInt8]) -> Int64? {
    var seconds: Int64 = 0
    for byte in text {
      guard (0x30...0x39).contains(byte) else { return nil }
      seconds = min(seconds * 10 + Int64(byte - 0x30), mostSeconds)
    }
    return text.isEmpty ? nil : seconds
  }
}

/// The three forms of a date in HTTP (RFC 9110, section 5.6.7).
enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ].map { Array($0.utf8) }

  /// Reads a date; seconds since the Unix epoch, or nil if it is none.
  static func parse(_ text: [UInt8]) -> Int64? {
    if text.count > 64 { return nil }
    let words = text.split { $0 == 0x20 || $0 == 0x2C }.map { Array($0) }
    switch words.count {
    case 6 where words[5] == Array("GMT".utf8):
      // Sun, 06 Nov 1994 08:49:37 GMT
      return date(day: words[1], month: words[2], year: words[3], time: words[4])
    case 4 where words[3] == Array("GMT".utf8):
      // Sunday, 06-Nov-94 08:49:37 GMT
      let parts = words[1].split(separator: 0x2D, omittingEmptySubsequences: false).map {
        Array($0)
      }
      guard parts.count == 3, parts[2].count == 2, let short = number(parts[2]) else { return nil }
      let year = Array(String(short < 70 ? 2_000 + short : 1_900 + short).utf8)
      return date(day: parts[0], month: parts[1], year: year, time: words[2])
    case 5:
      // Sun Nov  6 08:49:37 1994
      return date(day: words[2], month: words[1], year: words[4], time: words[3])
    default: return nil
    }
  }

  private static func date(day: [UInt8], month: [UInt8], year: [UInt8], time: [UInt8]) -> Int64? {
    guard let month = months.firstIndex(of: month), let day = number(day), let year = number(year),
      year >= 1_000, (1...31).contains(day)
    else { return nil }
    let parts = time.split(separator: 0x3A, omittingEmptySubsequences: false).map { Array($0) }
    guard parts.count == 3, parts.allSatisfy({ $0.count == 2 }), let hour = number(parts[0]),
      let minute = number(parts[1]), let second = number(parts[2]),
      hour < 24, minute < 60, second <= 60
    else { return nil }
    let days = Timestamp.days(year: year, month: month + 1, day: day)
    let back = Timestamp.civil(days: days)
    guard back.day == day, back.month == month + 1 else { return nil }
    return Int64(days * 86_400 + hour * 3_600 + minute * 60 + second)
  }

  private static func number(_ digits: [UInt8]) -> Int? {
    guard (1...4).contains(digits.count) else { return nil }
    var value = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      value = value * 10 + Int(digit - 0x30)
    }
    return value
  }
}
