extension JSONValue {
  /// The canonical bytes: keys sorted by their UTF-8, no white space, numbers exact, only what must
  /// be escaped escaped. A double that is not finite, which no document holds, is written as null.
  public func canonicalBytes() -> [UInt8] {
    var writer = JSONWriter()
    writer.write(self)
    return writer.bytes
  }

  /// The canonical bytes as text.
  public func canonicalText() -> String { String(decoding: canonicalBytes(), as: UTF8.self) }
}

/// Writes JSON piece by piece.
public struct JSONWriter {
  public var bytes: [UInt8] = []

  public init() {}

  /// Appends a value in canonical form, or with the keys of objects as they are ordered.
  public mutating func write(_ value: JSONValue, sortingKeys: Bool = true) {
    switch value {
    case .null: append("null")
    case .bool(let flag): append(flag ? "true" : "false")
    case .int(let number): write(number)
    case .unsigned(let number): bytes.append(contentsOf: String(number).utf8)
    case .double(let number):
      if number.isFinite {
        bytes.append(contentsOf: number.description.utf8)
      } else {
        append("null")
      }
    case .string(let text): write(text)
    case .array(let elements):
      append("[")
      for (index, element) in elements.enumerated() {
        if index > 0 { append(",") }
        write(element, sortingKeys: sortingKeys)
      }
      append("]")
    case .object(let entries):
      append("{")
      for (index, entry) in (sortingKeys ? sorted(entries) : entries).enumerated() {
        if index > 0 { append(",") }
        write(entry.key)
        append(":")
        write(entry.value, sortingKeys: sortingKeys)
      }
      append("}")
    }
  }

  private func sorted(_ entries: [JSONEntry]) -> [JSONEntry] {
    entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }

  /// Appends an integer.
  public mutating func write(_ number: Int64) {
    bytes.append(contentsOf: String(number).utf8)
  }

  /// Appends a quoted string.
  public mutating func write(_ text: String) {
    var text = text
    text.withUTF8 { write(utf8: UnsafeRawBufferPointer($0)) }
  }

  /// Appends bytes that are UTF-8 as a quoted string.
  public mutating func write(utf8 content: UnsafeRawBufferPointer) {
    bytes.append(UInt8(ascii: "\""))
    var plainStart = 0
    for index in 0..<content.count {
      let byte = content[index]
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
        continue
      }
      bytes.append(contentsOf: content[plainStart..<index])
      plainStart = index + 1
      writeEscape(of: byte)
    }
    bytes.append(contentsOf: content[plainStart...])
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends bytes as they are.
  public mutating func append(_ text: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func writeEscape(of byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): append("\\\"")
    case UInt8(ascii: "\\"): append("\\\\")
    case 0x08: append("\\b")
    case 0x09: append("\\t")
    case 0x0A: append("\\n")
    case 0x0C: append("\\f")
    case 0x0D: append("\\r")
    default:
      append(byte < 0x10 ? "\\u000" : "\\u001")
      let digit = byte & 0x0F
      bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}
