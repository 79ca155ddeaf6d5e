import Foundation
import FuzzProperty
import Testing

@testable import SDK

@Suite("Reading JSON")
struct JSONParserTests {
  private func parse(_ text: String) -> JSONValue? { JSONParser.parse(Array(text.utf8)) }

  @Test("values of each kind")
  func values() {
    #expect(parse("null") == .null)
    #expect(parse(" [ true , false ] ") == .array([.bool(true), .bool(false)]))
    #expect(parse("-12.5e+3") == .number("-12.5e+3"))
    #expect(parse(#""a\n\u00e9\ud83d\udeb2\/""#) == .string("a\né🚲/"))
    #expect(parse("{}") == .object([]))
    #expect(parse(#"{"a":{"b":[1]}}"#)?["a"]?["b"]?.array?.first?.double == 1)
  }

  @Test("of several members with one key the last counts")
  func duplicates() {
    #expect(parse(#"{"a":1,"a":"x"}"#)?["a"]?.string == "x")
  }

  @Test(
    "what is no JSON is refused",
    arguments: [
      "", " ", "{", "[", "[1,]", "{\"a\":1,}", "{\"a\"}", "{a:1}", "[1 2]", "nul", "TRUE", "01",
      "1.",
      ".5", "+1", "-", "1e", "\"", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\\ud800\\u0041\"",
      "\"\\udc00\"", "\"a\nb\"", "[] []", "{}x", "'a'", "[1", "\u{FEFF}{}",
    ])
  func refused(_ text: String) {
    #expect(parse(text) == nil)
  }

  @Test("broken UTF-8 is refused")
  func brokenText() {
    #expect(JSONParser.parse([0x22, 0xFF, 0x22]) == nil)
    #expect(JSONParser.parse([0x22, 0xC3, 0x22]) == nil)
    #expect(JSONParser.parse([0x22, 0xED, 0xA0, 0x80, 0x22]) == nil)
    #expect(JSONParser.parse([0x22, 0x5C, 0x6E, 0xC0, 0x80, 0x22]) == nil)
  }

  @Test("nesting is bounded")
  func nesting() {
    let most = JSONParser.deepestLevel
    func nested(_ levels: Int) -> String {
      String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }
    #expect(parse(nested(most + 1)) != nil)
    #expect(parse(nested(most + 2)) == nil)
    #expect(parse(String(repeating: "[", count: 1_000_000)) == nil)
    #expect(parse(String(repeating: "{\"a\":", count: 1_000_000)) == nil)
  }

  /// Bytes that are nearly JSON.
  private static let nearly = Generator<[UInt8]>.oneOf(
    Generator<String>.element(of: [
      #"{"rejected":[{"messageId":"a","reason":"b"}],"warnings":["w",1.5e3,null,true]}"#,
      #"{"consent":{"mode":"implied"},"session":{"timeoutMinutes":10},"test":false}"#,
      "[[[1,-2,0.5],{\"\\u0041\":\"\\ud83d\\udeb2\"}],\"é\"]",
    ]).map { Array($0.utf8) },
    Generator<UInt8>.anyInteger.array(0...24),
    Generator<UInt8>.element(of: Array("{}[]\":,0123456789.eE+-truefalsn\\ u\"".utf8)).array(0...24)
  )

  private static let damaged = zip(
    nearly, zip(Generator<UInt8>.anyInteger, Generator<Int>.integer(in: 0...200)).array(0...3)
  ).map { bytes, edits in
    var bytes = bytes
    for (byte, place) in edits where !bytes.isEmpty { bytes[place % bytes.count] = byte }
    return bytes
  }

  @Test("any bytes are read or refused, as Foundation does")
  func total() throws {
    try check("agrees with Foundation", runs: 4_000, Self.damaged) { bytes in
      let own = JSONParser.parse(bytes)
      let other = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
      // Foundation also takes other encodings than UTF-8, and numbers out of range it refuses.
      if bytes.contains(0) || bytes.starts(with: [0xEF, 0xBB]) || bytes.starts(with: [0xFF])
        || bytes.starts(with: [0xFE])
      {
        return true
      }
      if own != nil && other == nil { return Self.hasLargeNumber(own) || Self.isDoubtful(bytes) }
      return own != nil || other == nil || Self.isDoubtful(bytes)
    }
  }

  private static func hasLargeNumber(_ value: JSONValue?) -> Bool {
    switch value {
    case .number(let text): return text.count > 15 || !(Double(text) ?? .infinity).isFinite
    case .array(let elements): return elements.contains { hasLargeNumber($0) }
    case .object(let members): return members.contains { hasLargeNumber($0.value) }
    default: return false
    }
  }

  /// Foundation is lenient, or strict in its own way, with exponents and lone surrogates.
  private static func isDoubtful(_ bytes: [UInt8]) -> Bool {
    bytes.contains(UInt8(ascii: "e")) && bytes.contains { (0x30...0x39).contains($0) }
      || bytes.contains(0x5C) || String(validating: bytes, as: UTF8.self) == nil
  }
}
