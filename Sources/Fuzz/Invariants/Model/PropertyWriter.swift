import FuzzHistory

/// Turns values of the host app into the JSON that must arrive (formats: values; S-10, A-31).
enum PropertyWriter {
  /// Containers may be nested this deep inside a property.
  static let deepest = 32

  /// Appends an object of the entries that can be sent, sorted by key.
  static func append(
    _ entries: [PropertyEntry], to buffer: inout MessageBuffer, depth: Int = 0
  ) {
    buffer.bytes.append(0x7b)
    var isFirst = true
    for index in sortedPlaces(entries) {
      add(entries[index], depth, &isFirst, &buffer)
    }
    buffer.bytes.append(0x7d)
  }

  /// Appends one member, unless its value cannot be sent.
  static func add(
    _ entry: PropertyEntry, _ depth: Int, _ isFirst: inout Bool, _ buffer: inout MessageBuffer
  ) {
    let start = buffer.count
    if !isFirst { buffer.bytes.append(0x2c) }
    buffer.addString(entry.key)
    buffer.bytes.append(0x3a)
    if append(entry.value, to: &buffer, depth: depth) {
      isFirst = false
    } else {
      buffer.bytes.removeLast(buffer.count - start)
    }
  }

  /// The places of the entries in the order of their keys' bytes.
  static func sortedPlaces(_ entries: [PropertyEntry]) -> [Int] {
    var places = Array(entries.indices)
    if places.count < 2 { return places }
    places.sort { entries[$0].key.utf8.lexicographicallyPrecedes(entries[$1].key.utf8) }
    return places
  }

  /// Appends a value; false if it cannot be sent, with parts of it left in the buffer.
  /// - Parameter depth: how many containers it lies in below the properties.
  static func append(_ value: PropertyValue, to buffer: inout MessageBuffer, depth: Int) -> Bool {
    switch value {
    case .null: buffer.add("null")
    case .bool(let flag), .boxedBool(let flag): buffer.add(flag ? "true" : "false")
    case .int(let number), .boxedInt(let number): buffer.add(number: number)
    case .unsigned(let number): buffer.add(number: number)
    case .double(let bits), .boxedDouble(let bits):
      let number = Double(bitPattern: bits)
      guard number.isFinite else { return false }
      buffer.add(double: number)
    case .string(let text), .url(let text): buffer.addString(text)
    case .date(let milliseconds):
      buffer.bytes.append(0x22)
      Timestamps.append(milliseconds: milliseconds, to: &buffer.bytes)
      buffer.bytes.append(0x22)
    case .data(let bytes):
      buffer.bytes.append(0x22)
      appendBase64(bytes, to: &buffer.bytes)
      buffer.bytes.append(0x22)
    case .array(let elements): return append(elements, to: &buffer, depth: depth + 1)
    case .object(let entries):
      guard depth < deepest else { return false }
      append(entries, to: &buffer, depth: depth + 1)
    case .optional(let inner):
      guard let inner else {
        buffer.add("null")
        return true
      }
      return append(inner, to: &buffer, depth: depth)
    case .opaque, .numberKeyed: return false
    case .nested(let nestedDepth): return appendNested(nestedDepth, to: &buffer, depth: depth)
    }
    return true
  }

  /// An array with one element that cannot be sent cannot be sent.
  private static func append(
    _ elements: [PropertyValue], to buffer: inout MessageBuffer, depth: Int
  ) -> Bool {
    guard depth <= deepest else { return false }
    buffer.bytes.append(0x5b)
    for index in elements.indices {
      if index > 0 { buffer.bytes.append(0x2c) }
      guard append(elements[index], to: &buffer, depth: depth) else { return false }
    }
    buffer.bytes.append(0x5d)
    return true
  }

  private static func appendNested(
    _ nestedDepth: Int, to buffer: inout MessageBuffer, depth: Int
  ) -> Bool {
    guard depth + nestedDepth <= deepest else { return false }
    for _ in 0..<nestedDepth { buffer.bytes.append(0x5b) }
    buffer.bytes.append(0x31)
    for _ in 0..<nestedDepth { buffer.bytes.append(0x5d) }
    return true
  }

  private static func appendBase64(_ data: [UInt8], to bytes: inout [UInt8]) {
    let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    var at = 0
    while at < data.count {
      let second = at + 1 < data.count ? data[at + 1] : 0
      let third = at + 2 < data.count ? data[at + 2] : 0
      let word = UInt32(data[at]) << 16 | UInt32(second) << 8 | UInt32(third)
      for index in 0..<4 {
        let isPadding = (index == 2 && at + 1 >= data.count) || (index == 3 && at + 2 >= data.count)
        let digit = Int(word >> (18 - UInt32(index) * 6) & 63)
        bytes.append(isPadding ? 0x3d : alphabet.utf8Start[digit])
      }
      at += 3
    }
  }
}
