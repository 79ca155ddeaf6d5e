import Foundation
import FuzzHistory
import SimKernel
import Testing

/// Our reading of a document against Foundation's.
func matches(_ value: JSONValue, _ other: Any) -> Bool {
  switch value {
  case .null: return other is NSNull
  case .bool(let flag): return (other as? NSNumber)?.boolValue == flag && other is Bool
  case .int(let number): return (other as? NSNumber)?.int64Value == number
  case .unsigned(let number): return (other as? NSNumber)?.uint64Value == number
  case .double(let number):
    // Foundation goes by way of a decimal for long numbers and may land beside the nearest double.
    guard let other = (other as? NSNumber)?.doubleValue else { return false }
    return abs(other - number) <= 4 * number.ulp
  case .string(let text): return (other as? String).map { Array($0.utf8) } == Array(text.utf8)
  case .array(let elements):
    guard let others = other as? [Any], others.count == elements.count else { return false }
    return zip(elements, others).allSatisfy { matches($0, $1) }
  case .object(let entries):
    guard let others = other as? [String: Any], others.count == entries.count else { return false }
    return entries.allSatisfy { entry in others[entry.key].map { matches(entry.value, $0) } ?? false
    }
  }
}

private func foundation(_ bytes: [UInt8]) -> Any? {
  try? JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed])
}

@Suite("JSON against Foundation")
struct JSONDifferentialTests {
  @Test("random documents read the same, and so do their canonical bytes", arguments: 0..<20)
  func randomDocuments(part: UInt64) throws {
    var documents = JSONDocuments(stream: Randomness(seed: 1).stream(StreamName("documents"), part))
    for _ in 0..<100 {
      let bytes = documents.document()
      let value = try JSONValue.parse(bytes)
      let other = try #require(foundation(bytes), "\(String(decoding: bytes, as: UTF8.self))")
      #expect(matches(value, other), "\(String(decoding: bytes, as: UTF8.self))")
      let canonical = value.canonicalBytes()
      #expect(try JSONValue.parse(canonical).canonicalBytes() == canonical)
      #expect(matches(value, try #require(foundation(canonical))))
      try bytes.withUnsafeBytes { try JSONBytes.validate($0) }
    }
  }

  @Test(
    "hostile bytes: no trap, both readers agree, stepping over agrees with building",
    arguments: 0..<20)
  func hostileBytes(part: UInt64) {
    var documents = JSONDocuments(stream: Randomness(seed: 2).stream(StreamName("hostile"), part))
    for _ in 0..<300 {
      let document = documents.document()
      let bytes = documents.damaged(document)
      let built = Result { try JSONValue.parse(bytes) }
      let passed = Result { try bytes.withUnsafeBytes { try JSONBytes.validate($0) } }
      switch (built, passed) {
      case (.success(let value), .success):
        if let other = foundation(bytes) {
          #expect(
            matches(value, other) || hasTwinKeys(value),
            "\(String(decoding: bytes, as: UTF8.self)) \(other)")
        }
      case (.failure(let one), .failure(let other)):
        #expect(one as? JSONError == other as? JSONError)
        // Zero bytes make Foundation guess at wider encodings.
        if !bytes.contains(0) { #expect(foundation(bytes) == nil, "\(one) \(bytes)") }
      default: Issue.record("building and stepping over disagree on \(bytes)")
      }
    }
  }

  private func hasTwinKeys(_ value: JSONValue) -> Bool {
    switch value {
    case .array(let elements): return elements.contains { hasTwinKeys($0) }
    case .object(let entries):
      let keys = entries.map(\.key)
      return Set(keys).count < keys.count || entries.contains { hasTwinKeys($0.value) }
    default: return false
    }
  }

  @Test("random bytes never trap", arguments: 0..<4)
  func randomBytes(part: UInt64) {
    var stream = Randomness(seed: 3).stream(StreamName("bytes"), part)
    var refused = 0
    for _ in 0..<2_000 {
      let bytes = (0..<stream.below(40)).map { _ in UInt8(truncatingIfNeeded: stream.next()) }
      if (try? JSONValue.parse(bytes)) == nil { refused += 1 }
    }
    #expect(refused > 1_900)
  }
}

@Suite("JSON reading")
struct JSONReadingTests {
  @Test(
    "errors name the kind and the byte",
    arguments: [
      ("", JSONError.Kind.unexpectedEnd, 0), ("{\"a\":1", .unexpectedEnd, 6),
      ("[1,]", .unexpectedByte, 3),
      ("tru", .unexpectedEnd, 3), ("[01]", .invalidNumber, 1), ("-", .invalidNumber, 0),
      ("1e999", .numberOutOfRange, 0), ("\"\\x\"", .invalidEscape, 1),
      ("\"\\ud800\"", .invalidEscape, 1), ("\"\\udc00\"", .invalidEscape, 1),
      ("\"a\nb\"", .controlCharacter, 2), ("1 2", .trailingBytes, 2), ("{1:2}", .unexpectedByte, 1),
    ])
  func errors(text: String, kind: JSONError.Kind, offset: Int) {
    #expect(throws: JSONError(kind, at: offset)) { try JSONValue.parse(Array(text.utf8)) }
  }

