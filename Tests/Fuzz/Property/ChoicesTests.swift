import SimKernel
import Testing

@testable import FuzzProperty

@Suite("Choices")
struct ChoicesTests {
  private func fresh(_ seed: UInt64) -> Choices { Choices(RandomStream(state: seed)) }

  @Test("A recorded sequence gives the same value and the same sequence again")
  func replay() throws {
    let generator = zip(
      Generator<Int>.integer(in: -50...50).array(), .text(), Generator<Bool>.bool.optional)
    for seed in 0..<200 as Range<UInt64> {
      var choices = fresh(seed)
      let value = try generator.value(from: &choices)
      var again = Choices(replaying: choices.made)
      let second = try generator.value(from: &again)
      #expect(value.0 == second.0)
      #expect(Array(value.1.utf8) == Array(second.1.utf8))
      #expect(value.2 == second.2)
      #expect(choices.made == again.made)
      #expect(choices.groups == again.groups)
    }
  }

  @Test("Where a sequence ends, every further choice is the simplest")
  func beyondTheEnd() throws {
    let generator = zip(Generator<Int>.integer(in: 3...9), .integer(in: -4 ... -2), .text(0...3))
    let value = try #require(generator.value(replaying: []))
    #expect(value.0 == 3)
    #expect(value.1 == -2)
    #expect(value.2 == "")
  }

  @Test("A choice above its bound is cut to it, and recorded so")
  func cut() throws {
    var choices = Choices(replaying: [.max, 1])
    #expect(try choices.choose(through: 6) == 6)
    #expect(choices.made == [6])
  }

  @Test("No generator runs away")
  func limit() {
    let endless = Generator<Int>.integer(in: 0...1).array(200_000...200_000)
    #expect(endless.value(replaying: []) == nil)
  }

  @Test(
    "Whole numbers reach both ends of every range and stay inside",
    arguments: [
      -3...4, 0...0, 5...9, -9 ... -5, Int8.min ... .max, -1...126, -128...0,
    ] as [ClosedRange<Int8>])
  func integers(range: ClosedRange<Int8>) throws {
    let generator = Generator<Int8>.integer(in: range)
    let width = UInt64(Int(range.upperBound) - Int(range.lowerBound))
    let values = try (0...width).map { try #require(generator.value(replaying: [$0])) }
    #expect(values.sorted() == Array(range))
    let magnitudes = values.map { Int($0) - Int(values[0]) }.map(\.magnitude)
    #expect(magnitudes == magnitudes.sorted())
  }

  @Test("The widest ranges hold")
  func widest() throws {
    let signed = Generator<Int64>.anyInteger
    #expect(signed.value(replaying: [0]) == 0)
    #expect(signed.value(replaying: [1]) == 1)
    #expect(signed.value(replaying: [2]) == -1)
    #expect(signed.value(replaying: [.max]) == .min)
    #expect(Generator<UInt64>.anyInteger.value(replaying: [.max]) == .max)
    #expect(Generator<Int64>.integer(in: 1 ... .max).value(replaying: [.max]) == .max)
  }

  @Test("Fresh numbers are often at an edge")
  func edges() throws {
    var seen = (zero: 0, top: 0, small: 0)
    for seed in 0..<1_000 as Range<UInt64> {
      var choices = fresh(mixBits(seed))
      let value = try choices.choose(through: 1_000_000_000)
      if value == 0 { seen.zero += 1 }
      if value >= 999_999_999 { seen.top += 1 }
      if value < 1_000 { seen.small += 1 }
    }
    #expect(seen.zero > 80)
    #expect(seen.top > 80)
    #expect(seen.small > 250)
  }

  @Test("Shortlex: the shorter is simpler, then the smaller from the left")
  func order() {
    #expect(isSimpler([9], than: [0, 0]))
    #expect(isSimpler([1, 9], than: [2, 0]))
    #expect(!isSimpler([1, 2], than: [1, 2]))
  }
}
