import FuzzHistory
import FuzzInvariants
import SimKernel
import Testing

@Suite("INV-08 After a 429")
struct INV08Tests {
  /// A 429 with these headers, then the same batch after so many milliseconds.
  private func run(
    _ headers: String, _ gap: Int64, ids: [String] = ["a", "b"],
    meanwhile: (WireHistory) -> Void = { _ in }
  ) -> WireHistory {
    let builder = WireHistory()
    builder.launch()
    builder.wait(.minutes(1))
    builder.load()
    builder.exchange(["a", "b"], 429, headers: headers)
    meanwhile(builder)
    builder.wait(.milliseconds(gap))
    builder.batch(ids)
    return builder
  }

  private func date(_ seconds: Int64) -> String {
    // The first batch is answered 60.18 s after the epoch, 2026-05-28T20:26:40Z.
    let total = 20 * 3_600 + 27 * 60 + 40 + seconds
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return
      "Thu, 28 May 2026 \(two(total / 3_600)):\(two(total / 60 % 60)):\(two(total % 60)) GMT"
  }

  @Test(
    "the wait is kept",
    arguments: [
      ("Retry-After: 7", 7_000 as Int64), ("retry-after: 0", 1_000), ("", 1_000),
      ("Retry-After: soon", 8_000), ("Retry-After: 1.5", 8_000), ("Retry-After: -5", 1_000),
      ("Retry-After: 100000000000000000000", 86_400_000),
    ])
  func healthy(headers: String, gap: Int64) {
    expectHealthy(run(headers, gap), antecedent: "INV-08")
  }

  @Test(
    "a request before its time is found",
    arguments: [
      ("Retry-After: 7", 6_998 as Int64), ("retry-after: 0", 998), ("", 998),
      ("Retry-After: -5", 998), ("Retry-After: 100000000000000000000", 86_399_998),
    ])
  func early(headers: String, gap: Int64) {
    let builder = run(headers, gap)
    expectFinding("INV-08 a request comes too early after a 429", at: builder.last, builder)
  }

  @Test(
    "a header that cannot be read asks for the backoff",
    arguments: [
      "Retry-After: soon", "Retry-After: 1.5", "Retry-After:", "Retry-After: 3, 5",
    ])
  func unreadable(headers: String) {
    let builder = run(headers, 7_990)
    expectFinding("INV-08 a request after 429 ignores the backoff", at: builder.last, builder)
  }

  @Test("a failure without an answer ends the row")
  func interrupted() {
    let builder = WireHistory()
    builder.launch()
    builder.wait(.minutes(1))
    builder.load()
    for _ in 0..<2 {
      builder.exchange(["a"], 429, headers: "Retry-After: 0")
      builder.wait(.seconds(1))
    }
    builder.fail(builder.batch(["a"]))
    builder.wait(.minutes(3))
    builder.exchange(["a"], 429, headers: "Retry-After: 0")
    builder.wait(.seconds(1))
    builder.batch(["a"])
    expectHealthy(builder, antecedent: "INV-08")
  }

  @Test("a date counts from the answer's own date, else from the device's clock")
  func dates() {
    expectHealthy(
      run("Date: \(date(500))\nRetry-After: \(date(520))", 20_000), antecedent: "INV-08")
    var builder = run("Date: \(date(500))\nRetry-After: \(date(520))", 19_990)
    expectFinding("INV-08 a request comes too early after a 429", at: builder.last, builder)
    expectHealthy(run("Retry-After: \(date(30))", 29_830), antecedent: "INV-08")
    builder = run("Retry-After: \(date(30))", 29_810)
    expectFinding("INV-08 a request comes too early after a 429", at: builder.last, builder)
  }

  @Test("a flush does not skip it")
  func flush() {
    let builder = run("Retry-After: 7", 1_000) { $0.call(.flush) }
    expectFinding("INV-08 a request comes too early after a 429", at: builder.last, builder)
  }

  @Test("the third in a row waits for the backoff")
  func third() {
    func run(_ gap: Int64) -> WireHistory {
      let builder = WireHistory()
      builder.launch()
      builder.wait(.minutes(1))
      builder.load()
      for _ in 0..<3 {
        builder.exchange(["a"], 429, headers: "Retry-After: 0")
        builder.wait(.seconds(1))
      }
      builder.wait(.milliseconds(gap - 1_000))
      builder.batch(["a"])
      return builder
    }
    expectHealthy(run(8_000), antecedent: "INV-08")
    let builder = run(7_000)
    expectFinding("INV-08 a request after 429 ignores the backoff", at: builder.last, builder)
  }

  @Test("another list is found", arguments: [["a"], ["b", "a"], ["a", "b", "c"], ["c"]])
  func otherList(ids: [String]) {
    let builder = run("Retry-After: 7", 7_000, ids: ids)
    expectFinding(
      "INV-08 after a 429 another list of messages is sent", at: builder.last, builder)
  }

  @Test("what a revoke removed may be missing")
  func revoke() {
    let builder = run("Retry-After: 7", 7_000, ids: ["c"]) {
      $0.call(.consent(analytics: false, marketing: nil))
    }
    expectHealthy(builder, antecedent: "INV-08")
  }

  @Test("what has aged may be missing, and only that")
  func aged() {
    func run(_ age: TimeSpan) -> WireHistory {
      let builder = WireHistory()
      builder.launch()
      builder.wait(.days(29))
      builder.load()
      let old = builder.message("old", at: WireHistory.epoch)
      let young = builder.message("young", at: builder.milliseconds)
      builder.answer(builder.batch(messages: [old, young]), 429, headers: "Retry-After: 1")
      builder.wait(age - .days(29))
      builder.batch(messages: [young])
      return builder
    }
    expectHealthy(run(.days(30) + .seconds(1)), antecedent: "INV-08")
    let builder = run(.days(29) + .hours(1))
    expectFinding(
      "INV-08 after a 429 another list of messages is sent", at: builder.last, builder)
  }

  @Test("a kept batch keeps its list as well")
  func kept() {
    let builder = WireHistory()
    builder.launch()
    builder.load()
    builder.exchange(["a", "b"], 503)
    builder.wait(.seconds(10))
    builder.batch(["a"])
    expectFinding(
      "INV-08 after a kept batch another list of messages is sent", at: builder.last, builder)
  }
}
