import Foundation
import FuzzProperty
import Testing

@testable import SDK

@Suite("Values of an app as JSON")
struct ValueEncoderTests {
  private struct Encoded {
    var json: String
    var leftOut: [String]
    var isTooLarge: Bool
  }

  private func encode(_ object: [String: Any], fixed: [(key: String, text: String)] = [])
    -> Encoded
  {
    var encoder = ValueEncoder()
    encoder.encode(object, fixed: fixed)
    return Encoded(
      json: String(decoding: encoder.bytes, as: UTF8.self), leftOut: encoder.leftOut,
      isTooLarge: encoder.isTooLarge)
  }

  private final class Opaque {}

  private final class Keeper {
    let value: Any
    init(_ value: Any) { self.value = value }
  }

  @Test("each type has its form")
  func types() throws {
    let url = try #require(URL(string: "https://example.com/a?b=c#d"))
    let values: [(Any, String)] = [
      (true, "true"), (false, "false"), (1, "1"), (-7, "-7"), (Int8.min, "-128"),
      (Int64.min, "-9223372036854775808"), (UInt64.max, "18446744073709551615"),
      (UInt8(200), "200"),
      (1.5, "1.5"), (240.0, "240.0"), (Float(0.1), "0.1"), ("text", "\"text\""),
      (Substring("part"), "left out"),
      (Date(timeIntervalSince1970: 1_700_000_000.123), "\"2023-11-14T22:13:20.123Z\""),
      (Date(timeIntervalSince1970: -0.001), "\"1969-12-31T23:59:59.999Z\""),
      (Date(timeIntervalSince1970: 1_790_035_199.9996), "\"2026-09-22T00:00:00.000Z\""),
      (Date(timeIntervalSince1970: .nan), "left out"),
      (Date.distantFuture, "\"4001-01-01T00:00:00.000Z\""),
      (Date(timeIntervalSince1970: 1e15), "left out"),
      (url, "\"https://example.com/a?b=c#d\""), (Data([0, 255, 16, 1]), "\"AP8QAQ==\""),
      (Data(), "\"\""), (NSNull(), "null"), (Optional<Int>.none as Any, "null"),
      (Optional(Optional(3)) as Any, "3"), (Optional(Optional<Int>.none) as Any, "null"),
      (NSNumber(value: true), "true"), (NSNumber(value: false), "false"),
      (NSNumber(value: 1), "1"), (NSNumber(value: Int8(1)), "1"), (NSNumber(value: 0), "0"),
      (NSNumber(value: UInt64.max), "18446744073709551615"), (NSNumber(value: 2.0), "2.0"),
      (NSNumber(value: Float(0.1)), "0.1"), (NSString(string: "ns"), "\"ns\""),
      ([1, 2] as [Any], "[1,2]"), (["a", "b"], "[\"a\",\"b\"]"), ([Int](), "[]"),
      (["k": 1], "{\"k\":1}"), ([String: Any](), "{}"), (NSArray(array: [1, "x"]), "[1,\"x\"]"),
      (NSDictionary(dictionary: ["k": NSNull()]), "{\"k\":null}"),
      ([AnyHashable("k"): 1 as Any], "{\"k\":1}"), ([1: "x"], "left out"),
      (Double.nan, "left out"), (Double.infinity, "left out"), (-Float.infinity, "left out"),
      (NSNumber(value: Double.nan), "left out"), (Opaque(), "left out"), (Decimal(1), "left out"),
      (Set([1]), "left out"), ((1, 2), "left out"), (Character("c"), "left out"),
    ]
    for (index, (value, expected)) in values.enumerated() {
      let encoded = encode(["v": value])
      if expected == "left out" {
        #expect(encoded.json == "{}", "value \(index)")
        #expect(encoded.leftOut == ["v"], "value \(index)")
      } else {
        #expect(encoded.json == "{\"v\":\(expected)}", "value \(index)")
        #expect(encoded.leftOut == [], "value \(index)")
      }
    }
  }

