/// Writing into byte arrays: the hot path builds no strings.
extension [UInt8] {
  /// Adds the bytes of a literal.
  @inline(__always)
  mutating func append(ascii text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Adds an integer, least significant byte first.
  @inline(__always)
  mutating func append<Value: FixedWidthInteger>(littleEndian value: Value) {
    var value = value.littleEndian
    Swift.withUnsafeBytes(of: &value) { append(contentsOf: $0) }
  }

  /// Adds a whole number in decimal digits.
  mutating func append(decimal value: UInt64) {
    if value < 10 {
      append(0x30 &+ UInt8(truncatingIfNeeded: value))
      return
    }
    var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
    Swift.withUnsafeMutableBytes(of: &digits) { buffer in
      var place = buffer.count
      var rest = value
      while rest > 0 {
        place &-= 1
        buffer[place] = 0x30 &+ UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
      append(contentsOf: buffer[place...])
    }
  }

  /// Adds a whole number in decimal digits, with its sign if it is negative.
  mutating func append(decimal value: Int64) {
    if value < 0 { append(0x2D) }
    append(decimal: value.magnitude)
  }

  /// Adds exactly `width` decimal digits with leading zeros; higher digits are cut.
  @inline(__always)
  mutating func append(digits value: Int, width: Int) {
    var divisor = 1
    for _ in 1..<width { divisor &*= 10 }
    var rest = value
    for _ in 0..<width {
      append(0x30 &+ UInt8(truncatingIfNeeded: rest / divisor % 10))
      rest %= divisor
      divisor = Swift.max(divisor / 10, 1)
    }
  }

  /// Adds a string as a JSON string with its quotes: only what JSON demands is escaped.
  mutating func append(jsonString text: String) {
    append(0x22)
    var text = text
    text.withUTF8 { append(escaping: $0) }
    append(0x22)
  }

  /// Adds UTF-8 bytes with the escapes of a JSON string, without quotes.
  mutating func append(escaping bytes: UnsafeBufferPointer<UInt8>) {
    var start = 0
    for index in 0..<bytes.count {
      let byte = bytes[index]
      if byte >= 0x20 && byte != 0x22 && byte != 0x5C { continue }
      append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
      append(escape: byte)
      start = index + 1
    }
    append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<bytes.count]))
  }

  private mutating func append(escape byte: UInt8) {
    append(0x5C)
    switch byte {
    case 0x22, 0x5C: append(byte)
    case 0x08: append(0x62)
    case 0x09: append(0x74)
    case 0x0A: append(0x6E)
    case 0x0C: append(0x66)
    case 0x0D: append(0x72)
    default:
      append(ascii: "u00")
      append(hexDigit(byte >> 4))
      append(hexDigit(byte & 0xF))
    }
  }

  /// Adds a finite double in the shortest form that reads back as the same double.
  mutating func append(double value: Double) {
    append(contentsOf: value.description.utf8)
  }
}

/// The lowercase hexadecimal digit of a value below 16.
@inline(__always)
func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 &+ value : 0x57 &+ value }

/// Reads an integer, least significant byte first; the caller has checked the bounds.
@inline(__always)
func readLittleEndian<Value: FixedWidthInteger>(
  _ bytes: UnsafeRawBufferPointer, at offset: Int, as type: Value.Type
) -> Value {
  Value(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Value.self))
}
