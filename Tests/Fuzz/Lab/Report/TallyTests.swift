import Testing

@testable import Fuzz

@Suite struct TallyTests {
  @Test func namesAreSortedHoweverTheyCome() {
    var tally = Tally()
    for name in ["m", "a", "z", "m", "b", "a", "m"] { tally.add(name) }
    #expect(tally.entries.map(\.name) == ["a", "b", "m", "z"])
    #expect(tally.entries.map(\.count) == [2, 1, 3, 1])
    #expect(tally["m"] == 3)
    #expect(tally["n"] == 0)
    #expect(tally.total == 7)
    #expect(tally.words == "a 2, b 1, m 3, z 1")
    #expect(Tally().words == "none")
  }

  @Test func twoTalliesAddUp() {
    var left = Tally(["a": 1, "c": 2])
    left.add(Tally(["b": 5, "c": 1]))
    #expect(left == Tally(["a": 1, "b": 5, "c": 3]))
    #expect(Tally(json: left.json) == left)
  }
}
