import SimKernel
import Testing

@testable import FuzzProperty

@Suite("Checking properties")
struct CheckTests {
  private let numbers = Generator<Int>.integer(in: 0...1_000_000)

  @Test("A property that holds passes, and every run sees another value")
  func holds() throws {
    var values: [Int] = []
    try check("a number is itself", runs: 300, numbers) { value in
      values.append(value)
      return value == value
    }
    #expect(values.count == 300)
    #expect(Array(Set(values)).count > 150)
  }

  @Test("One seed gives one counterexample")
  func deterministic() throws {
    func failure(_ seed: UInt64) -> Counterexample? {
      do {
        try check("few digits", seed: seed, numbers.array()) { $0.reduce(0, +) < 5_000 }
        return nil
      } catch { return error as? Counterexample }
    }
    let first = try #require(failure(3))
    let second = try #require(failure(3))
    #expect(first.description == second.description)
  }

  @Test("The report can be pasted and replays the failure alone")
  func replay() throws {
    let failure = try #require(throws: Counterexample.self) {
      try check("small", numbers) { $0 < 700 }
    }
    #expect(
      failure.description == """
        property "small" does not hold: it is false
          for 700
          seed 0, run \(failure.run), made simple in \(failure.attempts) attempts
          replaying: [700]
        """)
    let again = try #require(throws: Counterexample.self) {
      try check("small", numbers, replaying: failure.choices) { $0 < 700 }
    }
    #expect(again.value == "700")
    #expect(again.run == -1)
    try check("small", numbers, replaying: [699]) { $0 < 700 }
  }

  private struct Odd: Error {}
  private struct Large: Error {}

  @Test("A value is made simple only as long as it fails in the same way")
  func sameFailure() throws {
    let failure = try #require(throws: Counterexample.self) {
      try check("never throws", numbers.filter { $0 > 10 }) { value in
        if value > 5_000 { throw Large() }
        if value == 11 { throw Odd() }
        return true
      }
    }
    #expect(failure.value == "5001")
    #expect(failure.reason == "it throws Large()")
  }

  @Test("A filter that refuses nearly everything is no passing test")
  func rejections() {
    #expect(throws: TooManyRejections.self) {
      try check("of nothing", numbers.filter { $0 < 0 }) { _ in true }
    }
  }
}
