import SimKernel

/// Spans as people write them: `1h 30m 5s 250ms`.
enum SpanText {
  private static let units: [(name: String, nanoseconds: UInt64)] = [
    ("d", 86_400_000_000_000), ("h", 3_600_000_000_000), ("m", 60_000_000_000),
    ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000), ("ns", 1),
  ]

  static func text(_ span: TimeSpan) -> String {
    if span == .zero { return "0s" }
    var rest = span.nanoseconds.magnitude
    var parts: [String] = []
    for unit in units where rest >= unit.nanoseconds {
      parts.append("\(rest / unit.nanoseconds)\(unit.name)")
      rest %= unit.nanoseconds
    }
    return (span.nanoseconds < 0 ? "-" : "") + parts.joined(separator: " ")
  }

  /// - Returns: nothing where the text is no span, or one that 64 bits of nanoseconds cannot hold.
  static func span(_ text: String) -> TimeSpan? {
    let isNegative = text.hasPrefix("-")
    let parts = (isNegative ? text.dropFirst() : text[...]).split(
      separator: " ", omittingEmptySubsequences: false)
    var total: UInt64 = 0
    var nextUnit = 0
    for part in parts {
      let digits = part.prefix { $0.isASCII && $0.isNumber }
      let name = part[digits.endIndex...]
      guard let count = UInt64(digits),
        let place = units[nextUnit...].firstIndex(where: { $0.name == name })
      else { return nil }
      // Each unit once and the larger first, so that a slip of the keyboard does not go unseen.
      nextUnit = place + 1
      let (product, overflows) = count.multipliedReportingOverflow(by: units[place].nanoseconds)
      let (sum, carries) = total.addingReportingOverflow(product)
      if overflows || carries { return nil }
      total = sum
    }
    if isNegative {
      return total <= Int64.min.magnitude
        ? TimeSpan(nanoseconds: 0 &- Int64(truncatingIfNeeded: total)) : nil
    }
    return total <= UInt64(Int64.max) ? TimeSpan(nanoseconds: Int64(total)) : nil
  }
}

extension Form where Value == TimeSpan {
  /// A span in a range.
  static func span(in range: ClosedRange<TimeSpan>) -> Form {
    Form(
      write: { .string(SpanText.text($0)) },
      read: { (json, place) throws(ScenarioFileError) in
        guard case .string(let text) = json, let span = SpanText.span(text) else {
          throw place.error(
            "\(describe(json)) is no span", "write it like \"1h 30m 5s 250ms\"")
        }
        guard range.contains(span) else {
          throw place.error(
            "\(describe(json)) is out of range",
            "write \(SpanText.text(range.lowerBound)) to \(SpanText.text(range.upperBound))")
        }
        return span
      })
  }

  /// A point of a run, counted from its start.
  static let sinceStart = span(in: .zero...longest)

  /// The longest run: three years.
  static let longest = TimeSpan.days(1_096)
}

extension Form where Value == Int64 {
  /// Milliseconds written as a span.
  static func milliseconds(in range: ClosedRange<Int64>) -> Form {
    Form<TimeSpan>.span(in: .milliseconds(range.lowerBound)...(.milliseconds(range.upperBound)))
      .map(
        to: { (span, place) throws(ScenarioFileError) in
          guard span.nanoseconds % 1_000_000 == 0 else {
            throw place.error("a part of a millisecond does not count here", "round it to ms")
          }
          return span.milliseconds
        }, from: { .milliseconds($0) })
  }
}

extension Form where Value == ClosedRange<Int64> {
  /// `20us to 400us`, or one span for a fixed delay; the numbers count units of so many
  /// nanoseconds.
  static func delays(of unit: Int64) -> Form {
    Form(
      write: { range in
        let low = SpanText.text(TimeSpan(nanoseconds: range.lowerBound &* unit))
        let high = SpanText.text(TimeSpan(nanoseconds: range.upperBound &* unit))
        return .string(low == high ? low : low + " to " + high)
      },
      read: { (json, place) throws(ScenarioFileError) in
        let mend = "write it like \"15ms to 180ms\", up to 1h"
        guard case .string(let text) = json else {
          throw place.error("\(describe(json)) is no delay", mend)
        }
        let (low, high) = parts(text)
        guard let first = SpanText.span(low), let last = SpanText.span(high), first >= .zero,
          first <= last, last <= .hours(1), first.nanoseconds % unit == 0,
          last.nanoseconds % unit == 0
        else { throw place.error("\(Quoted.text(text)) is no delay", mend) }
        return first.nanoseconds / unit...last.nanoseconds / unit
      })
  }

  private static func parts(_ text: String) -> (String, String) {
    let words = text.split(separator: " ")
    guard let place = words.firstIndex(of: "to") else { return (text, text) }
    return (
      words[..<place].joined(separator: " "), words[(place + 1)...].joined(separator: " ")
    )
  }
}
