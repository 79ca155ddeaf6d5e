import FuzzHistory

/// How one kind of value is read and written.
struct Form<Value>: Sendable {
  let write: @Sendable (Value) -> JSONValue
  let read: @Sendable (JSONValue, Place) throws(ScenarioFileError) -> Value

  /// The same text as another type.
  func map<Other>(
    to other: @escaping @Sendable (Value, Place) throws(ScenarioFileError) -> Other,
    from value: @escaping @Sendable (Other) -> Value
  ) -> Form<Other> {
    Form<Other>(
      write: { write(value($0)) },
      read: { (json, place) throws(ScenarioFileError) in try other(try read(json, place), place) })
  }

  /// A list of such values.
  var list: Form<[Value]> {
    Form<[Value]>(
      write: { .array($0.map(write)) },
      read: { (json, place) throws(ScenarioFileError) in
        guard case .array(let elements) = json else {
          throw place.error("\(describe(json)) is no list", "write a list in brackets")
        }
        var values: [Value] = []
        for (index, element) in elements.enumerated() {
          values.append(try read(element, .index(place, index)))
        }
        return values
      })
  }
}

/// What kind of JSON stands there, for errors.
func describe(_ json: JSONValue) -> String {
  switch json {
  case .null: return "null"
  case .bool(let flag): return "\(flag)"
  case .int(let number): return "\(number)"
  case .unsigned(let number): return "\(number)"
  case .double(let number): return "\(number)"
  case .string(let text): return Quoted.text(text)
  case .array: return "a list"
  case .object: return "an object"
  }
}

/// Reads the fields of one object; at the end every field must have been asked for.
struct FieldReader {
  let place: Place
  private let what: String
  private var entries: [JSONEntry]
  private var isTaken: [Bool]
  private var known: [String] = []

  /// - Throws: where this is no object, or has a key twice.
  init(_ json: JSONValue, _ place: Place, _ what: String) throws(ScenarioFileError) {
    guard case .object(let entries) = json else {
      throw place.error("\(describe(json)) is not \(what)", "write an object in braces")
    }
    self.place = place
    self.what = what
    self.entries = entries
    isTaken = Array(repeating: false, count: entries.count)
    for (index, entry) in entries.enumerated() {
      for other in entries[..<index] where other.key.utf8.elementsEqual(entry.key.utf8) {
        throw Place.key(place, entry.key).error("this key stands twice", "keep one of them")
      }
    }
  }

  /// The value of a key that may be missing.
  mutating func optional<Value>(
    _ key: String, _ form: Form<Value>
  ) throws(ScenarioFileError) -> Value? {
    known.append(key)
    for (index, entry) in entries.enumerated() where entry.key.utf8.elementsEqual(key.utf8) {
      isTaken[index] = true
      return try form.read(entry.value, .key(place, key))
    }
    return nil
  }

  /// The value of a key that must be there.
  mutating func required<Value>(
    _ key: String, _ form: Form<Value>
  ) throws(ScenarioFileError) -> Value {
    if let value = try optional(key, form) { return value }
    // A slip of the pen in this very key is worth more than the news that it is missing.
    for (index, entry) in entries.enumerated()
    where !isTaken[index] && Quoted.nearest(entry.key, in: [key]) != nil {
      throw Place.key(place, entry.key).error(
        "unknown key in \(what)", Quoted.mend(entry.key, [key]))
    }
    throw Place.key(place, key).error("missing in \(what)", "add \"\(key)\"")
  }

  /// The value of a key, or a default.
  mutating func value<Value>(
    _ key: String, _ form: Form<Value>, else fallback: Value
  ) throws(ScenarioFileError) -> Value {
    try optional(key, form) ?? fallback
  }

  /// Whether a key is there.
  func has(_ key: String) -> Bool { entries.contains { $0.key.utf8.elementsEqual(key.utf8) } }

  /// - Throws: for a key that nobody asked for.
  func finish() throws(ScenarioFileError) {
    for (index, entry) in entries.enumerated() where !isTaken[index] {
      throw Place.key(place, entry.key).error(
        "unknown key in \(what)", Quoted.mend(entry.key, known))
    }
  }
}

/// Collects the fields of one object, leaving out what is default.
struct FieldWriter {
  private(set) var entries: [JSONEntry] = []

  var value: JSONValue { .object(entries) }

  mutating func add<Value>(_ key: String, _ form: Form<Value>, _ value: Value) {
    entries.append(JSONEntry(key, form.write(value)))
  }

  /// Adds a value unless it is missing.
  mutating func add<Value>(_ key: String, _ form: Form<Value>, ifPresent value: Value?) {
    if let value { add(key, form, value) }
  }

  /// Adds a value unless it is the default.
  mutating func add<Value: Equatable>(
    _ key: String, _ form: Form<Value>, _ value: Value, unless fallback: Value
  ) {
    if value != fallback { add(key, form, value) }
  }
}
