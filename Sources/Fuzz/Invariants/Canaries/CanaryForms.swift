import CZlib
import FuzzHistory
import SimKernel

/// Cherokee letters, U+13A0 to U+13F5, and their small forms, which `lowercased` makes of them.
enum Cherokee {
  struct Letter {
    var letter: UInt8
    var length: Int
    var form: CanaryScan.Form
  }

  /// The number of a letter, small or not.
  static func letter(_ scalar: UInt32) -> UInt8? {
    switch scalar {
    case 0x13A0...0x13F5: return UInt8(scalar - 0x13A0)
    case 0x13F8...0x13FD: return UInt8(scalar - 0x13F8 + 0x50)
    case 0xAB70...0xABBF: return UInt8(scalar - 0xAB70)
    default: return nil
    }
  }

  /// Reads one letter in any of its spellings.
  static func read(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Letter? {
    guard position < bytes.count else { return nil }
    switch bytes[position] {
    case 0xE1, 0xEA:
      guard position + 3 <= bytes.count else { return nil }
      return make(bytes[position], bytes[position + 1], bytes[position + 2], 3, .plain)
    case UInt8(ascii: "%"): return percent(bytes, position)
    case UInt8(ascii: "\\"): return escape(bytes, position)
    default: return nil
    }
  }

  private static func make(
    _ first: UInt8, _ second: UInt8, _ third: UInt8, _ length: Int, _ form: CanaryScan.Form
  ) -> Letter? {
    guard first & 0xF0 == 0xE0, second & 0xC0 == 0x80, third & 0xC0 == 0x80 else { return nil }
    let scalar = UInt32(first & 0x0F) << 12 | UInt32(second & 0x3F) << 6 | UInt32(third & 0x3F)
    return letter(scalar).map { Letter(letter: $0, length: length, form: form) }
  }

  /// Three bytes as `%E1%8E%A0`, in either case.
  private static func percent(_ bytes: UnsafeRawBufferPointer, _ position: Int) -> Letter? {
    guard position + 9 <= bytes.count else { return nil }
    guard let first = percentByte(bytes, position),
      let second = percentByte(bytes, position + 3), let third = percentByte(bytes, position + 6)
    else { return nil }
    return make(first, second, third, 9, .percent)
  }

  private static func percentByte(_ bytes: UnsafeRawBufferPointer, _ position: Int) -> UInt8? {
    guard bytes[position] == UInt8(ascii: "%"), let high = hex(bytes[position + 1]),
      let low = hex(bytes[position + 2])
    else { return nil }
    return high << 4 | low
  }

  /// A letter as `\u13a0`, in either case.
  private static func escape(_ bytes: UnsafeRawBufferPointer, _ position: Int) -> Letter? {
    guard position + 6 <= bytes.count, bytes[position + 1] | 0x20 == UInt8(ascii: "u") else {
      return nil
    }
    var scalar: UInt32 = 0
    for index in 2..<6 {
      guard let digit = hex(bytes[position + index]) else { return nil }
      scalar = scalar << 4 | UInt32(digit)
    }
    return letter(scalar).map { Letter(letter: $0, length: 6, form: .jsonEscape) }
  }

  private static func hex(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): return byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): return byte - UInt8(ascii: "A") + 10
    default: return nil
    }
  }
}

