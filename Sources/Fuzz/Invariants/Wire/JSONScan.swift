/// Steps over JSON text in place: finds where values end without building any.
///
/// Positions are offsets into `bytes`; -1 says that the text is not well formed there. Brackets and
/// strings are checked, the grammar of literals is not.
struct JSONScan {
  let bytes: UnsafeRawBufferPointer

  @inline(__always) func byte(_ position: Int) -> UInt8 { bytes[position] }

  /// The first position at or after `position` that is no white space.
  @inline(__always) func skipSpace(_ position: Int, _ end: Int) -> Int {
    var at = position
    while at < end {
      let byte = bytes[at]
      if byte != 0x20, byte != 0x0a, byte != 0x0d, byte != 0x09 { break }
      at += 1
    }
    return at
  }

  /// The position after the closing quote of a string whose first character stands at `position`.
  func skipString(_ position: Int, _ end: Int) -> Int {
    guard let base = bytes.baseAddress else { return -1 }
    var at = position
    while at + 8 <= end {
      let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: at, as: UInt64.self))
      let quote = word ^ 0x2222_2222_2222_2222
      let escape = word ^ 0x5c5c_5c5c_5c5c_5c5c
      let ones: UInt64 = 0x0101_0101_0101_0101
      let found =
        (((quote &- ones) & ~quote) | ((escape &- ones) & ~escape)) & 0x8080_8080_8080_8080
      if found == 0 {
        at += 8
        continue
      }
      at += found.trailingZeroBitCount >> 3
      if bytes[at] == 0x22 { return at + 1 }
      at += 2
    }
    while at < end {
      if bytes[at] == 0x22 { return at + 1 }
      at += bytes[at] == 0x5c ? 2 : 1
    }
    return -1
  }

  /// The position after the value that starts at `position`.
  func skipValue(_ position: Int, _ end: Int) -> Int {
    guard position < end else { return -1 }
    switch bytes[position] {
    case 0x22: return skipString(position + 1, end)
    case 0x7b, 0x5b: return skipContainer(position, end)
    case 0x2c, 0x7d, 0x5d, 0x3a: return -1
    default:
      var at = position
      while at < end {
        let byte = bytes[at]
        if byte == 0x2c || byte == 0x7d || byte == 0x5d || byte <= 0x20 { break }
        at += 1
      }
      return at
    }
  }

  private func skipContainer(_ position: Int, _ end: Int) -> Int {
    guard let base = bytes.baseAddress else { return -1 }
    var depth = 0
    var at = position
    while at < end {
      let byte = base.load(fromByteOffset: at, as: UInt8.self)
      at += 1
      if byte == 0x22 {
        at = skipString(at, end)
        if at < 0 { return -1 }
        continue
      }
      // Brackets and braces of a kind differ by this bit.
      let bracket = byte | 0x20
      if bracket == 0x7b {
        depth += 1
      } else if bracket == 0x7d {
        depth -= 1
        if depth == 0 { return at }
      }
    }
    return -1
  }

  /// Calls `body` with the ranges of key (without quotes) and value of each member of the object at
  /// `position`; gives the position after the object, or -1.
  func forEachMember(
    _ position: Int, _ end: Int, _ body: (Range<Int>, Range<Int>) -> Void
  ) -> Int {
    guard position < end, bytes[position] == 0x7b else { return -1 }
    var at = skipSpace(position + 1, end)
    if at < end, bytes[at] == 0x7d { return at + 1 }
    while at < end, bytes[at] == 0x22 {
      let keyEnd = skipString(at + 1, end)
      if keyEnd < 0 { return -1 }
      let colon = skipSpace(keyEnd, end)
      guard colon < end, bytes[colon] == 0x3a else { return -1 }
      let value = skipSpace(colon + 1, end)
      let valueEnd = skipValue(value, end)
      if valueEnd < 0 { return -1 }
      body(at + 1..<keyEnd - 1, value..<valueEnd)
      at = skipSpace(valueEnd, end)
      guard at < end else { return -1 }
      if bytes[at] == 0x7d { return at + 1 }
      guard bytes[at] == 0x2c else { return -1 }
      at = skipSpace(at + 1, end)
    }
    return -1
  }

  /// Calls `body` with the range of each element of the array at `position`; gives the position
  /// after the array, or -1.
  func forEachElement(_ position: Int, _ end: Int, _ body: (Range<Int>) -> Void) -> Int {
    guard position < end, bytes[position] == 0x5b else { return -1 }
    var at = skipSpace(position + 1, end)
    if at < end, bytes[at] == 0x5d { return at + 1 }
    while at < end {
      let valueEnd = skipValue(at, end)
      if valueEnd < 0 { return -1 }
      body(at..<valueEnd)
      at = skipSpace(valueEnd, end)
      guard at < end else { return -1 }
      if bytes[at] == 0x5d { return at + 1 }
      guard bytes[at] == 0x2c else { return -1 }
      at = skipSpace(at + 1, end)
    }
    return -1
  }

  /// The range of the value of a member, or nil.
  func member(_ name: StaticString, of object: Range<Int>) -> Range<Int>? {
    let end = object.upperBound
    guard object.lowerBound < end, bytes[object.lowerBound] == 0x7b else { return nil }
    var at = skipSpace(object.lowerBound + 1, end)
    while at < end, bytes[at] == 0x22 {
      let keyEnd = skipString(at + 1, end)
      if keyEnd < 0 { return nil }
      let colon = skipSpace(keyEnd, end)
      guard colon < end, bytes[colon] == 0x3a else { return nil }
      let value = skipSpace(colon + 1, end)
      let valueEnd = skipValue(value, end)
      if valueEnd < 0 { return nil }
      if equals(at + 1..<keyEnd - 1, name) { return value..<valueEnd }
      at = skipSpace(valueEnd, end)
      guard at < end, bytes[at] == 0x2c else { return nil }
      at = skipSpace(at + 1, end)
    }
    return nil
  }

  /// Whether a range holds exactly this text.
  @inline(__always) func equals(_ range: Range<Int>, _ text: StaticString) -> Bool {
    guard range.count == text.utf8CodeUnitCount else { return false }
    let other = text.utf8Start
    for index in 0..<range.count where bytes[range.lowerBound + index] != other[index] {
      return false
    }
    return true
  }
}
