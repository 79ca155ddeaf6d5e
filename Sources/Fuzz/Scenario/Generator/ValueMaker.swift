import FuzzHistory
import SimKernel

/// Makes the properties and traits of one call.
struct ValueMaker {
  /// How many canary words one call may hold.
  static let canariesPerCall = 16

  var draw: RandomStream
  /// The number of the call's next canary word among all of its scenario.
  var nextCanary: Int
  /// How many words the call may still use.
  var canariesLeft = ValueMaker.canariesPerCall
  /// Turns the numbers of one scenario's words; below `CanaryWords.count`.
  let canaryOffset: Int
  /// One value of so many is hostile; 0 is none.
  let hostileOneIn: UInt64

  private static let keys = [
    "price", "currency", "title", "sku", "position", "tags", "filter", "source", "variant", "shop",
    "steps", "query", "ünïcode", "with space", "a.b", "$set", "Ω",
  ]

  /// The next canary word of this call; a plain word once it has used all of its own.
  mutating func canary() -> String {
    if canariesLeft == 0 { return "plenty" }
    defer {
      canariesLeft -= 1
      nextCanary += 1
    }
    // 101 and the number of words have no common divisor, so that neighbours look different.
    return CanaryWords.word(UInt32((nextCanary * 101 + canaryOffset) % Int(CanaryWords.count)))
  }

  /// Properties: an ordinal that tells the call apart, and up to four values.
  mutating func properties(ordinal: Int?, path: Bool = false) -> [PropertyEntry] {
    var entries: [PropertyEntry] = []
    let extra = Int(draw.below(6))
    entries.reserveCapacity(extra + 2)
    if let ordinal { entries.append(PropertyEntry("n", .int(Int64(ordinal)))) }
    if path { addPath(&entries) }
    let first = Int(draw.below(17))
    for place in 0..<max(0, extra - 1) {
      let key = ValueMaker.keys[(first + place * 5) % 17]
      entries.append(PropertyEntry(key, value(depth: 0)))
    }
    return entries
  }

  /// Traits: an ordinal, one or two secret words, now and then more.
  mutating func traits(ordinal: Int?) -> [PropertyEntry] {
    var entries: [PropertyEntry] = []
    entries.reserveCapacity(4)
    if let ordinal { entries.append(PropertyEntry("n", .int(Int64(ordinal)))) }
    if draw.chance(7, in: 8) { entries.append(PropertyEntry("email", .string(canary()))) }
    if draw.chance(1, in: 3) { entries.append(PropertyEntry("phone", secretInside())) }
    if draw.chance(1, in: 3) { entries.append(PropertyEntry("plan", value(depth: 0))) }
    if draw.chance(1, in: 16) {
      entries.append(PropertyEntry("advertisingId", .string(canary())))
    }
    // Around the size at which a message is too large with its traits and not without.
    if hostileOneIn > 0, draw.chance(1, in: 50) {
      entries.append(PropertyEntry("notes", .string(ValueMaker.long(draw.int(31_600...32_600)))))
    }
    return entries
  }

  /// A secret where a careless encoder might miss it.
  private mutating func secretInside() -> PropertyValue {
    let word = canary()
    switch draw.below(6) {
    case 0: return .array([.string(word), .null])
    case 1: return .object([PropertyEntry("street", .string(word))])
    case 2: return .optional(.string(word))
    case 3: return .data(Array(word.utf8))
    case 4: return .string("\"" + word + "\\\n")
    default: return .string(word)
    }
  }

  private mutating func addPath(_ entries: inout [PropertyEntry]) {
    switch draw.below(6) {
    case 0: entries.append(PropertyEntry("path", .string("/shop/cart")))
    case 1: entries.append(PropertyEntry("path", .string("no-slash")))
    case 2: entries.append(PropertyEntry("path", .int(5)))
    case 3: entries.append(PropertyEntry("pageview_id", .string("mine")))
    default: break
    }
  }

