import FuzzHistory
import FuzzInvariants
import SimKernel
import Testing

@Suite("INV-09 The backoff")
struct INV09Tests {
  private func start() -> WireHistory {
    let builder = WireHistory()
    builder.launch()
    builder.wait(.minutes(1))
    builder.load()
    return builder
  }

  /// Failures at the middle of their bands, then one more gap in milliseconds.
  private func run(failures: Int, _ gap: Int64) -> WireHistory {
    let builder = start()
    var wait: Int64 = 10_000
    for failure in 0..<failures {
      builder.exchange(["a"], 503)
      if failure < failures - 1 { builder.wait(.milliseconds(wait)) }
      wait = min(86_400_000, wait * 4)
    }
    builder.wait(.milliseconds(gap))
    builder.batch(["a"])
    return builder
  }

  @Test(
    "the band of each attempt",
    arguments: [
      (1, 8_000 as Int64), (1, 12_900), (2, 32_000), (2, 48_900), (3, 128_000), (3, 192_900),
      (7, 32_768_000), (8, 69_120_000), (8, 103_680_900), (12, 69_120_000),
    ])
  func healthy(failures: Int, gap: Int64) {
    expectHealthy(run(failures: failures, gap), antecedent: "INV-09")
  }

  @Test("too early", arguments: [(1, 7_990 as Int64), (2, 31_990), (8, 69_119_990)])
  func early(failures: Int, gap: Int64) {
    let builder = run(failures: failures, gap)
    expectFinding("INV-09 a retry comes too early", at: builder.last, builder)
  }

  @Test("too late", arguments: [(1, 13_100 as Int64), (3, 193_100)])
  func late(failures: Int, gap: Int64) {
    let builder = run(failures: failures, gap)
    expectFinding("INV-09 a retry comes too late", at: builder.last, builder)
  }

  @Test("a retry that never comes is found when the process ends, after its time")
  func never() {
    let builder = start()
    builder.exchange(["a"], 503)
    let failed = builder.now
    builder.wait(.minutes(5))
    builder.end()
    expectFinding(
      "INV-09 a retry comes too late", between: failed + .seconds(12), and: failed + .seconds(13),
      builder)
  }

  @Test("a suspended process is late for a reason")
  func suspended() {
    let builder = start()
    builder.exchange(["a"], 503)
    builder.leave()
    builder.add(.phase(.suspended))
    builder.wait(.hours(1))
    builder.add(.phase(.resumed))
    builder.batch(["a"])
    expectHealthy(builder, antecedent: "INV-09")
  }

  @Test("a success, and a return to the foreground, begin anew")
  func anew() {
    let builder = start()
    builder.exchange(["a"], 503)
    builder.wait(.seconds(10))
    builder.exchange(["a"], 503)
    builder.wait(.seconds(40))
    builder.exchange(["a"], 200)
    builder.exchange(["b"], 503)
    builder.wait(.seconds(10))
    builder.exchange(["b"], 503)
    builder.leave()
    builder.wait(.seconds(3))
    builder.comeBack()
    builder.wait(.milliseconds(900))
    builder.exchange(["b"], 503)
    builder.wait(.seconds(10))
    builder.exchange(["b"], 200)
    expectHealthy(builder, antecedent: "INV-09")
  }

  @Test("a flush skips the wait, and has to")
  func flush() {
    let builder = start()
    builder.exchange(["a"], 503)
    builder.wait(.seconds(2))
    builder.call(.flush)
    builder.batch(["a"])
    expectHealthy(builder, antecedent: "INV-09")
    let other = start()
    other.exchange(["a"], 503)
    other.wait(.seconds(2))
    other.call(.flush)
    other.wait(.seconds(4))
    other.batch(["a"])
    expectFinding("INV-09 a flush or return does not skip the backoff", at: other.last, other)
  }

  @Test("a longer Retry-After of a kept batch holds, also against a flush")
  func retryAfter() {
    func run(_ gap: Int64) -> WireHistory {
      let builder = start()
      builder.exchange(["a"], 503, headers: "Retry-After: 100")
      builder.call(.flush)
      builder.wait(.milliseconds(gap))
      builder.batch(["a"])
      return builder
    }
    expectHealthy(run(100_000), antecedent: "INV-09")
    let builder = run(99_900)
    expectFinding("INV-09 a retry comes before Retry-After", at: builder.last, builder)
  }

  @Test("slow queues and disks of the world are allowed for")
  func slowWorld() {
    let builder = run(failures: 1, 13_500)
    #expect(judgeWire(builder).findings.count == 1)
    builder.history.header.longestHandOff = 100_000_000
    expectHealthy(builder, antecedent: "INV-09")
  }

  @Test("each process counts for itself")
  func processes() {
    let builder = start()
    builder.exchange(["a"], 503)
    builder.end()
    builder.launch()
    builder.load()
    builder.batch(["a"])
    #expect(judgeWire(builder).findings.isEmpty)
  }
}
