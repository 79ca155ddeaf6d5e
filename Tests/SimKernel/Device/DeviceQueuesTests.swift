import SimKernel
import Testing

@Suite struct DeviceQueuesTests {
  private func foreground(_ harness: DeviceHarness) throws -> AppProcess {
    harness.device.enterForeground()
    harness.run(for: .seconds(1))
    return try #require(harness.device.process)
  }

  @Test func jobsOfOneQueueRunInTheOrderGiven() throws {
    let harness = DeviceHarness()
    let process = try foreground(harness)
    let queue = harness.device.makeQueue(process, label: "work")
    var order: [Int] = []
    for number in 0..<20 { harness.device.post(process, queue: queue) { order.append(number) } }
    harness.run(for: .seconds(1))
    #expect(order == Array(0..<20))
  }

  @Test func theHandOffBelongsToTheWakingOfAQueue() throws {
    let harness = DeviceHarness()
    harness.handOff = .milliseconds(10)
    let process = try foreground(harness)
    let queue = harness.device.makeQueue(process, label: "work")
    let start = harness.simulation.now
    var ends: [Int64] = []
    for _ in 0..<3 {
      harness.device.post(process, queue: queue) {
        harness.device.spend(.milliseconds(2))
        ends.append((harness.device.now - start).milliseconds)
      }
    }
    harness.run(for: .seconds(1))
    #expect(ends == [12, 14, 16])
  }

  @Test func whatAJobDoesHappensAfterTheTimeItTook() throws {
    let harness = DeviceHarness()
    let process = try foreground(harness)
    let first = harness.device.makeQueue(process, label: "first")
    let second = harness.device.makeQueue(process, label: "second")
    let start = harness.simulation.now
    var seen: Int64 = 0
    harness.device.post(process, queue: first) {
      harness.device.spend(.milliseconds(50))
      harness.device.post(process, queue: second) {
        seen = (harness.device.now - start).milliseconds
      }
    }
    harness.run(for: .seconds(1))
    #expect(seen == 52)
  }

  @Test func timersOfASuspensionFireLateAndInOrder() throws {
    let harness = DeviceHarness()
    let process = try foreground(harness)
    let queue = harness.device.makeQueue(process, label: "work")
    var fired: [String] = []
    func timer(_ name: String, _ seconds: Int64, _ base: TimerBase) {
      _ = harness.device.schedule(process, queue: queue, after: .seconds(seconds), base: base) {
        fired.append("\(name)@\(harness.device.now.nanoseconds / 1_000_000_000)")
      }
    }
    timer("b", 40, .continuous)
    timer("a", 30, .continuous)
    timer("asleep", 100, .awake)
    harness.device.leave()
    harness.run(for: .seconds(600))
    #expect(fired.isEmpty)
    harness.device.enterForeground()
    harness.run(for: .seconds(1))
    #expect(fired == ["a@601", "b@601"])
    harness.run(for: .seconds(200))
    // Suspended at 6.35 s, asleep from 16.35 s to 601 s: of 100 s awake 15.35 s had passed.
    #expect(fired.last == "asleep@685")
  }

  @Test func aCancelledTimerNeverRunsNotEvenWhenItIsDue() throws {
    let harness = DeviceHarness()
    harness.handOff = .milliseconds(100)
    let process = try foreground(harness)
    let queue = harness.device.makeQueue(process, label: "work")
    var fired = false
    let timer = harness.device.schedule(
      process, queue: queue, after: .seconds(1), base: .continuous
    ) { fired = true }
    harness.run(for: .milliseconds(1_050))
    harness.device.cancelTimer(process, timer)
    harness.run(for: .seconds(5))
    #expect(!fired)
  }

  @Test func nothingOfADeadProcessRuns() throws {
    let harness = DeviceHarness()
    let process = try foreground(harness)
    let queue = harness.device.makeQueue(process, label: "work")
    var ran = 0
    harness.device.post(process, queue: queue) { ran += 1 }
    _ = harness.device.schedule(process, queue: queue, after: .seconds(1), base: .awake) {
      ran += 1
    }
    harness.device.end(.memoryKill)
    harness.device.post(process, queue: queue) { ran += 1 }
    harness.run(for: .minutes(1))
    #expect(ran == 0)
  }

  @Test func pendingWorkIsNamed() throws {
    let harness = DeviceHarness()
    let process = try foreground(harness)
    #expect(harness.device.pendingWork(process) == [])
    let queue = harness.device.makeQueue(process, label: "work")
    _ = harness.device.schedule(process, queue: queue, after: .hours(1), base: .awake) {}
    harness.device.post(process, queue: queue) {}
    #expect(harness.device.pendingWork(process) == ["jobs on work", "1 timers"])
  }
}