  mutating func value(depth: Int) -> PropertyValue {
    if hostileOneIn > 0, draw.chance(1, in: hostileOneIn) { return hostile(depth: depth) }
    switch draw.below(20) {
    case 0...5: return .string(canary())
    case 6: return .string(Numerals.text("sku-", Int(draw.below(100_000))))
    case 7...9: return .int(draw.within(-100...10_000))
    case 10: return .bool(draw.chance(1, in: 2))
    case 11: return .double(bits: Numerals.doubleBits(ofWhole: draw.within(-1_000...1_000)))
    case 12: return .double(bits: moderateDouble())
    case 13: return .null
    case 14: return .date(milliseconds: draw.within(-62_135_596_800_000...253_402_300_799_999))
    case 15:
      return .url(Numerals.text("https://example.com/p/", Int(draw.below(1_000)), "?q=a%20b"))
    case 16: return .data([UInt8(truncatingIfNeeded: draw.next()), 0, 255])
    case 17 where depth < 3:
      return .array([value(depth: depth + 1), .int(Int64(depth)), value(depth: depth + 1)])
    case 18 where depth < 3:
      return .object([
        PropertyEntry("id", .int(draw.within(0...9))), PropertyEntry("in", value(depth: depth + 1)),
      ])
    default: return .boxedInt(draw.within(0...3))
    }
  }

  /// A finite double of everyday size with all its bits used.
  private mutating func moderateDouble() -> UInt64 {
    let exponent = UInt64(1_023 - 20) + draw.below(60)
    return draw.below(2) << 63 | exponent << 52 | draw.next() >> 12
  }

  private mutating func hostile(depth: Int) -> PropertyValue {
    switch draw.below(32) {
    case 0: return .double(bits: Numerals.notANumber)
    case 1: return .double(bits: Numerals.infinity)
    case 2: return .double(bits: Numerals.negativeInfinity)
    case 3: return .nested(depth: 31)
    case 4: return .nested(depth: 32)
    case 5: return .nested(depth: 33)
    case 6: return .nested(depth: draw.int(34...40))
    case 7: return .opaque
    case 8: return .numberKeyed
    case 9: return .optional(nil)
    case 10: return .optional(.optional(.int(7)))
    case 11: return .boxedBool(draw.chance(1, in: 2))
    case 12: return .boxedDouble(bits: draw.chance(1, in: 2) ? 1 << 62 : Numerals.notANumber)
    case 13: return .int((1 << 53) + draw.within(-1...1))
    case 14: return .int(.min)
    case 15: return .int(.max)
    case 16: return .unsigned(.max)
    case 17: return .unsigned(1 << 63)
    case 18: return .double(bits: 1 << 63)
    case 19: return .double(bits: 0x7FE1_CCF3_85EB_C8A0)
    case 20: return .double(bits: draw.chance(1, in: 2) ? 1 : 0x7FEF_FFFF_FFFF_FFFF)
    case 21 where draw.chance(1, in: 3): return .string(ValueMaker.long(draw.int(31_000...33_600)))
    case 22: return .string("\u{FFFD}\u{FFFD} lone halves")
    case 23: return .string("👩‍👩‍👧‍👦🏴‍☠️é e\u{301}")
    case 24: return .string("שלום \u{202E}abc\u{202C} مرحبا")
    case 25: return .string("\u{0}\u{1F}\u{7F}\u{2028}\u{2029}\"\\/\u{8}\t\r\n")
    case 26 where depth == 0:
      return .object([
        PropertyEntry("bad", .double(bits: Numerals.notANumber)), PropertyEntry("good", .int(1)),
      ])
    case 27 where depth == 0: return .array([.opaque, .int(1)])
    case 28: return .object([PropertyEntry("", .string("")), PropertyEntry("\u{0}", .null)])
    case 29: return .array([])
    case 30: return .object([])
    default: return .double(bits: draw.next() & 0xFFEF_FFFF_FFFF_FFFF)
    }
  }

  /// A text of this many bytes.
  static func long(_ count: Int) -> String {
    String(unsafeUninitializedCapacity: count) { buffer in
      for place in 0..<count { buffer[place] = UInt8(ascii: "x") }
      return count
    }
  }
}
