import SimKernel
import Testing

@Suite struct RandomnessTests {
  private let name = StreamName("network.reset")

  @Test func isAPureFunctionOfSeedNameAndKey() {
    let random = Randomness(seed: 12)
    let early = random.bits(name, 7)
    for key in 0..<1_000 as Range<UInt64> { _ = random.bits(name, key) }
    #expect(random.bits(name, 7) == early, "other draws change nothing")
    #expect(Randomness(seed: 12).bits(StreamName("network.reset"), 7) == early)
  }

  @Test func eachPartOfTheKeyMatters() {
    let plain = Randomness(seed: 12).bits(name, 7, 1)
    #expect(plain != Randomness(seed: 13).bits(name, 7, 1))
    #expect(plain != Randomness(seed: 12).bits(StreamName("network.refused"), 7, 1))
    #expect(plain != Randomness(seed: 12).bits(name, 8, 1))
    #expect(plain != Randomness(seed: 12).bits(name, 7, 2))
    #expect(plain != Randomness(seed: 12).bits(name, 1, 7), "first and second do not commute")
  }

  /// Small neighbouring keys, as lanes, attempts and steps are, must not share values.
  @Test func neighbouringKeysDoNotCollide() {
    let random = Randomness(seed: 3)
    var values = Set<UInt64>()
    for key in 0..<200 as Range<UInt64> {
      for second in 0..<200 as Range<UInt64> { values.insert(random.bits(name, key, second)) }
    }
    #expect(values.count == 40_000)
  }

  @Test func streamsOfNeighbouringKeysAreUnlike() {
    let random = Randomness(seed: 3)
    var first = random.stream(name, 1)
    var second = random.stream(name, 2)
    let left = (0..<64).map { _ in first.next() }
    let right = (0..<64).map { _ in second.next() }
    #expect(Set(left).isDisjoint(with: right))
    let equalBits = zip(left, right).reduce(0) { $0 + (~($1.0 ^ $1.1)).nonzeroBitCount }
    #expect((1_850...2_250).contains(equalBits), "about half of 4 096 bits agree by chance")
  }

  @Test func ratiosHappenAsOftenAsTheySay() {
    let random = Randomness(seed: 1)
    for (ratio, expected) in [
      (Ratio(1, 2), 50_000), (Ratio(1, 10), 10_000), (Ratio(2, 3), 66_667), (Ratio(1, 1_000), 100),
    ] {
      let count = (0..<100_000 as Range<UInt64>).filter { random.happens(ratio, name, $0) }.count
      // Five standard deviations of the widest of them.
      #expect(abs(count - expected) < 800, "\(ratio) happened \(count) times")
      #expect(abs(count - expected) < expected, "\(ratio) happened \(count) times")
    }
    let never = (0..<1_000 as Range<UInt64>).filter { random.happens(.never, name, $0) }
    #expect(never.isEmpty)
    let always = (0..<1_000 as Range<UInt64>).filter { random.happens(.always, name, $0) }
    #expect(always.count == 1_000)
  }

  @Test func rangesAreReachedWholeAndNeverLeft() {
    var stream = RandomStream(state: 4)
    var seen = [Int](repeating: 0, count: 7)
    for _ in 0..<70_000 { seen[stream.int(-3...3) + 3] += 1 }
    #expect(seen.allSatisfy { (9_400...10_600).contains($0) }, "\(seen)")
    for _ in 0..<1_000 {
      let values = [
        Int64(stream.below(1)), stream.within(5...5), stream.within(.min...(.min + 1)),
      ]
      #expect(values[0] == 0)
      #expect(values[1] == 5)
      #expect(values[2] <= .min + 1)
    }
    var negative = 0
    for _ in 0..<1_000 where stream.within(.min ... .max) < 0 { negative += 1 }
    #expect((400...600).contains(negative))
  }

  @Test func picksEveryElement() {
    var stream = RandomStream(state: 9)
    let picked = Set((0..<200).map { _ in stream.pick(["a", "b", "c"]) })
    #expect(picked == ["a", "b", "c"])
  }

  /// The values themselves are pinned: stored scenarios depend on them.
  @Test func valuesStayWhatTheyAre() {
    #expect(mixBits(1) == 0x5692_161d_100b_05e5)
    var stream = RandomStream(state: 0)
    let values = [stream.next(), stream.next()]
    // The published values of SplitMix64 for a state of zero.
    #expect(values == [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4])
  }
}
