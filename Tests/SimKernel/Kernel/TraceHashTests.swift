import SimKernel
import Testing

private func hash(_ bytes: [UInt8]) -> UInt64 {
  var hash = TraceHash(seed: 1)
  bytes.withUnsafeBytes { hash.combine(bytes: $0) }
  return hash.value
}

/// The definition, one byte at a time: little-endian words, the last filled with zeros, the count.
private func slowHash(_ bytes: [UInt8]) -> UInt64 {
  var hash = TraceHash(seed: 1)
  var word: UInt64 = 0
  for (index, byte) in bytes.enumerated() {
    word |= UInt64(byte) << UInt64(index % 8 * 8)
    if index % 8 == 7 || index == bytes.count - 1 {
      hash.combine(word)
      word = 0
    }
  }
  hash.combine(UInt64(bytes.count))
  return hash.value
}

@Suite struct TraceHashTests {
  @Test func takingEightBytesAtATimeChangesNothing() {
    var random = RandomStream(state: 2)
    for count in 0..<130 {
      let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      #expect(hash(bytes) == slowHash(bytes))
      // The same bytes at every alignment.
      for shift in 0..<8 {
        let shifted = [UInt8](repeating: 0xee, count: shift) + bytes
        var moved = TraceHash(seed: 1)
        shifted.withUnsafeBytes {
          moved.combine(bytes: UnsafeRawBufferPointer(rebasing: $0[shift...]))
        }
        #expect(moved.value == hash(bytes))
      }
    }
  }

  @Test func lengthMatters() {
    let zeros = (0..<40).map { hash([UInt8](repeating: 0, count: $0)) }
    #expect(Set(zeros).count == 40)
  }

  @Test func theBorderBetweenPiecesMatters() {
    func pieces(_ pieces: [[UInt8]]) -> UInt64 {
      var hash = TraceHash()
      for piece in pieces { piece.withUnsafeBytes { hash.combine(bytes: $0) } }
      return hash.value
    }
    #expect(pieces([[1, 2], [3]]) != pieces([[1], [2, 3]]))
    #expect(pieces([[1, 2, 3], []]) != pieces([[1, 2, 3]]))
    #expect(pieces([[], [1]]) != pieces([[1], []]))
  }

  @Test func orderMatters() {
    var left = TraceHash()
    left.combine(1)
    left.combine(2)
    var right = TraceHash()
    right.combine(2)
    right.combine(1)
    #expect(left.value != right.value)
  }

  /// One flipped bit of the input flips about half of the output, wherever it lies, and each output
  /// bit is reached.
  @Test func everyInputBitReachesTheWholeHash() {
    var random = RandomStream(state: 6)
    var flips = [Int](repeating: 0, count: 64)
    let rounds = 24
    for _ in 0..<rounds {
      let bytes = (0..<32).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      let plain = hash(bytes)
      for bit in 0..<256 {
        var changed = bytes
        changed[bit / 8] ^= 1 << UInt8(bit % 8)
        let difference = plain ^ hash(changed)
        #expect(
          (8...56).contains(difference.nonzeroBitCount), "bit \(bit) flips too few or too many")
        for output in 0..<64 where difference >> UInt64(output) & 1 == 1 { flips[output] += 1 }
      }
    }
    let total = rounds * 256
    #expect(flips.allSatisfy { abs($0 - total / 2) < total / 20 }, "\(flips)")
  }

  @Test func manyShortInputsDoNotCollide() {
    var values = Set<UInt64>()
    for first in 0...255 as ClosedRange<UInt8> {
      for second in 0...255 as ClosedRange<UInt8> { values.insert(hash([first, second])) }
    }
    #expect(values.count == 65_536)
  }
}
