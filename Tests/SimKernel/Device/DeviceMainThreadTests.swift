import SimKernel
import Testing

@Suite struct DeviceMainThreadTests {
  /// An app that is active since 180 ms, observed at 1 s.
  private func active() throws -> (harness: DeviceHarness, process: AppProcess) {
    let harness = DeviceHarness()
    harness.device.enterForeground()
    harness.run(for: .seconds(1))
    return (harness, try #require(harness.device.process))
  }

  @Test func jobsOfTheMainQueueWaitForABlockedThreadAndOthersDoNot() throws {
    let (harness, process) = try active()
    let other = harness.device.makeQueue(process, label: "other")
    #expect(harness.device.blockMain(for: .seconds(2)))
    #expect(!harness.device.blockMain(for: .seconds(9)))
    harness.device.post(process, queue: 0) { harness.say("main job") }
    harness.device.post(process, queue: other) { harness.say("other job") }
    harness.run(for: .seconds(5))
    #expect(
      Array(harness.lines.suffix(4)) == [
        "1000 main blocked", "1001 other job", "3000 main free", "3001 main job",
      ])
  }

  @Test func theBackgroundIsEnteredOnceTheThreadIsFree() throws {
    let (harness, _) = try active()
    harness.device.blockMain(for: .seconds(3))
    harness.run(for: .seconds(1))
    harness.device.leave()
    harness.run(for: .seconds(10))
    #expect(
      Array(harness.lines.suffix(4)) == [
        "4000 main free", "4000 inactive", "4350 background", "9350 suspended",
      ])
  }

  @Test func anAppThatLetsAStepWaitForTenSecondsIsEnded() throws {
    let (harness, _) = try active()
    harness.device.blockMain(for: .seconds(30))
    harness.run(for: .seconds(2))
    harness.device.leave()
    harness.run(for: .seconds(60))
    #expect(harness.lines.last == "13000 ended launchWatchdog")
  }

  @Test func aDebuggerKeepsTheSystemFromEndingIt() throws {
    let (harness, _) = try active()
    harness.device.setDebugger(isAttached: true)
    harness.device.blockMain(for: .seconds(30))
    harness.device.leave()
    harness.run(for: .seconds(32))
    #expect(harness.lines.contains("1000 debugger true"))
    #expect(harness.lines.contains("31000 main free"))
    #expect(harness.lines.last == "31350 background")
  }

  @Test func aBlockStandsStillInASuspension() throws {
    let (harness, _) = try active()
    harness.device.leave()
    harness.run(for: .seconds(5))
    harness.device.blockMain(for: .seconds(4))
    harness.run(for: .minutes(10))
    #expect(harness.lines.last == "6350 suspended")
    harness.device.launch(.background)
    harness.run(for: .seconds(20))
    let resumed = harness.lines.filter { $0.hasSuffix("resumed") }
    #expect(resumed == ["606000 resumed"])
    // 350 ms had passed before the suspension.
    #expect(harness.lines.contains("609650 main free"))
  }

  @Test func aTaskIsToldInVainWhileTheThreadIsBlocked() throws {
    let harness = DeviceHarness()
    harness.device.launch(.background)
    let process = try #require(harness.device.process)
    _ = harness.device.beginTask(process) { harness.say("told") }
    harness.run(for: .seconds(1))
    harness.device.blockMain(for: .minutes(2))
    harness.run(for: .minutes(3))
    #expect(harness.lines.last == "30000 ended backgroundOverrun")
    #expect(!harness.lines.contains { $0.hasSuffix("told") })
  }

  @Test func theRunLoopTellsItsCyclesAndTurns() throws {
    let (harness, process) = try active()
    harness.device.observeRunLoop(process) { harness.say("\($0)") }
    harness.device.post(process, queue: 0) {}
    harness.run(for: .seconds(1))
    harness.device.spinMain(for: .milliseconds(250))
    harness.run(for: .seconds(1))
    harness.device.blockMain(for: .seconds(1))
    harness.run(for: .seconds(2))
    #expect(
      harness.lines.dropFirst(3) == [
        "1001 afterWaiting", "1001 beforeWaiting", "2000 afterWaiting", "2100 beforeSources",
        "2200 beforeSources", "2300 beforeWaiting", "3000 afterWaiting", "3000 main blocked",
        "4000 main free", "4000 beforeWaiting",
      ])
  }

  @Test func whatWaitsForTheThreadComesInOrderAndMayBlockItAgain() throws {
    let (harness, process) = try active()
    harness.device.blockMain(for: .seconds(1))
    harness.device.deferToMain(process) {
      harness.say("first")
      harness.device.blockMain(for: .seconds(1))
    }
    harness.device.deferToMain(process) { harness.say("second") }
    harness.run(for: .seconds(5))
    #expect(
      Array(harness.lines.suffix(6)) == [
        "1000 main blocked", "2000 main free", "2000 first", "2000 main blocked", "3000 main free",
        "3000 second",
      ])
  }
}
