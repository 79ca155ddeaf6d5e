import SimKernel

extension Generator where Value == Bool {
  /// False or true; false is the simpler.
  public static let bool = Generator { (choices) throws(Rejection) in
    try choices.flip(Ratio(1, 2))
  }
}

extension Generator where Value: FixedWidthInteger & Sendable {
  /// Whole numbers of a range, often near to its edges and to zero.
  ///
  /// The simplest is zero, or the bound next to it; then 1, −1, 2, −2 and so on.
  public static func integer(in range: ClosedRange<Value>) -> Generator {
    let origin = min(max(0, range.lowerBound), range.upperBound)
    let up = Generator.distance(from: origin, to: range.upperBound)
    let down = Generator.distance(from: range.lowerBound, to: origin)
    return Generator { (choices) throws(Rejection) in
      let (bound, overflows) = up.addingReportingOverflow(down)
      let choice = try choices.choose(through: overflows ? .max : bound)
      let (isDown, steps) = Generator.step(choice, up: up, down: down)
      let offset = Value(truncatingIfNeeded: steps)
      return isDown ? origin &- offset : origin &+ offset
    }
  }

  /// All whole numbers of the type.
  public static var anyInteger: Generator { integer(in: .min ... .max) }

  private static func distance(from low: Value, to high: Value) -> UInt64 {
    UInt64(truncatingIfNeeded: high &- low) & (Value.bitWidth == 64 ? .max : mask)
  }

  private static var mask: UInt64 { UInt64.max >> UInt64(64 - Value.bitWidth) }

  /// Walks to both sides in turn while both have room, then on along the longer one.
  private static func step(
    _ choice: UInt64, up: UInt64, down: UInt64
  ) -> (isDown: Bool, steps: UInt64) {
    let shorter = min(up, down)
    // Twice the shorter side may not fit, but then every choice is within both sides.
    let (both, overflows) = shorter.multipliedReportingOverflow(by: 2)
    if choice == 0 { return (false, 0) }
    if overflows || choice <= both {
      return (choice.isMultiple(of: 2), (choice - 1) / 2 + 1)
    }
    return (down > up, choice - shorter)
  }
}

extension Generator where Value == Double {
  /// Any double by its bits: whole numbers first, then all others with NaN and the infinities.
  public static let anyDouble = oneOf(
    Generator<Int64>.integer(in: -1_000...1_000).map { Double($0) },
    Generator.element(of: [
      0.5, -0.0, 0.1, 1e308, .leastNonzeroMagnitude, 9_007_199_254_740_992, .infinity, -.infinity,
      .nan,
    ]),
    Generator<UInt64>.anyInteger.map { Double(bitPattern: $0) })
}

extension Generator where Value == Unicode.Scalar {
  /// Letters first, then the rest of ASCII, then what breaks encoders, then all of Unicode.
  public static let scalar = Generator { (choices) throws(Rejection) in
    switch try choices.chooseEvenly(through: 9) {
    case 0...5:
      return letters[Int(try choices.chooseEvenly(through: UInt64(letters.count - 1)))]
    case 6: return Unicode.Scalar(UInt8(try choices.chooseEvenly(through: 127)))
    case 7: return odd[Int(try choices.chooseEvenly(through: UInt64(odd.count - 1)))]
    default:
      // The surrogates are no scalars and are skipped.
      let value = UInt32(try choices.choose(through: 0x10FFFF - 0x800))
      return Unicode.Scalar(value < 0xD800 ? value : value + 0x800) ?? "a"
    }
  }

  private static let letters = Array(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 "
      .unicodeScalars)
  private static let odd = Array(
    "\"\\/\u{0}\u{1F}\u{7F}\u{80}éß\u{301}\u{200D}\u{2028}\u{202E}\u{FEFF}\u{FFFD}\u{FFFF}🏴"
      .unicodeScalars)
}

extension Generator where Value == String {
  /// Texts of so many scalars.
  public static func text(_ counts: ClosedRange<Int> = 0...12) -> Generator {
    Generator<Unicode.Scalar>.scalar.array(counts).map { scalars in
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      return String(text)
    }
  }
}
