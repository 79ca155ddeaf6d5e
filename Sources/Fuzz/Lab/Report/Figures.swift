import SimKernel

/// Numbers as they are printed: the same digits on every machine.
public enum Figures {
  /// 16 hexadecimal digits.
  public static func hash(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Seconds with at least three decimals and as many more as the span has: `81.250`.
  public static func seconds(_ span: TimeSpan) -> String { seconds(span, atLeast: 3) }

  /// Seconds with no more decimals than needed: `172800`, `0.5`.
  public static func shortSeconds(_ span: TimeSpan) -> String { seconds(span, atLeast: 0) }

  /// A count with thin groups of three digits: `8 123`.
  public static func grouped(_ count: some BinaryInteger) -> String {
    let digits = String(count.magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(" ") }
      text.append(digit)
    }
    return (count < 0 ? "-" : "") + text
  }

  /// A span in the largest units that fit: `2 d 3 h`, `4 min 5 s`, `120 ms`.
  public static func span(_ span: TimeSpan) -> String {
    if span.nanoseconds < 0 {
      return "-" + self.span(TimeSpan(nanoseconds: 0 &- span.nanoseconds))
    }
    let milliseconds = span.milliseconds
    if milliseconds < 1_000 { return "\(milliseconds) ms" }
    let seconds = milliseconds / 1_000
    if seconds < 60 {
      let rest = milliseconds % 1_000
      return rest == 0 ? "\(seconds) s" : "\(seconds).\(padded(rest, 3)) s"
    }
    if seconds < 3_600 { return pair(seconds / 60, "min", seconds % 60, "s") }
    if seconds < 86_400 { return pair(seconds / 3_600, "h", seconds % 3_600 / 60, "min") }
    return pair(seconds / 86_400, "d", seconds % 86_400 / 3_600, "h")
  }

  /// A real number with a fixed count of decimals, rounded half away from zero.
  public static func decimal(_ value: Double, _ places: Int) -> String {
    guard value.isFinite else { return "0" }
    var scale: Double = 1
    for _ in 0..<places { scale *= 10 }
    let scaled = Int64((abs(value) * scale).rounded())
    let sign = value < 0 && scaled != 0 ? "-" : ""
    if places == 0 { return sign + String(scaled) }
    let unit = Int64(scale)
    return "\(sign)\(scaled / unit).\(padded(scaled % unit, places))"
  }

  /// A number with leading zeros.
  public static func padded(_ value: some BinaryInteger, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static func pair(_ large: Int64, _ unit: String, _ small: Int64, _ next: String)
    -> String
  {
    small == 0 ? "\(large) \(unit)" : "\(large) \(unit) \(small) \(next)"
  }

  private static func seconds(_ span: TimeSpan, atLeast places: Int) -> String {
    let magnitude = span.nanoseconds.magnitude
    var decimals = padded(magnitude % 1_000_000_000, 9)
    while decimals.utf8.count > places, decimals.hasSuffix("0") { decimals.removeLast() }
    let sign = span.nanoseconds < 0 ? "-" : ""
    let whole = "\(sign)\(magnitude / 1_000_000_000)"
    return decimals.isEmpty ? whole : "\(whole).\(decimals)"
  }
}
