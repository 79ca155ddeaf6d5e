import Foundation

/// Turns the values that an app passes as properties or traits into JSON with sorted keys, on the
/// app's own thread (formats: values; S-10, A-31).
///
/// What JSON cannot hold costs the nearest key around it and nothing else: a NaN in a dictionary
/// takes its own key along, one in an array the key that holds the array. So does what is nested
/// deeper than 32 levels; nothing below that is touched. A value that explodes when it is written,
/// as a cycle with several ways around does, costs the property that holds it.
struct ValueEncoder {
  /// How deep the arrays and dictionaries of one property's value may be nested.
  static let deepestLevel = 32
  /// More than any message may hold: shared storage can make a small value explode when written.
  static let mostBytes = 1 << 20
  static let mostValues = 1 << 20
  static let mostExplosions = 4

  /// What became of a value.
  private enum Outcome {
    case written
    /// JSON has no form for it, or it lies too deep.
    case unencodable
    /// Writing was given up: there is too much of it.
    case tooMuch
  }

  private(set) var bytes: [UInt8]
  /// The keys that were left out, in the order met.
  private(set) var leftOut: [String] = []
  /// Whether writing was given up because the message cannot fit any more.
  private(set) var isTooLarge = false
  private var visited = 0
  /// A value too deep was met inside the property that is being written.
  private var hasDepth = false
  private var explosions = 0

  init() { bytes = [] }

  /// Writes a whole object.
  /// - Parameter fixed: members that replace those of the app, sorted by key.
  mutating func encode(_ object: [String: Any], fixed: [(key: String, text: String)] = []) {
    if object.isEmpty && fixed.isEmpty {
      bytes.append(ascii: "{}")
      return
    }
    bytes.reserveCapacity(bytes.count + 32 * (object.count + fixed.count) + 16)
    bytes.append(0x7B)
    let start = bytes.count
    var next = 0
    for (key, value) in sortedMembers(object) {
      while next < fixed.count, !precedes(key, fixed[next].key) {
        appendKey(fixed[next].key, first: bytes.count == start)
        bytes.append(jsonString: fixed[next].text)
        next += 1
      }
      if next > 0, fixed[next - 1].key == key { continue }
      hasDepth = false
      switch appendMember(key, value, level: 0, first: bytes.count == start) {
      case .written: break
      case .unencodable: leftOut.append(key)
      case .tooMuch:
        // A cycle is no reason to lose the event; an event that is simply huge is lost anyway.
        explosions += 1
        if !hasDepth || explosions > Self.mostExplosions {
          isTooLarge = true
          return
        }
        visited = 0
        leftOut = [key]
      }
    }
    for member in fixed[next...] {
      appendKey(member.key, first: bytes.count == start)
      bytes.append(jsonString: member.text)
    }
    bytes.append(0x7D)
  }

  /// The members of a dictionary in the order of the UTF-8 bytes of their keys.
  private func sortedMembers(_ object: [String: Any]) -> [(key: String, value: Any)] {
    var members: [(key: String, value: Any)] = []
    members.reserveCapacity(object.count)
    for member in object { members.append(member) }
    if members.count > 1 { members.sort { precedes($0.key, $1.key) } }
    return members
  }

  private mutating func appendKey(_ key: String, first: Bool) {
    if !first { bytes.append(0x2C) }
    bytes.append(jsonString: key)
    bytes.append(0x3A)
  }

  /// Writes a member, or nothing at all.
  private mutating func appendMember(
    _ key: String, _ value: Any, level: Int, first: Bool
  ) -> Outcome {
    let mark = bytes.count
    appendKey(key, first: first)
    let outcome = append(value, level: level)
    if outcome != .written { bytes.removeSubrange(mark...) }
    return outcome
  }

  /// Writes a value that stands inside `level` arrays and dictionaries.
  private mutating func append(_ value: Any, level: Int) -> Outcome {
    visited += 1
    if visited > Self.mostValues || bytes.count > Self.mostBytes { return .tooMuch }
    // The common types by one comparison each; a cast by name would ask the runtime every time.
    let type = Swift.type(of: value)
    if type == String.self {
      bytes.append(jsonString: value as! String)
      return .written
    }
    if type == Int.self {
      bytes.append(decimal: Int64(value as! Int))
      return .written
    }
    if type == Double.self { return append(double: value as! Double) }
    if type == Bool.self {
      append(bool: value as! Bool)
      return .written
    }
    if type == [String: Any].self { return append(object: value as! [String: Any], level: level) }
    if type == [Any].self { return append(array: value as! [Any], level: level) }
    return appendUncommon(value, type, level: level)
  }

  private mutating func appendUncommon(_ value: Any, _ type: Any.Type, level: Int) -> Outcome {
    if type == Int64.self {
      bytes.append(decimal: value as! Int64)
    } else if type == UInt64.self {
      bytes.append(decimal: value as! UInt64)
    } else if type == Date.self {
      return append(date: value as! Date)
    } else if type == NSNull.self {
      bytes.append(ascii: "null")
    } else if type == Float.self {
      return append(float: value as! Float)
    } else if type == URL.self {
      bytes.append(jsonString: (value as! URL).absoluteString)
    } else if type == Data.self {
      append(data: value as! Data)
    } else {
      return appendRare(value, type, level: level)
    }
    return .written
  }

