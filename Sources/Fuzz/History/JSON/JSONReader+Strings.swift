/// Strings: bytes that are plain are passed eight at a time.
extension JSONReader {
  /// Steps over a string and says whether it holds escapes; its bytes are checked.
  mutating func skipString() throws(JSONError) -> Bool {
    try expect(UInt8(ascii: "\""))
    var hasEscapes = false
    while true {
      passPlainBytes()
      guard !isAtEnd else { throw unexpected() }
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        position += 1
        return hasEscapes
      }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        _ = try escape()
      } else if byte >= 0x80 {
        try passMultibyte()
      } else if byte < 0x20 {
        throw JSONError(.controlCharacter, at: position)
      } else {
        position += 1
      }
    }
  }

  /// Reads a string with its escapes undone.
  mutating func string() throws(JSONError) -> String {
    let start = position + 1
    let hasEscapes = try skipString()
    let content = UnsafeRawBufferPointer(rebasing: bytes[start..<position - 1])
    if !hasEscapes { return String(decoding: content, as: UTF8.self) }
    return String(decoding: JSONReader.unescaped(content), as: UTF8.self)
  }

  /// Undoes the escapes of a string's content that was checked before.
  static func unescaped(_ content: UnsafeRawBufferPointer) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(content.count)
    var reader = JSONReader(content)
    while !reader.isAtEnd {
      if reader.current == UInt8(ascii: "\\") {
        guard let scalar = try? reader.escape() else { return result }
        for byte in UTF8.encode(scalar).unsafelyUnwrapped { result.append(byte) }
      } else {
        result.append(reader.current)
        reader.position += 1
      }
    }
    return result
  }

  /// Passes bytes that are neither quote, backslash, control nor beyond ASCII, a word at a time.
  @inline(__always)
  private mutating func passPlainBytes() {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    while position + 8 <= bytes.count {
      let word = UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      let quote = word ^ (ones &* 0x22)
      let backslash = word ^ (ones &* 0x5C)
      // A byte's high bit is set where it is zero after the exclusive or, below a space, or high.
      let stops =
        ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
        | ((word &- (ones &* 0x20)) & ~word) | word
      let found = stops & highs
      if found != 0 {
        position += found.trailingZeroBitCount / 8
        return
      }
      position += 8
    }
  }

  /// Whether bytes are well-formed UTF-8.
  static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var reader = JSONReader(bytes)
    while !reader.isAtEnd {
      if reader.current < 0x80 {
        reader.position += 1
      } else if (try? reader.passMultibyte()) == nil {
        return false
      }
    }
    return true
  }

  /// Passes one well-formed sequence of two to four bytes.
  private mutating func passMultibyte() throws(JSONError) {
    let lead = bytes[position]
    let count: Int
    var lowest: UInt8 = 0x80
    var highest: UInt8 = 0xBF
    switch lead {
    case 0xC2...0xDF: count = 2
    case 0xE0...0xEF:
      count = 3
      if lead == 0xE0 { lowest = 0xA0 }
      if lead == 0xED { highest = 0x9F }
    case 0xF0...0xF4:
      count = 4
      if lead == 0xF0 { lowest = 0x90 }
      if lead == 0xF4 { highest = 0x8F }
    default: throw JSONError(.invalidUTF8, at: position)
    }
    guard position + count <= bytes.count else { throw JSONError(.invalidUTF8, at: position) }
    for index in 1..<count {
      let byte = bytes[position + index]
      guard byte >= lowest, byte <= highest else { throw JSONError(.invalidUTF8, at: position) }
      lowest = 0x80
      highest = 0xBF
    }
    position += count
  }

  /// Reads an escape, a surrogate pair as one scalar.
  mutating func escape() throws(JSONError) -> Unicode.Scalar {
    let start = position
    position += 1
    guard !isAtEnd else { throw unexpected() }
    let letter = bytes[position]
    position += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw JSONError(.invalidEscape, at: start)
    }
    let first = try fourHexDigits(of: start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, current == UInt8(ascii: "\\") else {
      throw JSONError(.invalidEscape, at: start)
    }
    position += 1
    guard current == UInt8(ascii: "u") else { throw JSONError(.invalidEscape, at: start) }
    position += 1
    let second = try fourHexDigits(of: start)
    guard second >= 0xDC00, second < 0xE000,
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw JSONError(.invalidEscape, at: start) }
    return scalar
  }

  private mutating func fourHexDigits(of start: Int) throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      let digit: UInt8
      switch current {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = current - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = current - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = current - UInt8(ascii: "A") + 10
      default: throw JSONError(isAtEnd ? .unexpectedEnd : .invalidEscape, at: start)
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }
}
