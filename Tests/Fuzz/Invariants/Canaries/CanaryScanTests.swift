import CZlib
import Foundation
import FuzzHistory
import FuzzInvariants
import SimKernel
import Testing

@Suite("Canaries in bytes")
struct CanaryScanTests {
  private static let words = ["ᎠᎵᏊᏟᎠᎵᏊᏟ", "ᎡᎶᏋᏠᎡᎶᏋᏠ", "ᎢᎷᏌᏡᎢᎷᏌᏡ"]
  private let scan = CanaryScan(
    CanaryScanTests.words.map { Canary(kind: .trait, text: $0) }
      + [
        Canary(kind: .trait, text: "+49 170 1234567"), Canary(kind: .trait, text: "8254139"),
        Canary(kind: .token, text: "tok_secret"),
      ])

  private func hit(_ bytes: [UInt8]) -> CanaryScan.Hit? {
    bytes.withUnsafeBytes { scan.firstHit(in: $0) }
  }

  private func hit(_ text: String) -> CanaryScan.Hit? { hit(Array(text.utf8)) }

  @Test("a word at every place, found with its canary", arguments: 0..<40)
  func plain(place: Int) {
    let text = String(repeating: "x", count: place) + CanaryScanTests.words[place % 3] + "tail"
    #expect(hit(text) == CanaryScan.Hit(canary: place % 3, offset: place, form: .plain))
  }

  @Test("four letters are enough, three are not")
  func runs() {
    let word = CanaryScanTests.words[1]
    for start in 0...4 {
      #expect(hit(String(word.dropFirst(start).prefix(4)))?.canary == 1)
      #expect(hit(String(word.dropFirst(start).prefix(3))) == nil)
    }
    #expect(hit(String(word.prefix(2)) + " " + String(word.prefix(3))) == nil)
  }

  @Test("words that are no canaries pass")
  func others() {
    #expect(hit("ᎣᎺᏍᏢᎣᎺᏍᏢ and é 漢字 😀 %C3%A9 \\u00e9") == nil)
    #expect(hit("") == nil)
  }

  @Test("small letters, percent and JSON escapes, in either case")
  func escapes() {
    let word = CanaryScanTests.words[2]
    #expect(hit("a" + word.lowercased())?.canary == 2)
    let percent = word.utf8.map { "%" + String($0, radix: 16) }.joined()
    #expect(hit("q=" + percent) == CanaryScan.Hit(canary: 2, offset: 2, form: .percent))
    #expect(hit("q=" + percent.uppercased())?.form == .percent)
    let escaped = word.unicodeScalars.map { "\\u" + String($0.value, radix: 16) }.joined()
    #expect(hit("\"" + escaped) == CanaryScan.Hit(canary: 2, offset: 1, form: .jsonEscape))
    #expect(hit(escaped.uppercased().replacingOccurrences(of: "\\U", with: "\\u"))?.canary == 2)
  }

  @Test("base64 in text, at every shift and alphabet", arguments: 0..<3)
  func base64(shift: Int) {
    let content = String(repeating: "a", count: shift) + CanaryScanTests.words[0]
    let packed = Base64.text(Array(content.utf8))
    #expect(hit("{\"data\":\"\(packed)\"}") == CanaryScan.Hit(canary: 0, offset: 9, form: .base64))
    let other = packed.replacingOccurrences(of: "+", with: "-").replacingOccurrences(
      of: "/", with: "_")
    #expect(hit("id:" + other)?.form == .base64)
    for prefix in ["", "x", "xy", "xyz"] { #expect(hit(prefix + packed)?.form == .base64) }
  }

  @Test("small letters in base64, at every shift", arguments: 0..<3)
  func smallBase64(shift: Int) {
    for word in CanaryScanTests.words {
      let content = String(repeating: "b", count: shift) + String(word.prefix(4)).lowercased()
      #expect(hit("id:" + Base64.text(Array(content.utf8)))?.form == .base64)
    }
  }

  @Test("gzip is unpacked once")
  func gzip() {
    let text = String(repeating: "padding ", count: 50) + CanaryScanTests.words[1]
    let once = Packing.gzip(Array(text.utf8))
    #expect(hit([1, 2, 3] + once + [9]) == CanaryScan.Hit(canary: 1, offset: 3, form: .gzip))
    #expect(hit(Packing.gzip(once)) == nil)
    #expect(hit(Array(once.dropLast(3)))?.form == .gzip)
    #expect(hit([0x1F, 0x8B, 8, 0xFF, 0xFF]) == nil)
  }

  @Test("digits with the separators that people write")
  func digits() {
    for text in ["+49 170 1234567", "tel:491701234567,", "49-170-123.45/67", "0491701234567"] {
      #expect(hit(text)?.canary == 3, "\(text)")
    }
    #expect(hit("x=8254139,")?.canary == 4)
  }

  @Test("times and counters are no canaries")
  func counters() {
    let texts = [
      "2026-05-28T20:26:40.123Z", "1780000008254139", "82541390", "170 1234567", "1234567",
      "825 41 3",
    ]
    for text in texts { #expect(hit(text) == nil, "\(text)") }
  }

  @Test("other secrets as they stand")
  func texts() {
    #expect(hit("a tok_secret b") == CanaryScan.Hit(canary: 5, offset: 2, form: .plain))
    #expect(hit("tok_secre") == nil)
  }

  @Test("random bytes hold none and trap nothing", arguments: 0..<4)
  func random(part: UInt64) {
    var stream = Randomness(seed: 7).stream(StreamName("bytes"), part)
    for _ in 0..<300 {
      let bytes = (0..<stream.below(200)).map { _ in UInt8(truncatingIfNeeded: stream.next()) }
      #expect(hit(bytes) == nil)
    }
  }

  @Test("a word is found in whatever stands around it", arguments: 0..<4)
  func randomSurroundings(part: UInt64) {
    var stream = Randomness(seed: 8).stream(StreamName("surroundings"), part)
    for _ in 0..<300 {
      var bytes = (0..<stream.below(60)).map { _ in UInt8(truncatingIfNeeded: stream.next()) }
      let place = Int(stream.below(UInt64(bytes.count + 1)))
      bytes.insert(contentsOf: Array(CanaryScanTests.words[0].utf8), at: place)
      #expect(hit(bytes)?.canary == 0)
    }
  }
}

/// Packs bytes for the tests of unpacking.
enum Packing {
  static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    let status = deflateInit2_(
      &stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    precondition(status == Z_OK, "zlib starts")
    defer { deflateEnd(&stream) }
    var source = bytes
    var target = [UInt8](repeating: 0, count: bytes.count + 256)
    let count = source.withUnsafeMutableBufferPointer { source in
      target.withUnsafeMutableBufferPointer { target -> Int in
        stream.next_in = source.baseAddress
        stream.avail_in = UInt32(source.count)
        stream.next_out = target.baseAddress
        stream.avail_out = UInt32(target.count)
        precondition(deflate(&stream, Z_FINISH) == Z_STREAM_END, "all fits")
        return target.count - Int(stream.avail_out)
      }
    }
    return Array(target[..<count])
  }
}
