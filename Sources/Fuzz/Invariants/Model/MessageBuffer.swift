import FuzzHistory

/// Bytes of JSON in the making.
struct MessageBuffer {
  var bytes: [UInt8] = []

  init() { bytes.reserveCapacity(1 << 18) }

  var count: Int { bytes.count }

  mutating func add(_ text: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func add(_ other: [UInt8]) { bytes.append(contentsOf: other) }

  mutating func add(_ other: UnsafeRawBufferPointer) { bytes.append(contentsOf: other) }

  mutating func addRaw(_ text: String) {
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }

  /// Room for an id of 36 characters that is not known yet; gives its offset.
  mutating func addHole() -> Int {
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0x3f, count: 36))
    return start
  }

  /// A string with its quotes.
  mutating func addString(_ text: String) {
    bytes.append(0x22)
    var text = text
    text.withUTF8 { addEscaped(UnsafeRawBufferPointer($0)) }
    bytes.append(0x22)
  }

  /// A string of the arena, not escaped there, with its quotes.
  mutating func addString(_ text: UnsafeRawBufferPointer) {
    bytes.append(0x22)
    addEscaped(text)
    bytes.append(0x22)
  }

  private mutating func addEscaped(_ text: UnsafeRawBufferPointer) {
    var start = 0
    for index in 0..<text.count {
      let byte = text[index]
      if byte >= 0x20, byte != 0x22, byte != 0x5c { continue }
      if index > start {
        bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[start..<index]))
      }
      start = index + 1
      addEscape(byte)
    }
    if start < text.count {
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[start...]))
    }
  }

  private mutating func addEscape(_ byte: UInt8) {
    bytes.append(0x5c)
    switch byte {
    case 0x22, 0x5c: bytes.append(byte)
    case 0x08: bytes.append(0x62)
    case 0x09: bytes.append(0x74)
    case 0x0a: bytes.append(0x6e)
    case 0x0c: bytes.append(0x66)
    case 0x0d: bytes.append(0x72)
    default:
      let digits: StaticString = "0123456789abcdef"
      add("u00")
      bytes.append(digits.utf8Start[Int(byte >> 4)])
      bytes.append(digits.utf8Start[Int(byte & 15)])
    }
  }

  mutating func add(number: Int64) {
    if number < 0 { bytes.append(0x2d) }
    add(number: number.magnitude)
  }

  mutating func add(number: UInt64) {
    var digits: (UInt64, UInt64) = (0, 0)
    var rest = number
    var count = 0
    // Digits are packed four bits each, the last one lowest.
    repeat {
      let digit = rest % 10
      if count < 16 {
        digits.0 |= digit << (count * 4)
      } else {
        digits.1 |= digit << ((count - 16) * 4)
      }
      rest /= 10
      count += 1
    } while rest > 0
    while count > 0 {
      count -= 1
      let digit = count < 16 ? digits.0 >> (count * 4) : digits.1 >> ((count - 16) * 4)
      bytes.append(0x30 + UInt8(truncatingIfNeeded: digit & 15))
    }
  }

  /// A finite double in its shortest form.
  mutating func add(double: Double) { addRaw(double.description) }
}
