import Foundation
import FuzzProperty
import Testing

@testable import SDK

@Suite("Writing JSON by hand")
struct BytesTests {
  private func json(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.append(jsonString: text)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(
    "only what JSON demands is escaped",
    arguments: [
      ("", #""""#), ("plain", #""plain""#), ("a\"b\\c", #""a\"b\\c""#),
      ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#), ("\u{0}\u{1F}", #""\u0000\u001f""#),
      ("/ é 🚲 \u{7F} \u{2028}", "\"/ é 🚲 \u{7F} \u{2028}\""),
    ])
  func escapes(_ text: String, _ expected: String) {
    #expect(json(text) == expected)
  }

  @Test("any string comes back from Foundation's reader")
  func stringsRoundTrip() throws {
    try check("strings come back", runs: 1_000, .text(0...40)) { text in
      var bytes: [UInt8] = []
      bytes.append(jsonString: text)
      guard case .string(let own) = JSONParser.parse(bytes), own.utf8.elementsEqual(text.utf8)
      else { return false }
      // Foundation takes this one for a byte order mark.
      if text.unicodeScalars.contains("\u{FEFF}") { return true }
      let data = Data(("[" + json(text) + "]").utf8)
      let back = try JSONSerialization.jsonObject(with: data) as? [String]
      return back?.first.map { Array($0.utf8) == Array(text.utf8) } ?? false
    }
  }

  @Test("whole numbers are written exactly")
  func wholeNumbers() throws {
    try check("Int64", runs: 500, Generator<Int64>.anyInteger) { value in
      var bytes: [UInt8] = []
      bytes.append(decimal: value)
      return String(decoding: bytes, as: UTF8.self) == String(value)
    }
    var bytes: [UInt8] = []
    for value in [UInt64.max, 0, 9, 10, 10_000_000_000_000_000_000] {
      bytes.append(decimal: value)
      bytes.append(0x20)
    }
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "18446744073709551615 0 9 10 10000000000000000000 ")
    bytes = []
    bytes.append(decimal: Int64.min)
    #expect(String(decoding: bytes, as: UTF8.self) == "-9223372036854775808")
  }

  @Test(
    "doubles are written in their shortest form",
    arguments: [
      (0.0, "0.0"), (-0.0, "-0.0"), (0.1, "0.1"), (240, "240.0"), (1e16, "1e+16"),
      (1e308, "1e+308"), (.leastNonzeroMagnitude, "5e-324"),
      (9_007_199_254_740_992, "9007199254740992.0"),
    ] as [(Double, String)])
  func doubles(_ value: Double, _ expected: String) {
    var bytes: [UInt8] = []
    bytes.append(double: value)
    #expect(String(decoding: bytes, as: UTF8.self) == expected)
  }

  @Test("any finite double comes back bit for bit")
  func doublesRoundTrip() throws {
    try check("doubles come back", runs: 2_000, Generator<UInt64>.anyInteger) { bits in
      let value = Double(bitPattern: bits)
      if !value.isFinite { return true }
      var bytes: [UInt8] = []
      bytes.append(double: value)
      guard JSONParser.parse(bytes)?.double?.bitPattern == bits else { return false }
      let data = Data("[\(String(decoding: bytes, as: UTF8.self))]".utf8)
      guard let back = try JSONSerialization.jsonObject(with: data) as? [Double] else {
        return false
      }
      // Foundation's own reader is off by some last bits.
      return back.count == 1 && isNear(back[0], value)
    }
  }

  @Test("digits keep their width")
  func digits() {
    var bytes: [UInt8] = []
    bytes.append(digits: 7, width: 3)
    bytes.append(digits: 2_026, width: 4)
    bytes.append(digits: 12_345, width: 2)
    #expect(String(decoding: bytes, as: UTF8.self) == "007202645")
  }

  @Test("integers of the journal are written least significant byte first")
  func littleEndian() {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: UInt32(0x0102_0304))
    bytes.append(littleEndian: Int64(-2))
    #expect(bytes == [4, 3, 2, 1, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
    let back = bytes.withUnsafeBytes {
      (
        readLittleEndian($0, at: 0, as: UInt32.self), readLittleEndian($0, at: 4, as: Int64.self)
      )
    }
    #expect(back.0 == 0x0102_0304)
    #expect(back.1 == -2)
  }
}
