/// Walks over JSON bytes in place, either building values or only stepping over them. Both ways
/// accept exactly the same documents (RFC 8259, depth bound, no lone surrogates).
struct JSONReader {
  let bytes: UnsafeRawBufferPointer
  let depthLimit: Int
  var position = 0

  init(_ bytes: UnsafeRawBufferPointer, depthLimit: Int = JSONValue.depthLimit) {
    self.bytes = bytes
    self.depthLimit = depthLimit
  }

  // MARK: Steps

  @inline(__always)
  var isAtEnd: Bool { position >= bytes.count }

  /// The byte at the position, or 0, which stands nowhere in JSON.
  @inline(__always)
  var current: UInt8 { position < bytes.count ? bytes[position] : 0 }

  @inline(__always)
  mutating func skipSpace() {
    while position < bytes.count {
      let byte = bytes[position]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      position += 1
    }
  }

  /// The error for a byte that is wrong at the position, or for the missing one.
  func unexpected() -> JSONError {
    JSONError(isAtEnd ? .unexpectedEnd : .unexpectedByte, at: position)
  }

  @inline(__always)
  mutating func expect(_ byte: UInt8) throws(JSONError) {
    guard current == byte, !isAtEnd else { throw unexpected() }
    position += 1
  }

  mutating func expect(word: StaticString) throws(JSONError) {
    for index in 0..<word.utf8CodeUnitCount { try expect(word.utf8Start[index]) }
  }

  /// Only white space may follow.
  mutating func finish() throws(JSONError) {
    skipSpace()
    if !isAtEnd { throw JSONError(.trailingBytes, at: position) }
  }

  // MARK: Building

  mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    switch current {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"):
      try expect(word: "true")
      return .bool(true)
    case UInt8(ascii: "f"):
      try expect(word: "false")
      return .bool(false)
    case UInt8(ascii: "n"):
      try expect(word: "null")
      return .null
    default: return try number()
    }
  }

  private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
    var entries: [JSONEntry] = []
    try open(depth: depth)
    if closes(UInt8(ascii: "}")) { return .object(entries) }
    repeat {
      skipSpace()
      let key = try string()
      try colon()
      entries.append(JSONEntry(key, try value(depth: depth + 1)))
    } while try another(closing: UInt8(ascii: "}"))
    return .object(entries)
  }

  private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
    var elements: [JSONValue] = []
    try open(depth: depth)
    if closes(UInt8(ascii: "]")) { return .array(elements) }
    repeat {
      skipSpace()
      elements.append(try value(depth: depth + 1))
    } while try another(closing: UInt8(ascii: "]"))
    return .array(elements)
  }

  // MARK: Stepping over

  mutating func skipValue(depth: Int) throws(JSONError) {
    switch current {
    case UInt8(ascii: "{"):
      try open(depth: depth)
      if closes(UInt8(ascii: "}")) { return }
      repeat {
        skipSpace()
        _ = try skipString()
        try colon()
        try skipValue(depth: depth + 1)
      } while try another(closing: UInt8(ascii: "}"))
    case UInt8(ascii: "["):
      try open(depth: depth)
      if closes(UInt8(ascii: "]")) { return }
      repeat {
        skipSpace()
        try skipValue(depth: depth + 1)
      } while try another(closing: UInt8(ascii: "]"))
    case UInt8(ascii: "\""): _ = try skipString()
    case UInt8(ascii: "t"): try expect(word: "true")
    case UInt8(ascii: "f"): try expect(word: "false")
    case UInt8(ascii: "n"): try expect(word: "null")
    default: _ = try number()
    }
  }

  // MARK: Punctuation

  mutating func open(depth: Int) throws(JSONError) {
    if depth >= depthLimit { throw JSONError(.tooDeep, at: position) }
    position += 1
    skipSpace()
  }

  mutating func closes(_ byte: UInt8) -> Bool {
    guard current == byte, !isAtEnd else { return false }
    position += 1
    return true
  }

  @inline(__always)
  mutating func colon() throws(JSONError) {
    skipSpace()
    try expect(UInt8(ascii: ":"))
    skipSpace()
  }

  /// After an element: true at a comma, false after the closing byte.
  @inline(__always)
  mutating func another(closing byte: UInt8) throws(JSONError) -> Bool {
    skipSpace()
    if current == UInt8(ascii: ",") {
      position += 1
      return true
    }
    try expect(byte)
    return false
  }
}
