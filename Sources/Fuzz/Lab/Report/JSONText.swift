/// Writes JSON in one pass with keys in the order they are given.
///
/// Foundation's encoders sort keys or leave their order open; a report reads better when the seed
/// and the verdict come first, and a worker writes thousands of lines.
public struct JSONText {
  public private(set) var bytes: [UInt8] = []
  /// Whether the next member or element needs a comma before it.
  private var needsComma = false

  public init() { bytes.reserveCapacity(2_048) }

  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Writes an object as an element or as the whole document.
  public mutating func object(_ body: (inout JSONText) -> Void) {
    separate()
    enclose("{", "}", body)
  }

  /// Writes an array as an element or as the whole document.
  public mutating func array(_ body: (inout JSONText) -> Void) {
    separate()
    enclose("[", "]", body)
  }

  /// Writes an array with one element a line, for lists that people read too.
  public mutating func lines<Element>(
    _ elements: [Element], _ write: (inout JSONText, Element) -> Void
  ) {
    separate()
    bytes.append(UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      append(index == 0 ? "\n  " : ",\n  ")
      needsComma = false
      write(&self, element)
    }
    append(elements.isEmpty ? "]" : "\n]")
    needsComma = true
  }

  public mutating func member(_ key: String, _ value: String) {
    begin(key)
    quote(value)
  }

  public mutating func member(_ key: String, _ value: String?) {
    begin(key)
    if let value { quote(value) } else { append("null") }
  }

  public mutating func member(_ key: String, _ value: Int) {
    begin(key)
    append(String(value))
  }

  public mutating func member(_ key: String, _ value: UInt64?) {
    begin(key)
    if let value { append(String(value)) } else { append("null") }
  }

  public mutating func member(_ key: String, _ value: Bool) {
    begin(key)
    append(value ? "true" : "false")
  }

  /// Writes a number that was formatted already.
  public mutating func member(_ key: String, number: String) {
    begin(key)
    append(number)
  }

  public mutating func member(_ key: String, _ values: [String]) {
    begin(key)
    enclose("[", "]") { json in for value in values { json.element(value) } }
  }

  public mutating func member(_ key: String, _ tally: Tally) {
    begin(key)
    enclose("{", "}") { json in
      for entry in tally.entries { json.member(entry.name, entry.count) }
    }
  }

  public mutating func member(_ key: String, object body: (inout JSONText) -> Void) {
    begin(key)
    enclose("{", "}", body)
  }

  public mutating func member(_ key: String, array body: (inout JSONText) -> Void) {
    begin(key)
    enclose("[", "]", body)
  }

  public mutating func element(_ value: String) {
    separate()
    quote(value)
  }

  private mutating func begin(_ key: String) {
    separate()
    quote(key)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(UInt8(ascii: " "))
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { append(", ") }
    needsComma = true
  }

  private mutating func enclose(
    _ open: String, _ close: String, _ body: (inout JSONText) -> Void
  ) {
    append(open)
    needsComma = false
    body(&self)
    append(close)
    needsComma = true
  }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): append("\\\"")
      case UInt8(ascii: "\\"): append("\\\\")
      case 0x0A: append("\\n")
      case 0x0D: append("\\r")
      case 0x09: append("\\t")
      case 0..<0x20: append("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16))
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