  @Test("keys are sorted by their bytes at every level")
  func sorted() {
    let object: [String: Any] = [
      "b": 1, "a": ["z": 1, "é": 2, "Z": 3], "B": 2, "a.b": 3, "": 0, "🚲": 4, "\u{FFFD}": 5,
    ]
    #expect(
      encode(object).json
        == "{\"\":0,\"B\":2,\"a\":{\"Z\":3,\"z\":1,\"é\":2},\"a.b\":3,\"b\":1,"
        + "\"\u{FFFD}\":5,\"🚲\":4}"
    )
  }

  @Test("what cannot be encoded costs the nearest key")
  func nearestKey() {
    let object: [String: Any] = [
      "keep": 1, "inner": ["bad": Double.nan, "good": 2] as [String: Any],
      "list": [1, Double.infinity, 3], "deep": [[["bad": Opaque(), "k": 1] as [String: Any]]],
      "last": [[1, [Double.nan]] as [Any]],
    ]
    let encoded = encode(object)
    #expect(encoded.json == "{\"deep\":[[{\"k\":1}]],\"inner\":{\"good\":2},\"keep\":1}")
    #expect(Set(encoded.leftOut) == ["bad", "list", "last"])
  }

  @Test("fixed members replace those of the app and keep the order")
  func fixedMembers() {
    let fixed = [(key: "pageview_id", text: "id"), (key: "path", text: "/a\"b")]
    #expect(encode([:], fixed: fixed).json == "{\"pageview_id\":\"id\",\"path\":\"/a\\\"b\"}")
    #expect(
      encode(["a": 1, "path": 7, "pageview_id": Opaque(), "q": 2, "pa": 3], fixed: fixed).json
        == "{\"a\":1,\"pa\":3,\"pageview_id\":\"id\",\"path\":\"/a\\\"b\",\"q\":2}")
    #expect(encode(["z": Opaque()], fixed: fixed).leftOut == ["z"])
  }

  @Test("32 levels are sent, 33 cost their key", arguments: [1, 31, 32, 33, 40])
  func depth(_ levels: Int) {
    var arrays: Any = 1
    var objects: Any = 1
    for _ in 0..<levels {
      arrays = [arrays]
      objects = ["k": objects]
    }
    let encoded = encode(["arrays": arrays, "n": 1])
    let whole =
      String(repeating: "[", count: levels) + "1" + String(repeating: "]", count: levels)
    #expect(encoded.json == (levels <= 32 ? "{\"arrays\":\(whole),\"n\":1}" : "{\"n\":1}"))
    // With dictionaries the nearest key is the innermost one that is still allowed.
    let deepest = levels <= 32 ? "{\"k\":1}" : "{}"
    let nested = encode(["v": objects]).json
    #expect(nested.contains(deepest))
    #expect(nested.filter { $0 == "{" }.count == min(levels, 32) + 1)
  }

  @Test("a value 100 000 deep is neither copied nor released")
  func veryDeep() {
    var value: Any = 1
    for _ in 0..<100_000 { value = [value] }
    let encoded = encode(["deep": value, "n": 1])
    #expect(encoded.json == "{\"n\":1}")
    #expect(encoded.leftOut == ["deep"])
    // Releasing it would overflow the stack of this test.
    _ = Unmanaged.passRetained(Keeper(value))
  }

  @Test("what has no end in sight costs its property, and the event goes")
  func endless() {
    // As a cycle with three ways around looks from inside: too deep, and endless in width.
    var wide: [String: Any] = [:]
    for _ in 0..<40 { wide = ["a": wide, "b": wide, "c": wide] }
    let encoded = encode(["n": 1, "wide": wide, "zebra": ["a": wide]])
    #expect(encoded.json == "{\"n\":1}")
    #expect(encoded.leftOut == ["zebra"])
    #expect(!encoded.isTooLarge)
  }

  @Test("a value that explodes by shared storage is too large")
  func explosion() {
    var value: Any = "xxxxxxxxxxxxxxxx"
    for _ in 0..<30 { value = [value, value] }
    #expect(encode(["v": value]).isTooLarge)
    #expect(encode(["v": String(repeating: "x", count: 2_000_000)]).isTooLarge == false)
  }

  /// A value with what Foundation's JSON must read from it.
  indirect enum Sample: Sendable {
    case null, flag(Bool), whole(Int64), fraction(UInt64), text(String)
    case list([Sample]), table([(String, Sample)])

    var value: Any {
      switch self {
      case .null: return NSNull()
      case .flag(let flag): return flag
      case .whole(let number): return number
      case .fraction(let bits): return Double(bitPattern: bits)
      case .text(let text): return text
      case .list(let samples): return samples.map { $0.value }
      case .table(let members):
        return Dictionary(members.map { ($0.0, $0.1.value) }, uniquingKeysWith: { $1 })
      }
    }
  }

  /// Foundation takes U+FEFF for a byte order mark.
  private static let texts = Generator<String>.text(0...8)
    .filter { !$0.unicodeScalars.contains("\u{FEFF}") }

  private static func samples(_ depth: Int) -> Generator<Sample> {
    let leaf = Generator<Sample>.oneOf(
      .always(.null), Generator<Bool>.bool.map { .flag($0) },
      Generator<Int64>.anyInteger.map { .whole($0) },
      Generator<UInt64>.anyInteger.map {
        .fraction(Double(bitPattern: $0).isFinite ? $0 : $0 & 0x3FFF_FFFF_FFFF_FFFF)
      }, texts.map { .text($0) })
    if depth == 0 { return leaf }
    let inner = samples(depth - 1)
    return .oneOf(
      leaf, inner.array(0...4).map { .list($0) },
      zip(texts, inner).array(0...4).map { .table($0) })
  }

  @Test("any tree of JSON types is what Foundation reads back")
  func agreesWithFoundation() throws {
    try check("same tree", runs: 600, Self.samples(4)) { sample in
      var encoder = ValueEncoder()
      encoder.encode(["v": sample.value])
      let back = try JSONSerialization.jsonObject(with: Data(encoder.bytes)) as? [String: Any]
      guard let back = back?["v"] else { return false }
      guard encoder.leftOut.isEmpty, JSONParser.parse(encoder.bytes) != nil else { return false }
      return Self.same(sample, back)
    }
  }

  private static func same(_ sample: Sample, _ back: Any) -> Bool {
    switch sample {
    case .null: return back is NSNull
    case .flag(let flag): return back as? Bool == flag
    case .whole(let number): return (back as? NSNumber)?.int64Value == number
    case .fraction(let bits):
      // Foundation's own reader is off by some last bits.
      let value = Double(bitPattern: bits)
      guard let back = (back as? NSNumber)?.doubleValue else { return false }
      return isNear(back, value)
    case .text(let text):
      return (back as? String).map { $0.utf8.elementsEqual(text.utf8) } ?? false
    case .list(let samples):
      guard let list = back as? [Any], list.count == samples.count else { return false }
      return Swift.zip(samples, list).allSatisfy { same($0, $1) }
    case .table(let members):
      guard let table = back as? [String: Any] else { return false }
      let last = Dictionary(members, uniquingKeysWith: { $1 })
      return table.count == last.count
        && last.allSatisfy { key, sample in table[key].map { same(sample, $0) } ?? false }
    }
  }
}

/// Whether two doubles are equal but for their last bits.
func isNear(_ first: Double, _ second: Double) -> Bool {
  abs(first - second) <= abs(second) * 1e-12 || first == second
}
