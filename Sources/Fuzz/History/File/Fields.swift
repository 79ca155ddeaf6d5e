/// The fields of one line, read with errors that name the line.
struct Fields {
  let value: JSONValue
  let line: Int

  init(_ value: JSONValue, line: Int) {
    self.value = value
    self.line = line
  }

  func has(_ key: String) -> Bool { value[key] != nil }

  func wrong(_ key: String) -> HistoryFileError {
    .damaged(line: line, what: "its field `\(key)` is missing or of the wrong kind")
  }

  func int64(_ key: String) throws(HistoryFileError) -> Int64 {
    guard let number = value[key]?.integer else { throw wrong(key) }
    return number
  }

  func unsigned<Number: FixedWidthInteger & UnsignedInteger>(
    _ key: String, as type: Number.Type = Number.self
  ) throws(HistoryFileError) -> Number {
    guard let number = value[key]?.unsignedNumber, let exact = Number(exactly: number) else {
      throw wrong(key)
    }
    return exact
  }

  func bool(_ key: String) throws(HistoryFileError) -> Bool {
    guard let flag = value[key]?.bool else { throw wrong(key) }
    return flag
  }

  func string(_ key: String) throws(HistoryFileError) -> String {
    guard let text = value[key]?.string else { throw wrong(key) }
    return text
  }

  /// A case by its name.
  func word<Word: CaseIterable>(
    _ key: String, as type: Word.Type = Word.self
  ) throws(HistoryFileError) -> Word {
    guard let name = value[key]?.string,
      let word = Word.allCases.first(where: { String(describing: $0) == name })
    else { throw wrong(key) }
    return word
  }

  /// Bytes that were written as text, or as base64 where they are no text.
  func bytes(_ key: String) throws(HistoryFileError) -> [UInt8] {
    guard let field = value[key] else { throw wrong(key) }
    if let text = field.string { return Array(text.utf8) }
    guard let text = field["base64"]?.string, let bytes = Base64.decode(text.utf8) else {
      throw wrong(key)
    }
    return bytes
  }
}

extension JSONValue {
  /// Any whole number that is not negative.
  var unsignedNumber: UInt64? {
    switch self {
    case .int(let number): return UInt64(exactly: number)
    case .unsigned(let number): return number
    default: return nil
    }
  }

  static func of(_ number: UInt64) -> JSONValue {
    number <= UInt64(Int64.max) ? .int(Int64(number)) : .unsigned(number)
  }

  /// The name of a case.
  static func word<Word: CaseIterable>(_ word: Word) -> JSONValue {
    .string(String(describing: word))
  }
}
