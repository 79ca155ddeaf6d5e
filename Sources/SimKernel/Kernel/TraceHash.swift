/// A rolling 64-bit hash that takes eight bytes at a time.
///
/// Not for secrets: it tells two runs apart. Bytes count as little-endian words, a last short word
/// is filled up with zeros, and the count follows, so that it matters where one piece of bytes
/// ends.
public struct TraceHash: Hashable, Sendable {
  @usableFromInline var state: UInt64

  /// Starts a hash.
  @inlinable public init(seed: UInt64 = 0) { state = seed ^ 0x2d35_8dcc_aa6c_78a5 }

  /// The hash of all that was combined.
  @inlinable public var value: UInt64 { mixBits(state) }

  /// Adds a word.
  @inlinable public mutating func combine(_ word: UInt64) {
    // The low half is odd-multiplied and therefore keeps every bit of the word; the high half
    // brings the upper bits down. The sum at the end keeps a state of zero from staying zero.
    let product = (state ^ word).multipliedFullWidth(by: 0x8bb8_4b93_962e_acc9)
    state = (product.low ^ product.high) &+ 0x9e37_79b9_7f4a_7c15
  }

  /// Adds bytes and their count.
  @inlinable public mutating func combine(bytes: UnsafeRawBufferPointer) {
    var offset = 0
    while offset &+ 8 <= bytes.count {
      combine(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset &+= 8
    }
    if offset < bytes.count {
      var rest: UInt64 = 0
      var shift: UInt64 = 0
      while offset < bytes.count {
        rest |= UInt64(bytes[offset]) << shift
        shift &+= 8
        offset &+= 1
      }
      combine(rest)
    }
    combine(UInt64(bytes.count))
  }
}