/// Base64 in the middle of other text, with either alphabet.
enum Base64Run {
  static func value(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "-"): return 62
    case UInt8(ascii: "_"): return 63
    default: return Base64.value(of: byte)
    }
  }

  /// Whether a byte stands for six bits.
  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool {
    // A bit for each character: `+-/0…9`, then `A…Z_a…z`.
    let low: UInt64 = 1 << 43 | 1 << 45 | 0x7FF << 47
    let high: UInt64 = 0x3FF_FFFF << 1 | 1 << 31 | 0x3FF_FFFF << 33
    return byte < 0x80 && (byte < 0x40 ? low : high) >> UInt64(byte & 0x3F) & 1 != 0
  }

  /// Whether two letters in a row may be packed in a run. Three bytes a letter are four characters,
  /// so that a letter shows by the same characters at each fourth place: its first two bytes are
  /// `4Y` where it begins a group, and `GO`, `GP` or `j`, two others and `h` where it begins within
  /// one.
  static func mayHoldLetters(_ run: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while index + 8 <= run.count {
      if isLetter(run, index), isLetter(run, index + 4) { return true }
      index += 1
    }
    return false
  }

  /// The small letters, whose first byte is EA, come second.
  @inline(__always)
  private static func isLetter(_ run: UnsafeRawBufferPointer, _ index: Int) -> Bool {
    switch run[index] {
    case UInt8(ascii: "4"): return run[index + 1] == UInt8(ascii: "Y")
    case UInt8(ascii: "G"):
      return run[index + 1] == UInt8(ascii: "O") || run[index + 1] == UInt8(ascii: "P")
    case UInt8(ascii: "j"): return run[index + 3] == UInt8(ascii: "h")
    case UInt8(ascii: "6"): return run[index + 1] == UInt8(ascii: "q")
    case UInt8(ascii: "q"): return run[index + 1] == 0x74 || run[index + 1] == 0x75
    case UInt8(ascii: "r"): return run[index + 3] == UInt8(ascii: "q")
    default: return false
    }
  }

  /// The whole bytes of a run of letters, begun at one of its first four.
  static func decode(_ run: UnsafeRawBufferPointer, from start: Int) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(run.count)
    var pending: UInt32 = 0
    var bits: UInt32 = 0
    for index in start..<run.count {
      guard let value = value(run[index]) else { break }
      pending = pending << 6 | UInt32(value)
      bits += 6
      if bits >= 8 {
        bits -= 8
        result.append(UInt8(truncatingIfNeeded: pending >> bits))
      }
    }
    return result
  }
}

/// Digit canaries.
enum Digits {
  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  /// False if none of eight bytes is a digit.
  @inline(__always)
  static func mayHoldDigit(_ bytes: UnsafeRawBufferPointer, _ position: Int) -> Bool {
    let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
    let offset = word ^ 0x3030_3030_3030_3030
    return (offset &- 0x0A0A_0A0A_0A0A_0A0A) & ~offset & 0x8080_8080_8080_8080 != 0
  }

  /// What people write between the digits of a number.
  static func isSeparator(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "("),
      UInt8(ascii: ")"), UInt8(ascii: "/"), UInt8(ascii: "+"):
      return true
    default: return false
    }
  }

  static func isDigitOrSeparator(_ byte: UInt8) -> Bool { isDigit(byte) || isSeparator(byte) }
}

extension CanaryScan {
  /// Below this many digits a canary has to be a whole run.
  private static let distinctiveDigits = 10

  func firstDigits(in bytes: UnsafeRawBufferPointer) -> Hit? {
    var position = 0
    var run: [UInt8] = []
    while position < bytes.count {
      guard Digits.isDigit(bytes[position]) else {
        position += 1
        while position + 8 <= bytes.count, !Digits.mayHoldDigit(bytes, position) { position += 8 }
        continue
      }
      let start = position
      run.removeAll(keepingCapacity: true)
      while position < bytes.count, Digits.isDigitOrSeparator(bytes[position]) {
        if Digits.isDigit(bytes[position]) { run.append(bytes[position]) }
        position += 1
      }
      guard run.count >= 7 else { continue }
      for canary in digits where contains(run, canary.digits) {
        return Hit(canary: canary.canary, offset: start, form: .plain)
      }
    }
    return nil
  }

  private func contains(_ run: [UInt8], _ digits: [UInt8]) -> Bool {
    guard run.count >= digits.count else { return false }
    if digits.count < CanaryScan.distinctiveDigits { return run == digits }
    for start in 0...run.count - digits.count
    where run[start..<start + digits.count].elementsEqual(digits) { return true }
    return false
  }
}

/// Unpacking with zlib.
enum Inflate {
  /// The content of gzip bytes, as far as it can be unpacked; nil where there is none.
  /// - Parameter limit: no more bytes than this.
  static func gzip(_ packed: UnsafeRawBufferPointer, limit: Int) -> [UInt8]? {
    var stream = z_stream()
    // 16 more than the largest window asks for a gzip head.
    guard
      inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
    defer { inflateEnd(&stream) }
    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    var input = Array(packed)
    var status = Z_OK
    input.withUnsafeMutableBufferPointer { source in
      stream.next_in = source.baseAddress
      stream.avail_in = UInt32(source.count)
      while status == Z_OK, content.count < limit {
        let produced = chunk.withUnsafeMutableBufferPointer { target -> Int in
          stream.next_out = target.baseAddress
          stream.avail_out = UInt32(target.count)
          status = inflate(&stream, Z_SYNC_FLUSH)
          return target.count - Int(stream.avail_out)
        }
        content.append(contentsOf: chunk[0..<produced])
        if produced == 0, stream.avail_in == 0 { break }
      }
    }
    return content.isEmpty ? nil : content
  }
}
