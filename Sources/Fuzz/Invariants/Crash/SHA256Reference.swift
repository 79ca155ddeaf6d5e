/// SHA-256 as the standard writes it (FIPS 180-4), with its constants computed from the primes they
/// come from: slow, and apart from any SDK.
public enum SHA256Reference {
  private static let primes: [UInt64] = {
    var primes: [UInt64] = []
    var next: UInt64 = 2
    while primes.count < 64 {
      if primes.allSatisfy({ next % $0 != 0 }) { primes.append(next) }
      next += 1
    }
    return primes
  }()

  /// The first 32 bits behind the point of a root of a prime.
  /// - Parameter degree: 2 or 3.
  private static func fraction(_ prime: UInt64, degree: Int) -> UInt32 {
    // The root times 2^32 is the largest number whose power is at most the prime times 2^(32 d).
    var root: UInt64 = 0
    var bit: UInt64 = 1 << 36
    while bit > 0 {
      defer { bit >>= 1 }
      if isAtMost(root | bit, degree: degree, prime) { root |= bit }
    }
    return UInt32(truncatingIfNeeded: root)
  }

  private static func isAtMost(_ value: UInt64, degree: Int, _ prime: UInt64) -> Bool {
    var limbs: [UInt64] = [1]
    for _ in 0..<degree { limbs = multiply(limbs, by: value) }
    // The prime moved up by 32 bits for each degree.
    let bound = Array(repeating: 0, count: degree) + [prime]
    let width = max(limbs.count, bound.count)
    for index in (0..<width).reversed() {
      let left = index < limbs.count ? limbs[index] : 0
      let right = index < bound.count ? bound[index] : 0
      if left != right { return left < right }
    }
    return true
  }

  /// A number of 32-bit limbs, lowest first, times a number below 2^37.
  private static func multiply(_ limbs: [UInt64], by value: UInt64) -> [UInt64] {
    var product = [UInt64](repeating: 0, count: limbs.count + 2)
    for (shift, part) in [value & 0xFFFF_FFFF, value >> 32].enumerated() {
      var carry: UInt64 = 0
      for index in 0..<limbs.count {
        let sum = limbs[index] * part + product[index + shift] + carry
        product[index + shift] = sum & 0xFFFF_FFFF
        carry = sum >> 32
      }
      product[limbs.count + shift] += carry
    }
    return product
  }

  private static let constants = primes.map { fraction($0, degree: 3) }
  private static let initial = primes.prefix(8).map { fraction($0, degree: 2) }

  /// The first bytes of the digest in lowercase hex digits.
  public static func hexadecimal(_ message: [UInt8], bytes count: Int = 32) -> String {
    var state = initial
    var block: [UInt8] = []
    let bits = UInt64(message.count) * 8
    let zeros = (119 - message.count % 64) % 64
    let padding = [0x80] + [UInt8](repeating: 0, count: zeros)
    for byte in message + padding
      + (0..<8).map({ UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) })
    {
      block.append(byte)
      if block.count == 64 {
        mix(&state, block)
        block = []
      }
    }
    let signs = Array("0123456789abcdef")
    let digits = state.flatMap { word in
      (0..<8).map { signs[Int(word >> (28 - 4 * UInt32($0)) & 15)] }
    }
    return String(digits.prefix(count * 2))
  }

  private static func mix(_ state: inout [UInt32], _ block: [UInt8]) {
    func rotated(_ word: UInt32, _ by: UInt32) -> UInt32 { word >> by | word << (32 - by) }
    var words = (0..<16).map { word in
      (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(block[word * 4 + $1]) }
    }
    for t in 16..<64 {
      let low = rotated(words[t - 15], 7) ^ rotated(words[t - 15], 18) ^ words[t - 15] >> 3
      let high = rotated(words[t - 2], 17) ^ rotated(words[t - 2], 19) ^ words[t - 2] >> 10
      words.append(words[t - 16] &+ low &+ words[t - 7] &+ high)
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for t in 0..<64 {
      let choice = (e & f) ^ (~e & g)
      let high = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
      let first = h &+ high &+ choice &+ constants[t] &+ words[t]
      let majority = (a & b) ^ (a & c) ^ (b & c)
      let second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ majority
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
  }
}
