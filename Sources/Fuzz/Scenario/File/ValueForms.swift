import FuzzHistory

extension Form where Value == PropertyValue {
  /// How deep a value may be written out; deeper ones are `nested`.
  private static var depthLimit: Int { 16 }

  /// A value of the host app. What JSON has stands as JSON; an object is a tag with one key that
  /// says what else it is.
  static let property = Form(
    write: { writeProperty($0) },
    read: { (json, place) throws(ScenarioFileError) in try readProperty(json, place, depth: 0) })

  private static func writeProperty(_ value: PropertyValue) -> JSONValue {
    switch value {
    case .null: return .null
    case .bool(let flag): return .bool(flag)
    case .int(let number): return .int(number)
    case .unsigned(let number):
      return number > UInt64(Int64.max) ? .unsigned(number) : tag("unsigned", .int(Int64(number)))
    case .double(let bits): return writeDouble(bits)
    case .string(let text): return RepeatedText.write(text)
    case .date(let milliseconds): return tag("date", dates.write(milliseconds))
    case .url(let text): return tag("url", .string(text))
    case .data(let bytes): return tag("data", Form<[UInt8]>.base64.write(bytes))
    case .array(let values): return .array(values.map(writeProperty))
    case .object(let entries): return tag("object", Form<[PropertyEntry]>.properties.write(entries))
    case .boxedBool(let flag): return tag("boxed", .bool(flag))
    case .boxedInt(let number): return tag("boxed", .int(number))
    case .boxedDouble(let bits): return tag("boxed", writeDouble(bits))
    case .optional(let inner?): return tag("some", writeProperty(inner))
    case .optional(nil): return tag("is", .string("none"))
    case .opaque: return tag("is", .string("opaque"))
    case .numberKeyed: return tag("is", .string("number_keyed"))
    case .nested(let depth): return tag("nested", .int(Int64(depth)))
    }
  }

  private static var dates: Form<Int64> {
    .moment(in: -8_640_000_000_000_000...8_640_000_000_000_000)
  }

  private static func tag(_ key: String, _ value: JSONValue) -> JSONValue {
    .object([JSONEntry(key, value)])
  }

  private static func writeDouble(_ bits: UInt64) -> JSONValue {
    let value = Form<UInt64>.double.write(bits)
    if case .string = value { return tag("double", value) }
    return value
  }

  static func readProperty(
    _ json: JSONValue, _ place: Place, depth: Int
  ) throws(ScenarioFileError) -> PropertyValue {
    guard depth <= depthLimit else {
      throw place.error(
        "values are written out at most \(depthLimit) deep", "use { \"nested\": depth }")
    }
    switch json {
    case .null: return .null
    case .bool(let flag): return .bool(flag)
    case .int(let number): return .int(number)
    case .unsigned(let number): return .unsigned(number)
    case .double(let number): return .double(bits: number.bitPattern)
    case .string(let text): return .string(text)
    case .array(let elements):
      var values: [PropertyValue] = []
      for (index, element) in elements.enumerated() {
        values.append(try readProperty(element, .index(place, index), depth: depth + 1))
      }
      return .array(values)
    case .object: return try readTag(json, place, depth: depth)
    }
  }

