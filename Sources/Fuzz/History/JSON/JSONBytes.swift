/// Looks into JSON bytes without building values: the hot path of collector and judge.
///
/// All ranges count from the start of the buffer that was given. What is passed is checked as
/// `parse` checks it, so a document is valid wherever a function here returns for the whole of it.
public enum JSONBytes {
  /// A string's content between its quotes.
  public struct Text: Hashable, Sendable {
    public var range: Range<Int>
    /// The content differs from the string's bytes.
    public var hasEscapes: Bool
  }

  /// Checks a whole document.
  public static func validate(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
    var reader = JSONReader(bytes)
    reader.skipSpace()
    try reader.skipValue(depth: 0)
    try reader.finish()
  }

  /// Splits the array under a key of the top-level object into the ranges of its elements.
  ///
  /// The whole document is checked.
  /// - Returns: nil where there is no such key, or another value than an array under it.
  public static func elements(
    of key: StaticString, in bytes: UnsafeRawBufferPointer
  ) throws(JSONError) -> [Range<Int>]? {
    var result: [Range<Int>]?
    var cursor = try JSONObjectCursor(bytes)
    while let field = try cursor.nextSplitting(key) {
      if let elements = field.elements { result = elements }
    }
    return result
  }

  /// The range of the value under a key of the top-level object; stops at the key.
  public static func value(
    of key: StaticString, in bytes: UnsafeRawBufferPointer
  ) throws(JSONError) -> Range<Int>? {
    var cursor = try JSONObjectCursor(bytes)
    while let field = try cursor.next() {
      if !field.key.hasEscapes && matches(bytes, field.key.range, key) { return field.value }
    }
    return nil
  }

  /// The content of the string under a key of the top-level object; stops at the key.
  /// - Returns: nil where there is no such key, or another value than a string under it.
  public static func text(
    of key: StaticString, in bytes: UnsafeRawBufferPointer
  ) throws(JSONError) -> Text? {
    guard let range = try value(of: key, in: bytes), bytes[range.lowerBound] == UInt8(ascii: "\"")
    else { return nil }
    var hasEscapes = false
    for index in range where bytes[index] == UInt8(ascii: "\\") { hasEscapes = true }
    return Text(range: range.lowerBound + 1..<range.upperBound - 1, hasEscapes: hasEscapes)
  }

  /// The bytes of a string with its escapes undone.
  public static func unescaped(_ text: Text, in bytes: UnsafeRawBufferPointer) -> [UInt8] {
    let content = UnsafeRawBufferPointer(rebasing: bytes[text.range])
    return text.hasEscapes ? JSONReader.unescaped(content) : Array(content)
  }

  /// Whether a range holds exactly these ASCII bytes.
  @inline(__always)
  public static func matches(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, _ word: StaticString
  ) -> Bool {
    guard range.count == word.utf8CodeUnitCount else { return false }
    for index in 0..<range.count
    where bytes[range.lowerBound + index] != word.utf8Start[index] { return false }
    return true
  }
}

/// Steps through the fields of a top-level object. Use it only while its buffer is valid.
public struct JSONObjectCursor {
  /// A field of an object: its key without quotes and the range of its value.
  public struct Field {
    public var key: JSONBytes.Text
    public var value: Range<Int>
    /// The ranges of the value's elements, where they were asked for and it is an array.
    public var elements: [Range<Int>]?
  }

  private var reader: JSONReader
  private var isFirst = true
  private var isDone = false

  /// Starts before the first field.
  /// - Throws: where the bytes do not start with an object.
  public init(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
    reader = JSONReader(bytes)
    reader.skipSpace()
    guard reader.current == UInt8(ascii: "{") else { throw reader.unexpected() }
    try reader.open(depth: 0)
  }

  /// The next field; nil after the last, once the end of the document is checked.
  public mutating func next() throws(JSONError) -> Field? {
    guard let key = try nextKey() else { return nil }
    let start = reader.position
    try reader.skipValue(depth: 1)
    return Field(key: key, value: start..<reader.position, elements: nil)
  }

  /// The next field, split into elements if it has this key and holds an array.
  public mutating func nextSplitting(_ word: StaticString) throws(JSONError) -> Field? {
    guard let key = try nextKey() else { return nil }
    let start = reader.position
    guard reader.current == UInt8(ascii: "["), !key.hasEscapes,
      JSONBytes.matches(reader.bytes, key.range, word)
    else {
      try reader.skipValue(depth: 1)
      return Field(key: key, value: start..<reader.position, elements: nil)
    }
    var elements: [Range<Int>] = []
    try reader.open(depth: 1)
    if !reader.closes(UInt8(ascii: "]")) {
      repeat {
        reader.skipSpace()
        let first = reader.position
        try reader.skipValue(depth: 2)
        elements.append(first..<reader.position)
      } while try reader.another(closing: UInt8(ascii: "]"))
    }
    return Field(key: key, value: start..<reader.position, elements: elements)
  }

  private mutating func nextKey() throws(JSONError) -> JSONBytes.Text? {
    if isDone { return nil }
    if isFirst {
      isFirst = false
      if reader.closes(UInt8(ascii: "}")) { return try end() }
    } else if try !reader.another(closing: UInt8(ascii: "}")) {
      return try end()
    }
    reader.skipSpace()
    let start = reader.position + 1
    let hasEscapes = try reader.skipString()
    let range = start..<reader.position - 1
    try reader.colon()
    return JSONBytes.Text(range: range, hasEscapes: hasEscapes)
  }

  private mutating func end() throws(JSONError) -> JSONBytes.Text? {
    isDone = true
    try reader.finish()
    return nil
  }
}
