import Testing

@testable import SDK

@Suite("The age of a message")
struct AgeTests {
  private let present = Stamp(time: 1_800_000_000_000, boot: 2, uptime: 50_000_000_000)
  private let month: Int64 = 2_592_000 * .nanosecondsPerSecond

  @Test("within one boot the clock that runs in sleep counts, whatever the wall clock says")
  func oneBoot() {
    let stamp = Stamp(time: 0, boot: 2, uptime: 20_000_000_000)
    #expect(Age.nanoseconds(of: stamp, present: present) == 30_000_000_000)
    #expect(!Age.isImplausible(stamp, present: present))
    let later = Stamp(time: 0, boot: 2, uptime: 60_000_000_000)
    #expect(Age.nanoseconds(of: later, present: present) == 0)
  }

  @Test("across boots the wall clock counts; exactly 30 days are not too old")
  func acrossBoots() {
    let exact = Stamp(time: present.time - 2_592_000_000, boot: 1, uptime: 0)
    #expect(Age.nanoseconds(of: exact, present: present) == month)
    let older = Stamp(time: present.time - 2_592_000_001, boot: 1, uptime: 0)
    #expect(Age.nanoseconds(of: older, present: present) > month)
    let ahead = Stamp(time: present.time + 5, boot: 1, uptime: 0)
    #expect(Age.nanoseconds(of: ahead, present: present) == 0)
  }

  @Test("a stamp before the release, or more than a day ahead, cannot be true")
  func implausible() {
    func stamp(_ time: Int64) -> Stamp { Stamp(time: time, boot: 1, uptime: 0) }
    #expect(Age.isImplausible(stamp(Age.releaseDate - 1), present: present))
    #expect(!Age.isImplausible(stamp(Age.releaseDate), present: present))
    #expect(!Age.isImplausible(stamp(present.time + 86_400_000), present: present))
    #expect(Age.isImplausible(stamp(present.time + 86_400_001), present: present))
  }

  @Test("no stamp of a damaged file overflows")
  func extremes() {
    for time in [Int64.min, .max, 0] {
      for boot in [UInt64(1), 2] {
        let stamp = Stamp(time: time, boot: boot, uptime: time)
        #expect(Age.nanoseconds(of: stamp, present: present) >= 0)
        _ = Age.isImplausible(stamp, present: present)
      }
    }
  }
}