  /// Writes a value of a type that few apps pass.
  ///
  /// Only objects are cast to classes: a cast of a Swift container to a class converts all it
  /// holds.
  private mutating func appendRare(_ value: Any, _ type: Any.Type, level: Int) -> Outcome {
    if type is AnyClass { return appendObject(value, level: level) }
    if let optional = value as? any OptionalValue {
      guard let wrapped = optional.wrapped else {
        bytes.append(ascii: "null")
        return .written
      }
      // Optionals nest as deep as their type, which a program spells out.
      return append(wrapped, level: level)
    }
    if type == Decimal.self { return .unencodable }
    if let integer = value as? any FixedWidthInteger { return append(integer: integer) }
    // A level too deep is not even converted: what lies below is not touched.
    if level >= Self.deepestLevel { return tooDeep() }
    if let array = value as? [Any] { return append(array: array, level: level) }
    if let object = value as? [String: Any] { return append(object: object, level: level) }
    return .unencodable
  }

  /// Writes one of Foundation's objects.
  ///
  /// NB: Foundation outside Apple's systems converts its containers with all they hold as soon as
  /// one is looked at. A cycle of them ends there, before anything here can see it.
  private mutating func appendObject(_ value: Any, level: Int) -> Outcome {
    if let number = value as? NSNumber { return append(number: number) }
    if let text = value as? NSString {
      bytes.append(jsonString: text as String)
    } else if value is NSNull {
      bytes.append(ascii: "null")
    } else if let date = value as? NSDate {
      return append(date: date as Date)
    } else if let url = value as? NSURL {
      bytes.append(jsonString: (url as URL).absoluteString)
    } else if let data = value as? NSData {
      append(data: data as Data)
    } else if level >= Self.deepestLevel {
      return tooDeep()
    } else if let array = value as? [Any] {
      return append(array: array, level: level)
    } else if let object = value as? [String: Any] {
      return append(object: object, level: level)
    } else {
      return .unencodable
    }
    return .written
  }

  private mutating func tooDeep() -> Outcome {
    hasDepth = true
    return .unencodable
  }

  private mutating func append(array: [Any], level: Int) -> Outcome {
    if level >= Self.deepestLevel { return tooDeep() }
    bytes.append(0x5B)
    var isFirst = true
    for element in array {
      if !isFirst { bytes.append(0x2C) }
      isFirst = false
      let outcome = append(element, level: level + 1)
      if outcome != .written { return outcome }
    }
    bytes.append(0x5D)
    return .written
  }

  private mutating func append(object: [String: Any], level: Int) -> Outcome {
    if level >= Self.deepestLevel { return tooDeep() }
    bytes.append(0x7B)
    let start = bytes.count
    for (key, value) in sortedMembers(object) {
      switch appendMember(key, value, level: level + 1, first: bytes.count == start) {
      case .written: break
      case .unencodable: leftOut.append(key)
      case .tooMuch: return .tooMuch
      }
    }
    bytes.append(0x7D)
    return .written
  }
}

extension ValueEncoder {
  private mutating func append(bool: Bool) {
    if bool { bytes.append(ascii: "true") } else { bytes.append(ascii: "false") }
  }

  private mutating func append(double: Double) -> Outcome {
    guard double.isFinite else { return .unencodable }
    bytes.append(double: double)
    return .written
  }

  private mutating func append(float: Float) -> Outcome {
    guard float.isFinite else { return .unencodable }
    bytes.append(contentsOf: float.description.utf8)
    return .written
  }

  private mutating func append(integer: any FixedWidthInteger) -> Outcome {
    if let value = Int64(exactly: integer) {
      bytes.append(decimal: value)
    } else if let value = UInt64(exactly: integer) {
      bytes.append(decimal: value)
    } else {
      return .unencodable
    }
    return .written
  }

  /// Writes an `NSNumber` by the type it was made from: a Bool stays a Bool.
  private mutating func append(number: NSNumber) -> Outcome {
    if Swift.type(of: number) == Swift.type(of: NSNumber(value: true)) {
      append(bool: number.boolValue)
      return .written
    }
    switch UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "d"): return append(double: number.doubleValue)
    case UInt8(ascii: "f"): return append(float: number.floatValue)
    case UInt8(ascii: "Q"): bytes.append(decimal: number.uint64Value)
    default: bytes.append(decimal: number.int64Value)
    }
    return .written
  }

  /// Writes a date as RFC 3339 in UTC, to the nearest millisecond.
  private mutating func append(date: Date) -> Outcome {
    let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
    guard milliseconds.isFinite, milliseconds.magnitude < 1e15,
      Timestamp.range.contains(Int64(milliseconds))
    else { return .unencodable }
    bytes.append(0x22)
    Timestamp.append(milliseconds: Int64(milliseconds), to: &bytes)
    bytes.append(0x22)
    return .written
  }

  private mutating func append(data: Data) {
    bytes.append(0x22)
    Base64.append(data, to: &bytes)
    bytes.append(0x22)
  }
}

/// Whether one string comes before another by its UTF-8 bytes.
@inline(__always)
func precedes(_ first: String, _ second: String) -> Bool {
  first.utf8.lexicographicallyPrecedes(second.utf8)
}

/// Lets an `Any` be asked whether it is an optional.
private protocol OptionalValue {
  var wrapped: Any? { get }
}

extension Optional: OptionalValue {
  var wrapped: Any? {
    switch self {
    case .none: return nil
    case .some(let value): return value
    }
  }
}
