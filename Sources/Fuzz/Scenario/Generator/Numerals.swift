/// Text and doubles from integers, without formatting and without floating point: generation must
/// cost far less than the run.
enum Numerals {
  /// A word with a number after it.
  static func text(_ word: StaticString, _ number: Int, _ end: StaticString = "") -> String {
    precondition(number >= 0, "names carry no sign")
    let room = word.utf8CodeUnitCount + 20 + end.utf8CodeUnitCount
    return String(unsafeUninitializedCapacity: room) { buffer in
      var length = 0
      for place in 0..<word.utf8CodeUnitCount {
        buffer[length] = word.utf8Start[place]
        length += 1
      }
      var divisor = 1
      while number / divisor >= 10 { divisor *= 10 }
      while divisor > 0 {
        buffer[length] = UInt8(ascii: "0") + UInt8(number / divisor % 10)
        length += 1
        divisor /= 10
      }
      for place in 0..<end.utf8CodeUnitCount {
        buffer[length] = end.utf8Start[place]
        length += 1
      }
      return length
    }
  }

  /// The bits of the double that is exactly this whole number.
  static func doubleBits(ofWhole number: Int64) -> UInt64 {
    if number == 0 { return 0 }
    let sign: UInt64 = number < 0 ? 1 << 63 : 0
    let magnitude = number.magnitude
    let exponent = 63 - magnitude.leadingZeroBitCount
    precondition(exponent <= 52, "beyond 2^53 not every whole number is a double")
    let fraction = (magnitude << UInt64(52 - exponent)) & 0x000F_FFFF_FFFF_FFFF
    return sign | UInt64(1_023 + exponent) << 52 | fraction
  }

  static let notANumber: UInt64 = 0x7FF8_0000_0000_0000
  static let infinity: UInt64 = 0x7FF0_0000_0000_0000
  static let negativeInfinity: UInt64 = 0xFFF0_0000_0000_0000
}
