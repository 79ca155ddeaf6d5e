/// The collector's origin as an option (OPT-02, OPT-03, S-21).
enum Host {
  static let standard = "https://e.postlip.com"

  /// The host without trailing slashes, or nil if no request could be made to it.
  ///
  /// Takes `http` and `https`, a name or address, a port, and a path for those behind a proxy;
  /// nothing with user info, query or fragment.
  static func parse(_ text: String) -> String? {
    var bytes = Array(text.utf8)
    while bytes.last == 0x2F { bytes.removeLast() }
    guard bytes.count <= 2_048, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    guard let rest = schemeRemoved(bytes) else { return nil }
    let authority = rest.prefix { $0 != 0x2F }
    let path = rest[authority.endIndex...]
    guard path.allSatisfy(isPathByte), isAuthority(authority) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func schemeRemoved(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
    for scheme in ["https://", "http://"] {
      let head = bytes.prefix(scheme.utf8.count).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
      if head.elementsEqual(scheme.utf8) { return bytes[head.count...] }
    }
    return nil
  }

  private static func isAuthority(_ authority: ArraySlice<UInt8>) -> Bool {
    var name = authority
    if let bracket = authority.lastIndex(of: 0x5D) {
      // An IPv6 address in brackets.
      name = authority[...bracket]
      guard name.first == 0x5B, name.count > 3,
        name.dropFirst().dropLast().allSatisfy({ isHexadecimal($0) || $0 == 0x3A || $0 == 0x2E })
      else { return false }
    } else {
      name = authority.prefix { $0 != 0x3A }
      guard let first = name.first, isNameByte(first), first != 0x2D, first != 0x2E,
        name.allSatisfy(isNameByte)
      else { return false }
    }
    return isPort(authority[name.endIndex...])
  }

  /// Nothing, or a colon and a number up to 65 535.
  private static func isPort(_ port: ArraySlice<UInt8>) -> Bool {
    if port.isEmpty { return true }
    guard port.first == 0x3A, (2...6).contains(port.count) else { return false }
    var number = 0
    for byte in port.dropFirst() {
      guard (0x30...0x39).contains(byte) else { return false }
      number = number * 10 + Int(byte - 0x30)
    }
    return (1...65_535).contains(number)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    isLetter(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x2E || byte == 0x5F
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
  }

  private static func isPathByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x22, 0x23, 0x3C, 0x3E, 0x3F, 0x5C, 0x5E, 0x60, 0x7B, 0x7C, 0x7D: return false
    default: return true
    }
  }

  /// A text as one part of a path: everything but unreserved characters is percent-encoded.
  static func pathPart(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if isNameByte(byte) || byte == 0x7E {
        bytes.append(byte)
      } else {
        bytes.append(0x25)
        for digit in [hexDigit(byte >> 4), hexDigit(byte & 0xF)] {
          bytes.append(digit >= 0x61 ? digit & 0xDF : digit)
        }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
