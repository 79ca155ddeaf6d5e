import SimKernel
import Testing

@Suite struct DeviceClocksTests {
  private let epoch: Int64 = 1_780_000_000_000_000_000

  private func clocks() -> DeviceClocks {
    DeviceClocks(trueEpoch: epoch, bootIdentifier: 1, uptime: .seconds(100))
  }

  private func at(_ seconds: Int64) -> Instant { .start + .seconds(seconds) }

  @Test func allClocksRunAlikeWhileAwake() {
    let clocks = clocks()
    #expect(clocks.wall(at: at(5)) == epoch + 5_000_000_000)
    #expect(clocks.continuous(at: at(5)) == 105_000_000_000)
    #expect(clocks.awake(at: at(5)) == 105_000_000_000)
  }

  @Test func sleepStopsOneMonotonicClock() {
    var clocks = clocks()
    clocks.sleep(at: at(10))
    clocks.sleep(at: at(12))
    #expect(clocks.awake(at: at(40)) == 110_000_000_000)
    clocks.wake(at: at(40))
    #expect(clocks.awake(at: at(50)) == 120_000_000_000)
    #expect(clocks.continuous(at: at(50)) == 150_000_000_000)
  }

  @Test func theWallClockIsSetWithoutTouchingTheOthers() {
    var clocks = clocks()
    clocks.setWall(0, at: at(10))
    #expect(clocks.wall(at: at(11)) == 1_000_000_000)
    #expect(clocks.continuous(at: at(11)) == 111_000_000_000)
    #expect(clocks.trueWall(at: at(11)) == epoch + 11_000_000_000)
  }

  @Test func driftAddsUpUntilTheClockIsSet() {
    var clocks = clocks()
    clocks.setDrift(partsPerMillion: 100, at: .start)
    #expect(clocks.wall(at: at(1_000)) == epoch + 1_000_100_000_000)
    clocks.setWall(epoch, at: at(1_000))
    #expect(clocks.wall(at: at(1_000)) == epoch)
  }

  @Test func aBootStartsTheMonotonicClocksAgain() {
    var clocks = clocks()
    clocks.sleep(at: at(1))
    clocks.reboot(bootIdentifier: 2, at: at(60))
    #expect(clocks.continuous(at: at(61)) == 1_000_000_000)
    #expect(clocks.awake(at: at(61)) == 1_000_000_000)
    #expect(clocks.bootIdentifier == 2)
  }
}
