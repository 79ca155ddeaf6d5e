/// Base64 with padding, the standard alphabet (RFC 4648, section 4).
public enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Encodes bytes.
  public static func encode(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var pending: UInt32 = 0
    var count = 0
    for byte in bytes {
      pending = pending << 8 | UInt32(byte)
      count += 1
      if count == 3 {
        for shift in [18, 12, 6, 0] as [UInt32] {
          result.append(alphabet[Int(pending >> shift & 63)])
        }
        pending = 0
        count = 0
      }
    }
    if count == 0 { return result }
    pending <<= count == 1 ? 16 : 8
    result.append(alphabet[Int(pending >> 18 & 63)])
    result.append(alphabet[Int(pending >> 12 & 63)])
    result.append(count == 1 ? UInt8(ascii: "=") : alphabet[Int(pending >> 6 & 63)])
    result.append(UInt8(ascii: "="))
    return result
  }

  /// The bytes as text.
  public static func text(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: encode(bytes), as: UTF8.self)
  }

  /// Decodes text; nil where it is not base64 with its padding.
  public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(text.count / 4 * 3)
    var pending: UInt32 = 0
    var digits = 0
    var padding = 0
    for byte in text {
      if byte == UInt8(ascii: "=") {
        padding += 1
        pending <<= 6
      } else {
        guard padding == 0, let digit = value(of: byte) else { return nil }
        pending = pending << 6 | UInt32(digit)
      }
      digits += 1
      guard digits % 4 == 0 else { continue }
      guard padding <= 2 else { return nil }
      result.append(UInt8(pending >> 16 & 255))
      if padding < 2 { result.append(UInt8(pending >> 8 & 255)) }
      if padding < 1 { result.append(UInt8(pending & 255)) }
      pending = 0
    }
    return result
  }

  /// The six bits of a letter of the alphabet.
  @inlinable
  public static func value(of byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): return byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): return byte - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return byte - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): return 62
    case UInt8(ascii: "/"): return 63
    default: return nil
    }
  }
}
