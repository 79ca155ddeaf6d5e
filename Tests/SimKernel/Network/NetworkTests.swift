import SimKernel
import Testing

@Suite struct NetworkTests {
  private func plan(_ fate: ExchangeFate) -> ExchangePlan {
    ExchangePlan(
      fate: fate, up: .milliseconds(10), server: .milliseconds(20), down: .milliseconds(30))
  }

  @discardableResult
  private func start(_ harness: DeviceHarness, _ fate: ExchangeFate, key: UInt64 = 1) -> UInt32 {
    harness.device.network.start(
      key: key, plan: plan(fate), at: harness.simulation.now, idle: .seconds(20),
      total: .seconds(120))
  }

  @Test(arguments: [
    (ExchangeFate.normal, ["10 arrived 0.0", "30 answered 0.0", "60 answer 0"]),
    (.resetAfter, ["10 arrived 0.0", "30 answered 0.0", "60 connectionLost 0"]),
    (.truncatedBody, ["10 arrived 0.0", "30 answered 0.0", "60 connectionLost 0"]),
    (.resetBefore, ["10 connectionLost 0"]),
    (.refused, ["10 cannotConnect 0"]),
    (.dnsFailure, ["40 cannotFindHost 0"]),
    (.tlsFailure, ["20 secureConnectionFailed 0"]),
    (.offline, ["1 notConnected 0"]),
    (.blackHole, ["20000 timedOut 0"]),
    (.intercepted, ["10 intercepted 0", "40 answer 0"]),
    (
      .duplicateArrival(gap: .milliseconds(100)),
      [
        "10 arrived 0.0", "30 answered 0.0", "60 answer 0", "110 arrived 0.1", "110 answered 0.1",
      ]
    ),
  ])
  func everyFateIsWhatItSays(_ fate: ExchangeFate, _ lines: [String]) {
    let harness = DeviceHarness()
    start(harness, fate)
    harness.run(for: .minutes(5))
    #expect(harness.lines == lines)
    #expect(harness.device.network.inFlight == 0)
  }

  @Test func aSilentServerEndsInTheIdleTimeoutCountedFromTheUpload() {
    let harness = DeviceHarness()
    var slow = plan(.normal)
    slow.server = .seconds(60)
    _ = harness.device.network.start(
      key: 1, plan: slow, at: .start, idle: .seconds(20), total: .seconds(120))
    harness.run(for: .minutes(5))
    #expect(harness.lines == ["10 arrived 0.0", "20010 timedOut 0", "60010 answered 0.0"])
  }

  @Test func theTotalTimeoutBoundsASlowRequest() {
    let harness = DeviceHarness()
    var slow = plan(.normal)
    slow.up = .seconds(4)
    _ = harness.device.network.start(
      key: 1, plan: slow, at: .start, idle: .seconds(3), total: .seconds(3))
    harness.run(for: .minutes(5))
    #expect(harness.lines == ["3000 timedOut 0"])
  }

  @Test func losingTheLinkBreaksRequestsButNotWhatTheServerDid() {
    let harness = DeviceHarness()
    start(harness, .normal)
    harness.run(for: .milliseconds(15))
    harness.device.network.setLink(.none)
    harness.run(for: .seconds(5))
    #expect(
      harness.lines == [
        "10 arrived 0.0", "15 disturbed 0", "15 connectionLost 0", "30 answered 0.0",
      ])
  }

  @Test func aSuspendedAppHearsAtResumeWhatBecameOfItsRequest() {
    var ends: [String: Int] = [:]
    for key in 0..<40 as Range<UInt64> {
      let harness = DeviceHarness()
      harness.device.enterForeground()
      harness.run(for: .seconds(1))
      harness.device.leave()
      harness.run(for: .milliseconds(5_345))
      start(harness, .normal, key: key)
      harness.run(for: .minutes(5))
      #expect(!harness.lines.contains { $0.hasSuffix("answer 0") || $0.hasSuffix("Lost 0") })
      harness.device.enterForeground()
      harness.run(for: .seconds(1))
      for line in harness.lines where line.hasSuffix("answer 0") || line.hasSuffix("Lost 0") {
        ends[line, default: 0] += 1
      }
    }
    #expect(ends.count == 2)
    #expect(ends.values.reduce(0, +) == 40)
  }

  @Test func aRequestOfADeadProcessIsHeardByNobodyAndMayStillArrive() {
    var arrivals = 0
    for key in 0..<40 as Range<UInt64> {
      let harness = DeviceHarness()
      harness.device.enterForeground()
      start(harness, .normal, key: key)
      harness.device.end(.memoryKill)
      harness.run(for: .minutes(1))
      #expect(!harness.lines.contains { $0.hasSuffix("answer 0") })
      if harness.lines.contains("10 arrived 0.0") { arrivals += 1 }
    }
    #expect((8...32).contains(arrivals))
  }

  @Test func cancellingTellsTheAppOnce() {
    let harness = DeviceHarness()
    let exchange = start(harness, .normal)
    harness.run(for: .milliseconds(15))
    harness.device.network.cancel(exchange)
    harness.device.network.cancel(exchange)
    harness.run(for: .seconds(30))
    #expect(harness.lines == ["10 arrived 0.0", "15 cancelled 0", "30 answered 0.0"])
  }
}