  @Test(
    "bytes that are not UTF-8 are refused",
    arguments: [
      [0x80], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE1, 0x8E], [0xC2],
    ] as [[UInt8]])
  func invalidUTF8(content: [UInt8]) {
    let bytes = [UInt8(ascii: "\"")] + content + [UInt8(ascii: "\"")]
    #expect(throws: JSONError(.invalidUTF8, at: 1)) { try JSONValue.parse(bytes) }
  }

  @Test("depth is bounded, one less is fine")
  func depth() throws {
    let limit = JSONValue.depthLimit
    let deep = Array(
      (String(repeating: "[", count: limit) + String(repeating: "]", count: limit)).utf8)
    _ = try JSONValue.parse(deep)
    let deeper = [UInt8(ascii: "[")] + deep + [UInt8(ascii: "]")]
    #expect(throws: JSONError(.tooDeep, at: limit)) { try JSONValue.parse(deeper) }
    let endless = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
    #expect(throws: JSONError(.tooDeep, at: limit)) { try JSONValue.parse(endless) }
  }

  @Test("numbers are exact")
  func numbers() throws {
    let text =
      "[-9223372036854775808,9223372036854775807,9223372036854775808,18446744073709551615,-0,5,5.0]"
    #expect(
      try JSONValue.parse(Array(text.utf8))
        == .array([
          .int(.min), .int(.max), .unsigned(9_223_372_036_854_775_808), .unsigned(.max),
          .double(-0.0), .int(5), .double(5),
        ]))
    #expect(JSONValue.int(5) != .double(5))
  }

  @Test("equality is by bytes, not by letters")
  func equality() {
    #expect(JSONValue.string("\u{E9}") != .string("e\u{301}"))
    #expect(JSONValue.object([JSONEntry("\u{E9}", .null)])["e\u{301}"] == nil)
  }

  @Test("canonical bytes sort keys by their bytes")
  func canonical() throws {
    let text = #" { "b" : [ 1 , 2.50 ] , "a" : "\u0007\/\n" , "B":null } "#
    #expect(
      try JSONValue.parse(Array(text.utf8)).canonicalText()
        == #"{"B":null,"a":"\u0007/\n","b":[1,2.5]}"#)
  }
}

@Suite("JSON without values")
struct JSONBytesTests {
  private let body = Array(
    #"{"x":{"batch":[9]},"batch":[ {"messageId":"a\"b"} ,2,[3]],"sentAt":"t"}"#.utf8)

  @Test("an array field is split into its elements")
  func elements() throws {
    let parts = try body.withUnsafeBytes { try JSONBytes.elements(of: "batch", in: $0) }
    let texts = try #require(parts).map { String(decoding: body[$0], as: UTF8.self) }
    #expect(texts == [#"{"messageId":"a\"b"}"#, "2", "[3]"])
    #expect(try body.withUnsafeBytes { try JSONBytes.elements(of: "x", in: $0) } == nil)
    #expect(try body.withUnsafeBytes { try JSONBytes.elements(of: "none", in: $0) } == nil)
  }

  @Test("damage anywhere in the document shows while splitting")
  func damage() {
    for cut in 0..<body.count {
      let bytes = Array(body[..<cut])
      #expect(throws: JSONError.self) {
        try bytes.withUnsafeBytes { try JSONBytes.elements(of: "batch", in: $0) }
      }
    }
  }

  @Test("a string field is found, and its escapes can be undone")
  func text() throws {
    let message = Array(#"{"a":{"messageId":1},"messageId":"a\"b","n":3}"#.utf8)
    try message.withUnsafeBytes { buffer in
      let found = try #require(try JSONBytes.text(of: "messageId", in: buffer))
      #expect(found.hasEscapes)
      #expect(String(decoding: message[found.range], as: UTF8.self) == #"a\"b"#)
      #expect(JSONBytes.unescaped(found, in: buffer) == Array("a\"b".utf8))
      #expect(try JSONBytes.text(of: "n", in: buffer) == nil)
      #expect(try JSONBytes.value(of: "n", in: buffer).map { Array(message[$0]) } == [0x33])
    }
  }

  @Test("a cursor walks all fields of a parsed object", arguments: 0..<50)
  func cursor(part: UInt64) throws {
    var documents = JSONDocuments(stream: Randomness(seed: 4).stream(StreamName("cursor"), part))
    let bytes = documents.document()
    guard let entries = try JSONValue.parse(bytes).object else { return }
    try bytes.withUnsafeBytes { buffer in
      var cursor = try JSONObjectCursor(buffer)
      for entry in entries {
        let field = try #require(try cursor.next())
        #expect(JSONBytes.unescaped(field.key, in: buffer) == Array(entry.key.utf8))
        #expect(try JSONValue.parse(bytes[field.value]) == entry.value)
      }
      #expect(try cursor.next() == nil)
    }
  }
}
