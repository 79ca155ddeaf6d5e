/// The ids that the SDK makes and checks.
enum Identifier {
  /// A random UUID (version 4) in lowercase from 128 random bits.
  static func uuid(_ bits: (high: UInt64, low: UInt64)) -> String {
    uuid(bits, version: 4)
  }

  /// A UUID in lowercase whose version and variant bits are set over the given ones.
  static func uuid(_ bits: (high: UInt64, low: UInt64), version: UInt64) -> String {
    let high = bits.high & 0xFFFF_FFFF_FFFF_0FFF | version << 12
    let low = bits.low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    var text: (UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0)
    return withUnsafeMutableBytes(of: &text) { buffer in
      var place = 0
      for digit in 0..<32 {
        if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
          buffer[place] = 0x2D
          place &+= 1
        }
        let word = digit < 16 ? high : low
        let shift = UInt64(60 &- (digit & 15) &* 4)
        buffer[place] = hexDigit(UInt8(truncatingIfNeeded: word >> shift) & 0xF)
        place &+= 1
      }
      return String(decoding: buffer[..<36], as: UTF8.self)
    }
  }

  /// Whether an app's message id is used as it is: 1 to 100 characters from U+0021 to U+007E
  /// (S-07).
  static func isValidMessageIdentifier(_ text: String) -> Bool {
    let bytes = text.utf8
    if bytes.isEmpty || bytes.count > 100 { return false }
    return bytes.allSatisfy { $0 >= 0x21 && $0 <= 0x7E }
  }

  /// Whether a stored text looks like an id of ours: a lowercase UUID.
  static func isUUID(_ text: String) -> Bool {
    var place = 0
    for byte in text.utf8 {
      if place == 8 || place == 13 || place == 18 || place == 23 {
        if byte != 0x2D { return false }
      } else if !(0x30...0x39).contains(byte) && !(0x61...0x66).contains(byte) {
        return false
      }
      place += 1
    }
    return place == 36
  }

  /// Whether a user id has the shape of an e-mail address or a phone number (S-20).
  static func looksPersonal(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    if bytes.count > 320 { return false }
    if let at = bytes.firstIndex(of: 0x40) {
      let domain = bytes[(at + 1)...]
      return at > 0 && domain.dropFirst().dropLast().contains(0x2E) && !domain.contains(0x40)
    }
    var digits = 0
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case 0x30...0x39: digits += 1
      case 0x2B where index == 0: break
      case 0x20, 0x28, 0x29, 0x2D, 0x2E, 0x2F: break
      default: return false
      }
    }
    return digits <= 15 && digits >= (bytes.first == 0x2B ? 7 : 10)
  }
}

/// FNV-1a with 64 bits: a quick hash that never changes from process to process.
@inline(__always)
func fnv1a64(_ bytes: some Sequence<UInt8>) -> UInt64 {
  var hash: UInt64 = 0xcbf2_9ce4_8422_2325
  for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
  return hash
}
