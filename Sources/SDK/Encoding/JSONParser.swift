/// A JSON value as read from an answer or a file.
indirect enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  /// A number by its text.
  case number(String)
  case string(String)
  case array([JSONValue])
  /// Members in the order written; of several with one key the last counts.
  case object([JSONMember])

  subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.key == key }?.value
  }

  var string: String? {
    if case .string(let text) = self { return text }
    return nil
  }

  var bool: Bool? {
    if case .bool(let value) = self { return value }
    return nil
  }

  var double: Double? {
    if case .number(let text) = self { return Double(text) }
    return nil
  }

  var array: [JSONValue]? {
    if case .array(let elements) = self { return elements }
    return nil
  }
}

/// A named value of an object.
struct JSONMember: Equatable, Sendable {
  var key: String
  var value: JSONValue
}

/// Reads JSON (RFC 8259), total on any bytes: what is no JSON gives nil, never a trap, and nesting
/// is bounded. One reader for config, answers and our own records, the same on every platform.
struct JSONParser {
  static let deepestLevel = 64

  private let bytes: [UInt8]
  private var place = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The value that the bytes hold, or nil if they are no JSON.
  static func parse(_ bytes: [UInt8]) -> JSONValue? {
    var parser = JSONParser(bytes)
    parser.skipSpace()
    guard let value = parser.value(level: 0) else { return nil }
    parser.skipSpace()
    return parser.place == bytes.count ? value : nil
  }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      place += 1
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    place += 1
    return true
  }

  private mutating func take(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard bytes.count - place >= count else { return false }
    for index in 0..<count where bytes[place + index] != word.utf8Start[index] { return false }
    place += count
    return true
  }

  private mutating func value(level: Int) -> JSONValue? {
    guard level <= Self.deepestLevel, let byte = next else { return nil }
    switch byte {
    case UInt8(ascii: "{"): return object(level: level)
    case UInt8(ascii: "["): return array(level: level)
    case UInt8(ascii: "\""): return string().map { .string($0) }
    case UInt8(ascii: "t"): return take("true") ? .bool(true) : nil
    case UInt8(ascii: "f"): return take("false") ? .bool(false) : nil
    case UInt8(ascii: "n"): return take("null") ? .null : nil
    default: return number()
    }
  }

  private mutating func object(level: Int) -> JSONValue? {
    place += 1
    var members: [JSONMember] = []
    skipSpace()
    if take(UInt8(ascii: "}")) { return .object(members) }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\""), let key = string() else { return nil }
      skipSpace()
      guard take(UInt8(ascii: ":")) else { return nil }
      skipSpace()
      guard let value = value(level: level + 1) else { return nil }
      members.append(JSONMember(key: key, value: value))
      skipSpace()
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "}")) ? .object(members) : nil
  }

  private mutating func array(level: Int) -> JSONValue? {
    place += 1
    var elements: [JSONValue] = []
    skipSpace()
    if take(UInt8(ascii: "]")) { return .array(elements) }
    repeat {
      skipSpace()
      guard let value = value(level: level + 1) else { return nil }
      elements.append(value)
      skipSpace()
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "]")) ? .array(elements) : nil
  }

  private mutating func digits() -> Bool {
    let start = place
    while let byte = next, (0x30...0x39).contains(byte) { place += 1 }
    return place > start
  }

  private mutating func number() -> JSONValue? {
    let start = place
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")), !digits() { return nil }
    if take(UInt8(ascii: ".")), !digits() { return nil }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      if !digits() { return nil }
    }
    return .number(String(decoding: bytes[start..<place], as: UTF8.self))
  }

  /// Reads a string; the next byte is its opening quote.
  private mutating func string() -> String? {
    place += 1
    let start = place
    while let byte = next, byte != 0x22, byte != 0x5C, byte >= 0x20 { place += 1 }
    if next == 0x22 {
      defer { place += 1 }
      return Self.text(bytes[start..<place])
    }
    var unescaped = Array(bytes[start..<place])
    while let byte = next {
      place += 1
      if byte == 0x22 { return Self.text(unescaped[...]) }
      if byte < 0x20 { return nil }
      if byte == 0x5C {
        guard escape(into: &unescaped) else { return nil }
      } else {
        unescaped.append(byte)
      }
    }
    return nil
  }

  /// Text from bytes that must be UTF-8.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    // Repairing broken UTF-8 changes its bytes.
    return text.utf8.elementsEqual(bytes) ? text : nil
  }

  private mutating func escape(into unescaped: inout [UInt8]) -> Bool {
    guard let byte = next else { return false }
    place += 1
    switch byte {
    case 0x22, 0x5C, 0x2F: unescaped.append(byte)
    case UInt8(ascii: "b"): unescaped.append(0x08)
    case UInt8(ascii: "f"): unescaped.append(0x0C)
    case UInt8(ascii: "n"): unescaped.append(0x0A)
    case UInt8(ascii: "r"): unescaped.append(0x0D)
    case UInt8(ascii: "t"): unescaped.append(0x09)
    case UInt8(ascii: "u"):
      guard let scalar = unicodeEscape() else { return false }
      unescaped.append(contentsOf: String(Character(scalar)).utf8)
    default: return false
    }
    return true
  }

  /// Reads what follows `\u`, with the second half of a pair; a half on its own is no JSON text.
  private mutating func unicodeEscape() -> Unicode.Scalar? {
    guard let first = hexadecimal() else { return nil }
    guard (0xD800...0xDBFF).contains(first) else { return Unicode.Scalar(first) }
    guard take("\\u"), let second = hexadecimal(), (0xDC00...0xDFFF).contains(second) else {
      return nil
    }
    return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
  }

  private mutating func hexadecimal() -> UInt32? {
    guard bytes.count - place >= 4 else { return nil }
    var value: UInt32 = 0
    for _ in 0..<4 {
      let byte = bytes[place]
      place += 1
      switch byte {
      case 0x30...0x39: value = value << 4 | UInt32(byte - 0x30)
      case 0x41...0x46: value = value << 4 | UInt32(byte - 0x37)
      case 0x61...0x66: value = value << 4 | UInt32(byte - 0x57)
      default: return nil
      }
    }
    return value
  }
}
