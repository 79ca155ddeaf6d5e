import FuzzHistory

extension JSONValue {
  /// The value as text on one line, keys in the order they were given: a report reads better when
  /// the seed and the verdict come first.
  public var line: String {
    var writer = JSONWriter()
    writer.write(self, sortingKeys: false)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// An array as text with one element a line, for lists that people read too.
  public static func listing(_ elements: [JSONValue]) -> String {
    elements.isEmpty ? "[]" : "[\n  " + elements.map(\.line).joined(separator: ",\n  ") + "\n]"
  }

  static func count(_ count: Int) -> JSONValue { .int(Int64(count)) }

  static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

  static func seed(_ seed: UInt64?) -> JSONValue { seed.map { .int(Int64($0)) } ?? .null }

  /// A number without decimals where it has none, else with at most so many.
  static func rounded(_ value: Double, _ places: Int) -> JSONValue {
    guard value.isFinite else { return .int(0) }
    var scale: Double = 1
    for _ in 0..<places { scale *= 10 }
    let rounded = (value * scale).rounded() / scale
    let whole = Int64(exactly: rounded)
    return whole.map { .int($0) } ?? .double(rounded)
  }

  /// A number of any form.
  var real: Double? {
    switch self {
    case .int(let number): return Double(number)
    case .unsigned(let number): return Double(number)
    case .double(let number): return number
    default: return nil
    }
  }

  /// The whole number under a key; 0 when it is absent.
  func count(of key: String) -> Int { Int(self[key]?.integer ?? 0) }
}

extension Tally {
  /// Names with their counts as an object.
  public var json: JSONValue {
    .object(entries.map { JSONEntry($0.name, .count($0.count)) })
  }

  /// Reads what `json` wrote; absent is empty.
  init(json: JSONValue?) {
    self.init()
    for entry in json?.object ?? [] { add(entry.key, Int(entry.value.integer ?? 0)) }
  }
}
