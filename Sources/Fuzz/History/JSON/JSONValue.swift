/// A JSON value as it stood in the bytes: order of keys kept, integers exact, strings by their
/// bytes.
///
/// Equality is stricter than that of Swift's strings: two spellings of one letter differ, and so do
/// `5` and `5.0`. An integer is `int` wherever it fits and `unsigned` only above that; an integer
/// beyond both, and `-0`, is a `double`.
public indirect enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case unsigned(UInt64)
  case double(Double)
  case string(String)
  case array([JSONValue])
  case object([JSONEntry])

  /// Arrays and objects may be nested this deep.
  public static let depthLimit = 64

  /// Reads one document that fills the buffer, apart from white space.
  ///
  /// - Parameter depthLimit: raised only for files of our own, which hold deep values of apps.
  /// - Throws: what is wrong and at which byte; nothing traps on any bytes.
  public static func parse(
    _ bytes: UnsafeRawBufferPointer, depthLimit: Int = JSONValue.depthLimit
  ) throws(JSONError) -> JSONValue {
    var reader = JSONReader(bytes, depthLimit: depthLimit)
    reader.skipSpace()
    let value = try reader.value(depth: 0)
    try reader.finish()
    return value
  }

  /// Reads one document that fills the slice; offsets in errors count from its start.
  public static func parse(
    _ bytes: ArraySlice<UInt8>, depthLimit: Int = JSONValue.depthLimit
  ) throws(JSONError) -> JSONValue {
    try reading(bytes) { (buffer) throws(JSONError) in try parse(buffer, depthLimit: depthLimit) }
  }

  /// Reads one document that fills the array.
  public static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
    try parse(bytes[...])
  }

  /// The value of a key of an object; nil where there is no such key or this is no object.
  public subscript(key: String) -> JSONValue? {
    guard case .object(let entries) = self else { return nil }
    return entries.first { sameBytes($0.key, key) }?.value
  }

  public var string: String? {
    if case .string(let text) = self { return text }
    return nil
  }

  public var integer: Int64? {
    if case .int(let number) = self { return number }
    return nil
  }

  public var bool: Bool? {
    if case .bool(let flag) = self { return flag }
    return nil
  }

  public var array: [JSONValue]? {
    if case .array(let elements) = self { return elements }
    return nil
  }

  public var object: [JSONEntry]? {
    if case .object(let entries) = self { return entries }
    return nil
  }
}

/// A key with its value.
public struct JSONEntry: Equatable, Sendable {
  public var key: String
  public var value: JSONValue

  public init(_ key: String, _ value: JSONValue) {
    self.key = key
    self.value = value
  }

  public static func == (left: JSONEntry, right: JSONEntry) -> Bool {
    sameBytes(left.key, right.key) && left.value == right.value
  }
}

extension JSONValue: Equatable {
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): return true
    case (.bool(let a), .bool(let b)): return a == b
    case (.int(let a), .int(let b)): return a == b
    case (.unsigned(let a), .unsigned(let b)): return a == b
    case (.double(let a), .double(let b)): return a.bitPattern == b.bitPattern
    case (.string(let a), .string(let b)): return sameBytes(a, b)
    case (.array(let a), .array(let b)): return a == b
    case (.object(let a), .object(let b)): return a == b
    default: return false
    }
  }
}

/// Whether two strings are the same bytes of UTF-8; `==` would call `é` equal to `e` with an
/// accent.
func sameBytes(_ left: String, _ right: String) -> Bool {
  var left = left
  var right = right
  if left.utf8.count != right.utf8.count { return false }
  return left.withUTF8 { left in right.withUTF8 { left.elementsEqual($0) } }
}

/// Runs a body on the bytes of a slice in place, letting its typed error through.
func reading<Result>(
  _ bytes: ArraySlice<UInt8>,
  _ body: (UnsafeRawBufferPointer) throws(JSONError) -> Result
) throws(JSONError) -> Result {
  let outcome = bytes.withUnsafeBytes { (buffer) -> Swift.Result<Result, JSONError> in
    do throws(JSONError) {
      return .success(try body(buffer))
    } catch {
      return .failure(error)
    }
  }
  return try outcome.get()
}
