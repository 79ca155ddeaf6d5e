import SimKernel
import Testing

@Suite struct DevicePowerTests {
  private func harness(_ style: AppStyle = .delegate) -> DeviceHarness {
    let harness = DeviceHarness()
    harness.device.appStyle = style
    harness.onLaunch = { process in
      harness.device.observe(process) { harness.say("hears \($0)") }
    }
    return harness
  }

  @Test func aLockSendsTheAppToTheBackgroundAndTakesProtectedDataTenSecondsLater() {
    let harness = harness()
    harness.device.launch(.foreground)
    harness.run(for: .seconds(1))
    harness.lines = []
    harness.device.lock()
    harness.device.lock()
    harness.run(for: .seconds(4))
    #expect(
      harness.lines == [
        "1000 locked", "1000 inactive", "1000 hears willResignActive", "1350 background",
        "1350 hears didEnterBackground",
      ])
    harness.run(for: .seconds(10))
    #expect(harness.lines.contains("11000 protected data unavailable"))
    #expect(harness.device.power.isUnlockedSinceBoot)
  }

  @Test func whatASuspendedAppWasNotToldItHearsFirst() {
    let harness = harness()
    harness.device.launch(.foreground)
    harness.run(for: .seconds(1))
    harness.device.lock()
    harness.run(for: .minutes(1))
    harness.lines = []
    harness.device.launch(.background)
    #expect(harness.lines.last == "61000 hears protectedDataWillBecomeUnavailable")
  }

  @Test func anUnlockInTimeKeepsProtectedData() {
    let harness = harness()
    harness.device.lock()
    harness.run(for: .seconds(9))
    harness.device.unlock()
    harness.run(for: .minutes(1))
    #expect(harness.lines == ["0 locked", "9000 unlocked"])
  }

  @Test func aRebootEndsTheProcessAndBeginsMonotonicClocksAnew() {
    let harness = harness()
    harness.device.launch(.foreground)
    harness.run(for: .seconds(1))
    harness.lines = []
    harness.device.shutDown(for: .seconds(40))
    harness.device.launch(.foreground)
    harness.device.enterForeground()
    harness.run(for: .seconds(50))
    #expect(harness.lines == ["1000 ended shutdown", "41000 booted 8"])
    let device = harness.device
    #expect(device.clocks.continuous(at: device.now) == 10_000_000_000)
    #expect(device.power.isLocked)
    #expect(device.disk.isProtected)
  }

  @Test func anOrderlyShutdownLosesNothingAndAPowerLossAsks() {
    for isOrderly in [true, false] {
      let harness = harness()
      _ = harness.device.disk.createDirectory("a", strike: nil)
      _ = harness.device.disk.barrier("a", strike: nil)
      harness.device.launch(.foreground)
      _ = harness.device.disk.put(
        "a/x", offset: nil, bytes: [UInt8](repeating: 1, count: 64), replacing: false, strike: nil)
      var lost = false
      if isOrderly {
        harness.device.shutDown(for: .seconds(1))
      } else {
        lost = !harness.device.losePower(for: .seconds(1), Randomness(seed: 3), key: 1).isEmpty
      }
      #expect(lost == !isOrderly)
    }
  }

  @Test func whatIsLeftAloneForAMinuteIsWrittenBack() {
    let harness = harness()
    _ = harness.device.disk.createDirectory("a", strike: nil)
    harness.device.launch(.foreground)
    _ = harness.device.disk.put(
      "a/x", offset: nil, bytes: [UInt8](repeating: 1, count: 64), replacing: false, strike: nil)
    harness.device.end(.memoryKill)
    harness.run(for: .seconds(61))
    #expect(
      harness.device.losePower(for: .seconds(1), Randomness(seed: 3), key: 1).isEmpty)
  }

  @Test func beforeTheFirstUnlockOnlyTheSystemStartsTheApp() {
    let harness = harness()
    harness.device.shutDown(for: .seconds(1))
    harness.run(for: .seconds(2))
    harness.lines = []
    harness.device.launch(.prewarmed)
    #expect(harness.lines.isEmpty)
    harness.device.launch(.background)
    #expect(harness.lines.first == "2000 launched background")
    #expect(harness.device.disk.isProtected)
    harness.lines = []
    harness.device.unlock()
    #expect(
      harness.lines == [
        "2000 unlocked", "2000 protected data available",
        "2000 hears protectedDataDidBecomeAvailable",
      ])
    #expect(!harness.device.disk.isProtected)
  }

  @Test func whoOpensTheAppUnlocksTheDeviceFirst() {
    let harness = harness()
    harness.device.shutDown(for: .seconds(1))
    harness.run(for: .seconds(2))
    harness.lines = []
    harness.device.enterForeground()
    #expect(
      harness.lines.prefix(3) == [
        "2000 unlocked", "2000 protected data available", "2000 launched foreground",
      ])
  }

  @Test func anAppWithScenesStartsInTheBackground() {
    let harness = harness(.scenes)
    harness.device.launch(.foreground)
    harness.run(for: .seconds(1))
    #expect(
      harness.lines == [
        "0 launched foreground", "0 background", "0 hears didFinishLaunching", "60 inactive",
        "60 hears willEnterForeground", "240 active", "240 hears didBecomeActive",
      ])
  }

  @Test func anOlderAppHearsNothingOfEnteringTheForegroundAtAColdStart() {
    let harness = harness()
    harness.device.launch(.foreground)
    harness.run(for: .seconds(1))
    #expect(!harness.lines.contains { $0.hasSuffix("hears willEnterForeground") })
    #expect(harness.lines.last == "180 hears didBecomeActive")
  }

  @Test func aPrewarmedAppFinishesLaunchingWhenTheUserComes() {
    let harness = harness()
    harness.device.launch(.prewarmed)
    harness.run(for: .minutes(10))
    #expect(!harness.lines.contains { $0.contains("hears") })
    harness.device.enterForeground()
    let heard = harness.lines.filter { $0.contains("hears") }
    #expect(
      heard == ["600000 hears didFinishLaunching", "600000 hears willEnterForeground"])
  }

  @Test func withTwoWindowsTheAppStaysWhenOneGoes() {
    let harness = harness(.scenes)
    harness.device.launch(.foreground)
    harness.run(for: .seconds(1))
    harness.lines = []
    harness.device.openScene()
    harness.device.leave()
    harness.run(for: .seconds(1))
    #expect(
      harness.lines == [
        "1000 hears willEnterForeground", "1000 hears didBecomeActive",
        "1000 hears willResignActive", "1000 hears didBecomeActive",
      ])
    #expect(harness.device.process?.isForeground == true)
    harness.device.leave()
    harness.run(for: .seconds(1))
    #expect(harness.device.process?.phase == .background)
  }

  @Test func aNotificationMayComeTwice() {
    let harness = harness()
    harness.repeats = [.didBecomeActive]
    harness.device.launch(.foreground)
    harness.run(for: .seconds(1))
    #expect(harness.lines.filter { $0 == "180 hears didBecomeActive" }.count == 2)
    #expect(harness.lines.filter { $0.hasSuffix("didFinishLaunching") }.count == 1)
  }

  @Test func oneOfTwoProcessesHoldsTheLockOfTheSharedContainer() throws {
    let harness = harness()
    harness.device.launch(.foreground)
    let process = try #require(harness.device.process)
    #expect(harness.device.holdForeignLock(for: .seconds(20)))
    #expect(!harness.device.tryStorageLock(process))
    harness.run(for: .seconds(21))
    #expect(harness.device.tryStorageLock(process))
    #expect(!harness.device.holdForeignLock(for: .seconds(20)))
    harness.device.releaseStorageLock(process)
    #expect(harness.device.holdForeignLock(for: .seconds(20)))
  }

  @Test func whoHoldsTheLockIntoASuspensionIsEnded() throws {
    let harness = harness()
    harness.device.launch(.foreground)
    harness.run(for: .seconds(1))
    #expect(harness.device.tryStorageLock(try #require(harness.device.process)))
    harness.device.leave()
    harness.run(for: .seconds(30))
    #expect(harness.lines.last == "6350 ended lockHeld")
    #expect(!harness.device.holdsStorageLock)
  }

  @Test func driftKeepsWhatItHasGained() {
    var clocks = DeviceClocks(trueEpoch: 0, bootIdentifier: 1, uptime: .zero)
    let minute = Instant.start + .minutes(1)
    clocks.setDrift(partsPerMillion: 500, at: .start)
    #expect(clocks.wall(at: minute) == 60_030_000_000)
    clocks.setDrift(partsPerMillion: 0, at: minute)
    #expect(clocks.wall(at: minute + .minutes(1)) == 120_030_000_000)
  }
}
