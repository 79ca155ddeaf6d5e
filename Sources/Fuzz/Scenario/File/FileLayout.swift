import FuzzHistory

/// Lays a scenario out for people: a line for each field, and for each element of a long list.
struct FileLayout {
  private var writer = JSONWriter()

  var bytes: [UInt8] { writer.bytes }

  /// Writes an object over several lines, and a line break after it.
  mutating func write(_ value: JSONValue) {
    guard case .object(let entries) = value else { return inline(value) }
    writer.append("{\n")
    for (index, entry) in entries.enumerated() {
      writer.append("  ")
      writer.write(entry.key)
      writer.append(": ")
      field(entry.value)
      writer.append(index + 1 < entries.count ? ",\n" : "\n")
    }
    writer.append("}\n")
  }

  /// Lists of objects take a line an element; everything else stands in one line.
  private mutating func field(_ value: JSONValue) {
    guard case .array(let elements) = value, case .object? = elements.first else {
      return inline(value)
    }
    writer.append("[\n")
    for (index, element) in elements.enumerated() {
      writer.append("    ")
      inline(element)
      writer.append(index + 1 < elements.count ? ",\n" : "\n")
    }
    writer.append("  ]")
  }

  private mutating func inline(_ value: JSONValue) {
    switch value {
    case .array(let elements):
      writer.append("[")
      for (index, element) in elements.enumerated() {
        if index > 0 { writer.append(", ") }
        inline(element)
      }
      writer.append("]")
    case .object(let entries) where !entries.isEmpty:
      writer.append("{ ")
      for (index, entry) in entries.enumerated() {
        if index > 0 { writer.append(", ") }
        writer.write(entry.key)
        writer.append(": ")
        inline(entry.value)
      }
      writer.append(" }")
    default: writer.write(value)
    }
  }
}
