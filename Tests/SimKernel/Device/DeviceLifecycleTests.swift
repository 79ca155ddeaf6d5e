import SimKernel
import Testing

@Suite struct DeviceLifecycleTests {
  @Test func aForegroundLaunchBecomesActiveAndAVisitEndsInSuspension() {
    let harness = DeviceHarness()
    harness.device.enterForeground()
    harness.run(for: .seconds(1))
    harness.device.leave()
    harness.run(for: .seconds(20))
    #expect(
      harness.lines == [
        "0 launched foreground", "0 inactive", "180 active", "1000 inactive", "1350 background",
        "6350 suspended",
      ])
  }

  @Test func aBackgroundTaskKeepsTheAppAwakeUntilItEnds() throws {
    let harness = DeviceHarness()
    harness.device.enterForeground()
    harness.run(for: .seconds(1))
    let process = try #require(harness.device.process)
    let task = try #require(harness.device.beginTask(process) {})
    harness.device.leave()
    harness.run(for: .seconds(12))
    #expect(harness.lines.last == "1350 background")
    harness.device.endTask(process, task)
    harness.run(for: .seconds(3))
    #expect(harness.lines.last == "14000 suspended")
  }

  @Test func aTaskThatDoesNotEndIsToldAndThenTheProcessIsKilled() throws {
    let harness = DeviceHarness()
    harness.device.launch(.background)
    let process = try #require(harness.device.process)
    _ = try #require(harness.device.beginTask(process) {})
    harness.run(for: .minutes(2))
    #expect(
      harness.lines == [
        "0 launched background", "0 background", "25000 expired 1", "30000 ended backgroundOverrun",
      ])
    #expect(harness.device.process == nil)
  }

  @Test func aTaskThatEndsWhenToldIsNotKilled() throws {
    let harness = DeviceHarness()
    harness.device.launch(.background)
    let process = try #require(harness.device.process)
    var task: UInt32?
    task = harness.device.beginTask(process) {
      if let task { harness.device.endTask(process, task) }
    }
    harness.run(for: .minutes(2))
    #expect(harness.lines.last == "26000 suspended")
    #expect(task == 1)
  }

  @Test func comingBackWhileLeavingNeverReachesTheBackground() {
    let harness = DeviceHarness()
    harness.device.enterForeground()
    harness.run(for: .seconds(1))
    harness.device.leave()
    harness.run(for: .milliseconds(100))
    harness.device.enterForeground()
    harness.run(for: .seconds(10))
    #expect(!harness.lines.contains { $0.hasSuffix("background") })
    #expect(harness.device.process?.phase == .active)
  }

  @Test func aPushWakesASuspendedAppForAShortTime() {
    let harness = DeviceHarness()
    harness.device.launch(.background)
    harness.run(for: .minutes(10))
    harness.lines = []
    harness.device.launch(.background)
    harness.run(for: .minutes(1))
    #expect(harness.lines == ["600000 background", "600000 resumed", "612000 suspended"])
  }

  @Test func aPrewarmedProcessRunsNoCodeUntilTheUserOpensIt() throws {
    let harness = DeviceHarness()
    harness.device.launch(.prewarmed)
    let process = try #require(harness.device.process)
    var ran = false
    harness.device.post(process, queue: 0) { ran = true }
    harness.run(for: .hours(3))
    #expect(!ran)
    harness.device.enterForeground()
    harness.run(for: .seconds(1))
    #expect(ran)
  }

  @Test func aSwipeOutOfSuspensionTellsTheAppNothing() throws {
    let harness = DeviceHarness()
    harness.device.launch(.background)
    var heard: [AppNotification] = []
    harness.device.observe(try #require(harness.device.process)) { heard.append($0) }
    harness.run(for: .minutes(1))
    harness.device.end(.userSwipe)
    #expect(!heard.contains(.willTerminate))

    harness.device.enterForeground()
    harness.device.observe(try #require(harness.device.process)) { heard.append($0) }
    harness.run(for: .seconds(1))
    harness.device.end(.userSwipe)
    #expect(heard.last == .willTerminate)
  }

  @Test func theDeviceSleepsOnlyWhileNoAppRuns() {
    let harness = DeviceHarness()
    harness.device.enterForeground()
    harness.run(for: .minutes(5))
    #expect(!harness.device.clocks.isAsleep)
    harness.device.leave()
    harness.run(for: .minutes(5))
    #expect(harness.device.clocks.isAsleep)
    harness.device.enterForeground()
    #expect(!harness.device.clocks.isAsleep)
    harness.device.end(.memoryKill)
    harness.run(for: .minutes(1))
    #expect(harness.device.clocks.isAsleep)
  }
}
