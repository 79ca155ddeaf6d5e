import FuzzInvariants
import FuzzProperty
import Testing

@testable import SDK

@Suite("Call stacks of crashes")
struct CallStackTests {
  private let raw = [
    "0   CoreFoundation                      0x00000001a4f2c3c8 __exceptionPreprocess + 164",
    "1   libobjc.A.dylib                     0x000000019d0a6e9c objc_exception_throw + 60",
    "2   Kiosk                               0x0000000104a1c0d4 $s5Kiosk8CheckoutC3payyyF + 1204",
    "3   My App                              0x0000000104a1d000 -[Cart add:to:] + 12",
    "4   Kiosk                               0x0000000104a1e111 0x104a00000 + 123153",
    "5   UIKitCore                           0x00000001a72f0000 closure #1 in foo + bar + 8",
  ]

  @Test("image and symbol of each frame, top first, without addresses and offsets (CRA-13)")
  func frames() {
    #expect(
      CallStack(rawFrames: raw).text == """
        CoreFoundation __exceptionPreprocess
        libobjc.A.dylib objc_exception_throw
        Kiosk $s5Kiosk8CheckoutC3payyyF
        My App -[Cart add:to:]
        Kiosk
        UIKitCore closure #1 in foo + bar
        """)
  }

  @Test("another load address changes neither text nor hash (CRA-16)")
  func addresses() {
    let moved = raw.map {
      $0.replacing("0x00000001", with: "0x0000000f").replacing("164", with: "9")
    }
    #expect(CallStack(rawFrames: moved) == CallStack(rawFrames: raw))
    #expect(
      CallStack(rawFrames: moved).hash(type: "A") == CallStack(rawFrames: raw).hash(type: "A"))
  }

  @Test(
    "type, images and symbols each count in the hash, in 32 lowercase hex digits (CRA-15, C-29)")
  func hashes() {
    let hash = CallStack(rawFrames: raw).hash(type: "NSGenericException")
    #expect(hash.utf8.count == 32)
    #expect(hash.allSatisfy { "0123456789abcdef".contains($0) })
    let others = [
      CallStack(rawFrames: raw).hash(type: "NSRangeException"),
      CallStack(rawFrames: Array(raw.dropLast())).hash(type: "NSGenericException"),
      CallStack(rawFrames: raw.map { $0.replacing("Kiosk", with: "Other") })
        .hash(type: "NSGenericException"),
    ]
    #expect(Set(others + [hash]).count == 4)
  }

  @Test("without frames it is the hash of the type (S-60)")
  func typeAlone() {
    // The digest of the three letters in the standard.
    #expect(CallStack(rawFrames: []).hash(type: "abc") == "ba7816bf8f01cfea414140de5dae2223")
  }

  @Test("private parts of a frame do not reach text or hash (HNG-08)")
  func redacted() {
    let stack = CallStack(rawFrames: ["0 Kiosk 0x1 load(/Users/ayse/a, 5321234567) + 4"])
    #expect(stack.text == "Kiosk load(~/a, [redacted])")
  }

  @Test("a frame is redacted whole, however long: half of an address is none (CRA-07)")
  func longFrame() {
    for count in 2_000..<2_100 {
      let name = "0 Kiosk 0x1 " + String(repeating: "y", count: count)
      let stack = CallStack(rawFrames: [name + " ayse.yilmaz@example.com 5321234567 + 4"])
      #expect(stack.text.hasSuffix("y [redacted] [redacted]"), "\(count)")
    }
  }

  @Test("symbols that differ late are two crashes (CRA-15)")
  func lateDifference() {
    let name = "0 Kiosk 0x1 $s5Kiosk" + String(repeating: "y", count: 6_000)
    let stacks = ["a", "b"].map { CallStack(rawFrames: [name + $0]) }
    #expect(stacks[0].text == stacks[1].text)
    #expect(stacks[0].hash(type: "A") != stacks[1].hash(type: "A"))
  }

  @Test("at most 4000 scalars, cut at the end of a line (CRA-14)")
  func cut() {
    let line = String(repeating: "y", count: 99)
    let stack = CallStack(rawFrames: Array(repeating: line, count: 60))
    #expect(stack.text.unicodeScalars.count == 40 * 100 - 1)
    let exact = CallStack(
      rawFrames: Array(repeating: line, count: 39) + [line + "y", line])
    #expect(exact.text.unicodeScalars.count == 4_000)
    let long = CallStack(rawFrames: [String(repeating: "é", count: 5_000)])
    #expect(long.text.unicodeScalars.count == 4_000)
  }

  @Test("text and hash are those of the reference")
  func reference() throws {
    let words = [
      "0", "12", "Kiosk", "My App", "0x0000000104a1c0d4", "0xZZ", "+", "164", "-[A b:]", "?",
      "/x?y",
      "a@b.example", "1234567", "\t", "  ", "é", "::",
    ]
    let lines = Generator<String>.element(of: words).array(0...7).map { $0.joined(separator: " ") }
    let reference = StackReference()
    try check("equal", runs: 2_500, zip(lines.array(0...50), .element(of: ["A", "NSX", "é"]))) {
      raw, type in
      let stack = CallStack(rawFrames: raw)
      return stack.text.utf8.elementsEqual(reference.text(raw).utf8)
        && stack.hash(type: type) == reference.hash(type: type, raw)
    }
  }

  @Test("long stacks and long frames are cut like those of the reference (CRA-14)")
  func cutLikeReference() throws {
    let parts = [
      String(repeating: "é", count: 1_500), String(repeating: "a", count: 990), "b", "字",
    ]
    let line = Generator<String>.element(of: parts).array(1...3).map { $0.joined() }
    let reference = StackReference()
    var cut = 0
    try check("equal", runs: 40, line.array(1...5)) { raw in
      let stack = CallStack(rawFrames: raw)
      if stack.text.unicodeScalars.count < raw.joined(separator: "\n").unicodeScalars.count {
        cut += 1
      }
      return stack.text.utf8.elementsEqual(reference.text(raw).utf8)
    }
    #expect(cut > 4)
  }

  @Test("both SHA-256 agree on any bytes")
  func digests() throws {
    try check("equal", runs: 300, Generator<UInt8>.anyInteger.array(0...200)) { bytes in
      var digits: [UInt8] = []
      for byte in SHA256.digest(bytes) {
        digits.append(hexDigit(byte >> 4))
        digits.append(hexDigit(byte & 0xF))
      }
      return String(decoding: digits, as: UTF8.self) == SHA256Reference.hexadecimal(bytes)
    }
  }
}