  private static func readTag(
    _ json: JSONValue, _ place: Place, depth: Int
  ) throws(ScenarioFileError) -> PropertyValue {
    var fields = try FieldReader(json, place, "a tagged value")
    var value: PropertyValue?
    let nested = Form { (json, place) throws(ScenarioFileError) in
      try readProperty(json, place, depth: depth + 1)
    }
    if let inner = try fields.optional("object", .entries(nested)) { value = .object(inner) }
    if let inner = try fields.optional("some", nested) { value = .optional(inner) }
    if let date = try fields.optional("date", dates) { value = .date(milliseconds: date) }
    if let url = try fields.optional("url", .text) { value = .url(url) }
    if let bytes = try fields.optional("data", .base64) { value = .data(bytes) }
    if let bits = try fields.optional("double", .double) { value = .double(bits: bits) }
    if let number = try fields.optional("unsigned", .integer(in: 0...Int64.max)) {
      value = .unsigned(UInt64(number))
    }
    if let depth = try fields.optional("nested", .int(in: 0...100_000)) {
      value = .nested(depth: depth)
    }
    if let boxed = try fields.optional("boxed", .boxed) { value = boxed }
    if let word = try fields.optional("is", .plainTag) { value = word.value }
    if fields.has("repeat") { value = .string(try RepeatedText.read(&fields)) }
    try fields.finish()
    guard let value else {
      throw place.error("an empty object says nothing", "write { \"object\": {} } for one")
    }
    guard json.object?.count == 1 || fields.has("repeat") && json.object?.count == 2 else {
      throw place.error("a tagged value has one tag", "keep one of its keys")
    }
    return value
  }

  /// What an `NSNumber` is made from.
  private static let boxed = Form(
    write: { writeProperty($0) },
    read: { (json, place) throws(ScenarioFileError) in
      switch json {
      case .bool(let flag): return .boxedBool(flag)
      case .int(let number): return .boxedInt(number)
      case .double(let number): return .boxedDouble(bits: number.bitPattern)
      case .object:
        if case .double(let bits) = try readProperty(json, place, depth: 0) {
          return .boxedDouble(bits: bits)
        }
      default: break
      }
      throw place.error("\(describe(json)) cannot be boxed", "write true, false or a number")
    })

  private init(
    read: @escaping @Sendable (JSONValue, Place) throws(ScenarioFileError) -> PropertyValue
  ) {
    self.init(write: { Self.writeProperty($0) }, read: read)
  }
}

/// Values that carry nothing but their name.
private enum PlainTag: CaseIterable, Sendable {
  case none
  case opaque
  case numberKeyed

  var value: PropertyValue {
    switch self {
    case .none: return .optional(nil)
    case .opaque: return .opaque
    case .numberKeyed: return .numberKeyed
    }
  }
}

extension Form where Value == PlainTag {
  fileprivate static var plainTag: Form { .word }
}

extension Form where Value == [PropertyEntry] {
  /// Named values of the host app.
  static let properties = entries(.property)

  static func entries(_ form: Form<PropertyValue>) -> Form {
    Form(
      write: { .object($0.map { JSONEntry($0.key, form.write($0.value)) }) },
      read: { (json, place) throws(ScenarioFileError) in
        _ = try FieldReader(json, place, "named values")
        var entries: [PropertyEntry] = []
        for entry in json.object ?? [] {
          entries.append(
            PropertyEntry(entry.key, try form.read(entry.value, .key(place, entry.key))))
        }
        return entries
      })
  }
}

/// Long texts that repeat a short one are written as that: a file is read by people.
enum RepeatedText {
  static let longestPlain = 120

  static func write(_ text: String) -> JSONValue {
    let bytes = Array(text.utf8)
    guard bytes.count > longestPlain, let period = period(bytes) else { return .string(text) }
    return .object([
      JSONEntry("repeat", .string(String(decoding: bytes[..<period], as: UTF8.self))),
      JSONEntry("times", .int(Int64(bytes.count / period))),
    ])
  }

  static func read(_ fields: inout FieldReader) throws(ScenarioFileError) -> String {
    let unit = try fields.required("repeat", .text)
    let times = try fields.required("times", .int(in: 0...10_000_000))
    guard unit.utf8.count * times <= 10_000_000 else {
      throw fields.place.error("that is more than 10 000 000 bytes", "repeat it less often")
    }
    return String(repeating: unit, count: times)
  }

  /// The shortest unit, of at most 64 bytes, that gives the whole.
  private static func period(_ bytes: [UInt8]) -> Int? {
    (1...64).first { period in
      bytes.count.isMultiple(of: period)
        && (period..<bytes.count).allSatisfy { bytes[$0] == bytes[$0 - period] }
    }
  }
}
