import FuzzProperty
import SimKernel
import Testing

/// Runs a property that must fail and gives its simplest counterexample.
private func counterexample<Value>(
  _ generator: Generator<Value>, seed: UInt64, _ property: @escaping (Value) -> Bool
) throws -> Counterexample {
  try #require(throws: Counterexample.self) {
    try check("fails", seed: seed, runs: 20_000, generator, property)
  }
}

/// Shrunk values really are minimal: whichever value fails first, the same one comes out.
@Suite("Counterexamples are minimal")
struct MinimalCounterexampleTests {
  private static let seeds = 0..<25 as Range<UInt64>
  private let numbers = Generator<Int>.integer(in: -10_000...10_000)
  private let naturals = Generator<Int>.integer(in: 0...100_000)

  private func expectMinimal<Value>(
    _ generator: Generator<Value>, _ expected: String, _ property: @escaping (Value) -> Bool
  ) throws {
    for seed in MinimalCounterexampleTests.seeds {
      let failure = try counterexample(generator, seed: seed, property)
      #expect(failure.value == expected, "seed \(seed)")
    }
  }

  @Test("a bound is found exactly, from both sides")
  func bounds() throws {
    try expectMinimal(numbers, "1234") { $0 < 1_234 }
    try expectMinimal(numbers, "-1234") { $0 > -1_234 }
    try expectMinimal(numbers.filter { $0.isMultiple(of: 2) }, "102") { $0 <= 100 }
  }

  @Test("one element is enough")
  func oneElement() throws {
    try expectMinimal(naturals.array(0...20), "[57]") { !$0.contains { $0 >= 57 } }
  }

  @Test("a length is found exactly, with the simplest elements")
  func length() throws {
    try expectMinimal(numbers.array(0...20), "[0, 0, 0, 0, 0]") { $0.count < 5 }
  }

  @Test("a sum is put into as few elements as hold it")
  func sum() throws {
    try expectMinimal(naturals.array(0...20), "[1000]") { $0.reduce(0, +) < 1_000 }
    try expectMinimal(Generator<Int>.integer(in: 0...400).array(0...20), "[200, 400, 400]") {
      $0.reduce(0, +) < 1_000
    }
  }

  @Test("two equal elements become the simplest two")
  func twins() throws {
    try expectMinimal(Generator<Int>.integer(in: 0...50).array(0...20), "[0, 0]") { values in
      let sorted = values.sorted()
      return Swift.zip(sorted, sorted.dropFirst()).allSatisfy { $0 != $1 }
    }
  }

  @Test("two equal elements far from zero are lowered together")
  func highTwins() throws {
    try expectMinimal(FuzzProperty.zip(naturals, naturals).map { [$0, $1] }, "[100, 100]") {
      $0[0] != $0[1] || $0[0] < 100
    }
  }

  @Test("what is out of order becomes one and zero")
  func order() throws {
    try expectMinimal(naturals.array(0...20), "[1, 0]") { $0 == $0.sorted() }
  }

  @Test("a count drawn apart from its elements is lowered with them")
  func dependent() throws {
    let generator = Generator<Int>.integer(in: 0...30).flatMap { count in
      Generator<Int>.integer(in: 0...100).array(count...count)
    }
    try expectMinimal(generator, "[10]") { !$0.contains { $0 >= 10 } }
  }

  @Test("nested arrays lose what does not matter")
  func nested() throws {
    try expectMinimal(naturals.array(0...5).array(0...5), "[[0, 0, 0]]") {
      !$0.contains { $0.count >= 3 }
    }
    try expectMinimal(naturals.array(0...5).array(0...5), "[[], [], []]") { $0.count < 3 }
  }

  @Test("texts keep one letter, the simplest of its kind")
  func texts() throws {
    try expectMinimal(.text(0...20), "\"A\"") { !$0.contains { $0.isUppercase && $0.isASCII } }
    try expectMinimal(.text(0...20), "\"aaaa\"") { $0.unicodeScalars.count < 4 }
  }

  @Test("the first alternative is the simplest")
  func alternatives() throws {
    let generator = Generator<Int>.oneOf(.always(7), numbers, naturals)
    try expectMinimal(generator, "7") { _ in false }
    try expectMinimal(numbers.optional, "Optional(0)") { $0 == nil }
  }

  @Test("no smaller or shorter sequence near the result fails too")
  func oneMinimal() throws {
    let generator = FuzzProperty.zip(naturals.array(0...6), Generator<String>.text(0...6))
    let property: (([Int], String)) -> Bool = { pair in
      pair.0.reduce(0, +) < 300 || !pair.1.unicodeScalars.contains { !$0.isASCII }
    }
    for seed in MinimalCounterexampleTests.seeds {
      let failure = try counterexample(generator, seed: seed, property)
      for place in failure.choices.indices {
        var deleted = failure.choices
        deleted.remove(at: place)
        var candidates = [deleted]
        if failure.choices[place] > 0 {
          var lowered = failure.choices
          lowered[place] -= 1
          candidates.append(lowered)
        }
        for candidate in candidates {
          var choices = Choices(replaying: candidate)
          guard let value = try? generator.value(from: &choices) else { continue }
          #expect(property(value) || !isSimpler(choices.made, than: failure.choices))
        }
      }
    }
  }

  @Test("a simplest sequence stays as it is")
  func stable() throws {
    let generator = numbers.array(0...10)
    let property: ([Int]) -> Bool = { $0.filter { $0 < -5 }.count < 2 }
    let failure = try counterexample(generator, seed: 1, property)
    let again = try #require(throws: Counterexample.self) {
      try check("again", generator, replaying: failure.choices, property)
    }
    #expect(again.value == "[-6, -6]")
    #expect(again.choices == failure.choices)
  }
}
