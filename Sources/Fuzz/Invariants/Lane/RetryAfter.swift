import FuzzHistory
import SimKernel

/// What a `Retry-After` header asks for: bounds, since a date is read against a clock (S-13).
public enum RetryAfter: Equatable, Sendable {
  /// There is no such header.
  case absent
  /// It says nothing that can be read: the backoff holds.
  case unreadable
  /// At least and at most so long after the answer, capped at 24 h.
  case wait(TimeSpan, TimeSpan)

  static let cap = TimeSpan.hours(24)

  /// Reads the header of an answer.
  /// - Parameter deviceClocks: what the device may take for the wall time at the answer, in
  ///   milliseconds; used where the answer has no date of its own.
  static func read(
    headers: UnsafeRawBufferPointer, deviceClocks: [Int64]
  ) -> RetryAfter {
    guard let value = HeaderLines.value(of: "retry-after", in: headers) else { return .absent }
    let text = String(decoding: value, as: UTF8.self)
    if !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) {
      // Too many digits for a number are a very long time all the same.
      let seconds = min(86_400, Int64(text) ?? 86_400)
      return .wait(.seconds(seconds), .seconds(seconds))
    }
    // Below zero is either nothing that can be read or long past.
    if text.hasPrefix("-"), Int64(text) != nil { return .wait(.zero, RetryAfter.cap) }
    guard let date = HTTPTime.seconds(text) else { return .unreadable }
    var clocks = deviceClocks
    if let own = HeaderLines.value(of: "date", in: headers),
      let seconds = HTTPTime.seconds(String(decoding: own, as: UTF8.self))
    {
      clocks = [seconds * 1_000]
    }
    let waits = clocks.map {
      min(RetryAfter.cap, max(.zero, TimeSpan.milliseconds(date * 1_000 - $0)))
    }
    guard let shortest = waits.min(), let longest = waits.max() else { return .unreadable }
    return .wait(shortest, longest)
  }
}

/// Header fields as the history stores them: lines `Name: value`.
enum HeaderLines {
  /// The value of the first field with this name, given in lower case; outer spaces are cut.
  static func value(
    of name: StaticString, in headers: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer? {
    var found: UnsafeRawBufferPointer?
    forEach(headers) { fieldName, value in
      if found == nil, equals(fieldName, name) { found = value }
    }
    return found
  }

  /// How many fields have this name, given in lower case.
  static func count(of name: StaticString, in headers: UnsafeRawBufferPointer) -> Int {
    var count = 0
    forEach(headers) { fieldName, _ in if equals(fieldName, name) { count += 1 } }
    return count
  }

  /// Walks over the fields.
  static func forEach(
    _ headers: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Void
  ) {
    var start = 0
    while start < headers.count {
      var end = start
      var colon = -1
      while end < headers.count, headers[end] != 0x0A {
        if colon < 0, headers[end] == UInt8(ascii: ":") { colon = end }
        end += 1
      }
      if colon >= 0 {
        var first = colon + 1
        var last = end
        while first < last, headers[first] == 0x20 { first += 1 }
        while last > first, headers[last - 1] == 0x20 || headers[last - 1] == 0x0D { last -= 1 }
        body(
          UnsafeRawBufferPointer(rebasing: headers[start..<colon]),
          UnsafeRawBufferPointer(rebasing: headers[first..<last]))
      }
      start = end + 1
    }
  }

  private static func equals(_ name: UnsafeRawBufferPointer, _ word: StaticString) -> Bool {
    guard name.count == word.utf8CodeUnitCount else { return false }
    for index in 0..<name.count {
      var byte = name[index]
      if byte >= UInt8(ascii: "A"), byte <= UInt8(ascii: "Z") { byte |= 0x20 }
      if byte != word.utf8Start[index] { return false }
    }
    return true
  }
}

/// The three spellings of a time in HTTP, always UTC.
enum HTTPTime {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Seconds since the Unix epoch; nil where the text is none of the spellings.
  static func seconds(_ text: String) -> Int64? {
    let words = text.split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init)
    if words.count == 6, words[5] == "GMT" {
      // Sun, 06 Nov 1994 08:49:37 GMT
      return seconds(day: words[1], month: words[2], year: words[3], time: words[4])
    }
    if words.count == 4, words[3] == "GMT" {
      // Sunday, 06-Nov-94 08:49:37 GMT
      let parts = words[1].split(separator: "-").map(String.init)
      guard parts.count == 3, let short = Int64(parts[2]) else { return nil }
      let year = short < 70 ? 2_000 + short : 1_900 + short
      return seconds(day: parts[0], month: parts[1], year: String(year), time: words[2])
    }
    if words.count == 5 {
      // Sun Nov  6 08:49:37 1994
      return seconds(day: words[2], month: words[1], year: words[4], time: words[3])
    }
    return nil
  }

  private static func seconds(
    day: String, month: String, year: String, time: String
  ) -> Int64? {
    let parts = time.split(separator: ":").compactMap { Int64($0) }
    guard parts.count == 3, let day = Int64(day), let year = Int64(year),
      let index = months.firstIndex(of: month), (1...31).contains(day)
    else { return nil }
    let days = Timestamps.daysFromCivil(year: year, month: Int64(index) + 1, day: day)
    return ((days * 24 + parts[0]) * 60 + parts[1]) * 60 + parts[2]
  }
}
