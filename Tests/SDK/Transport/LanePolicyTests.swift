import FuzzProperty
import Testing

@testable import SDK

@Suite("How long a lane waits")
struct LanePolicyTests {
  private let policy = LanePolicy.postlip(flushAt: 20)

  @Test(
    "the bands of the backoff (S-14)",
    arguments: [
      (0, 8.0, 12.0), (1, 32, 48), (2, 128, 192), (3, 512, 768), (4, 2_048, 3_072),
      (5, 8_192, 12_288), (6, 32_768, 49_152), (7, 69_120, 103_680), (8, 69_120, 103_680),
      (1_000_000, 69_120, 103_680),
    ] as [(Int, Double, Double)])
  func bands(_ failures: Int, _ shortest: Double, _ longest: Double) {
    let low = policy.backoffNanoseconds(failures: failures, random: 0)
    let high = policy.backoffNanoseconds(failures: failures, random: .max)
    #expect(Double(low) == shortest * 1e9)
    #expect(Double(high) == longest * 1e9)
  }

  @Test("any random bits stay within the band, and both halves are used")
  func jitter() throws {
    var below = 0
    var above = 0
    try check("within the band", runs: 500, Generator<UInt64>.anyInteger) { random in
      (8_000_000_000...12_000_000_000)
        .contains(policy.backoffNanoseconds(failures: 0, random: random))
    }
    for step in UInt64(0)..<100 {
      let wait = policy.backoffNanoseconds(failures: 0, random: step * (UInt64.max / 100))
      if wait < 10_000_000_000 { below += 1 } else { above += 1 }
    }
    #expect(below == 50)
    #expect(above == 50)
  }

  @Test("flushAt bounds a request, 20 at most", arguments: [(1, 1), (7, 7), (20, 20), (500, 20)])
  func mostMessages(_ flushAt: Int, _ expected: Int) {
    #expect(LanePolicy.postlip(flushAt: flushAt).mostMessages == expected)
  }

  @Test("another lane is another value")
  func otherLane() {
    var quick = policy
    quick.baseNanoseconds = .nanosecondsPerSecond
    quick.factor = 2
    quick.capNanoseconds = 30 * .nanosecondsPerSecond
    quick.jitterPerMille = 0
    let waits = (0..<7).map { quick.backoffNanoseconds(failures: $0, random: 12_345) }
    #expect(waits.map { $0 / .nanosecondsPerSecond } == [1, 2, 4, 8, 16, 30, 30])
  }
}
