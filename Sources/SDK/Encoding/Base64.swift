/// Base64 with padding, as in RFC 4648 section 4.
enum Base64 {
  private static let alphabet: [UInt8] = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func append(_ input: some Collection<UInt8>, to bytes: inout [UInt8]) {
    var pending: UInt32 = 0
    var count = 0
    for byte in input {
      pending = pending << 8 | UInt32(byte)
      count += 1
      if count == 3 {
        for shift in [18, 12, 6, 0] as [UInt32] {
          bytes.append(alphabet[Int(pending >> shift & 0x3F)])
        }
        pending = 0
        count = 0
      }
    }
    if count == 0 { return }
    pending <<= UInt32(8 * (3 - count))
    for index in 0..<4 {
      let digit = Int(pending >> UInt32(18 - 6 * index) & 0x3F)
      bytes.append(index <= count ? alphabet[digit] : 0x3D)
    }
  }
}
