import FuzzProperty
import Testing

@testable import SDK

/// A watch that expectations can change.
private final class Watched {
  var watch = HangWatch()
  var isLooking: Bool { watch.isLooking }
  func arm(isForeground: Bool, at now: Int64) -> Bool {
    watch.arm(isForeground: isForeground, at: now)
  }
  func disarm() { watch.disarm() }
  func note(_ activity: RunLoopActivity, at now: Int64) -> Bool { watch.note(activity, at: now) }
  func move(isForeground: Bool, at now: Int64) -> Bool {
    watch.move(isForeground: isForeground, at: now)
  }
  func look(at now: Int64, isDebugged: Bool) -> HangWatch.Verdict {
    watch.look(at: now, isDebugged: isDebugged)
  }
}

@Suite("The watch on the main thread")
struct HangWatchTests {
  private static let second: Int64 = 1_000_000_000
  private static let look = HangWatch.intervalNanoseconds

  /// An armed watch in front, whose main thread has begun something at zero.
  private func busy() -> Watched {
    let watch = Watched()
    _ = watch.arm(isForeground: true, at: -Self.look)
    _ = watch.note(.afterWaiting, at: 0)
    return watch
  }

  /// Looks at every interval.
  /// - Returns: when it reports.
  private func reports(_ watch: Watched, from start: Int64 = 0, until end: Int64) -> [Int64] {
    stride(from: start + Self.look, through: end, by: Int64.Stride(Self.look)).filter {
      watch.look(at: $0, isDebugged: false) == .report
    }
  }

  @Test("five seconds of silence are reported once (HNG-01, S-62)")
  func once() {
    let watch = busy()
    #expect(reports(watch, until: 60 * Self.second) == [5 * Self.second])
    #expect(!watch.isLooking)
  }

  @Test("after an answer the next silence is another hang (S-62)")
  func again() {
    let watch = busy()
    #expect(reports(watch, until: 6 * Self.second).count == 1)
    #expect(watch.note(.beforeSources, at: 7 * Self.second))
    #expect(
      reports(watch, from: 7 * Self.second, until: 13 * Self.second) == [12 * Self.second])
  }

  @Test("an answer just before the limit ends the silence (HNG-03)")
  func answered() {
    let watch = busy()
    #expect(reports(watch, until: 4_750_000_000).isEmpty)
    _ = watch.note(.beforeWaiting, at: 4_900_000_000)
    #expect(watch.look(at: 5 * Self.second, isDebugged: false) == .rest)
  }

  @Test("a run loop that turns without waiting is no hang (B95)")
  func turning() {
    let watch = busy()
    for turn in Int64(1)...200 {
      _ = watch.note(.beforeSources, at: turn * 100_000_000)
      #expect(watch.look(at: turn * 100_000_000, isDebugged: false) == .goOn)
    }
  }

  @Test("one look that comes ten minutes late counts a second of it (HNG-04, B95)")
  func suspended() {
    let watch = busy()
    #expect(reports(watch, until: 3 * Self.second).isEmpty)
    let resumed = 603 * Self.second
    #expect(watch.look(at: resumed, isDebugged: false) == .goOn)
    #expect(
      reports(watch, from: resumed, until: resumed + 2 * Self.second) == [resumed + Self.second])
  }

  @Test("nothing is watched in the background, under a debugger, or unarmed (HNG-04 to HNG-06)")
  func paused() {
    let away = busy()
    _ = away.move(isForeground: false, at: 1)
    #expect(away.look(at: 60 * Self.second, isDebugged: false) == .rest)
    let debugged = busy()
    for tick in Int64(1)...40 {
      #expect(debugged.look(at: tick * Self.look, isDebugged: true) == .goOn)
    }
    let refused = busy()
    refused.disarm()
    #expect(refused.look(at: 60 * Self.second, isDebugged: false) == .rest)
    #expect(!refused.note(.afterWaiting, at: 61 * Self.second))
  }

  @Test("what was silent before consent came does not count (HNG-06)")
  func lateConsent() {
    let watch = Watched()
    _ = watch.note(.afterWaiting, at: 0)
    #expect(watch.arm(isForeground: true, at: 4 * Self.second))
    #expect(
      reports(watch, from: 4 * Self.second, until: 10 * Self.second) == [9 * Self.second])
  }

  @Test("a thread that is idle when it is armed again is not taken for busy")
  func rearmed() {
    let watch = busy()
    _ = watch.note(.beforeWaiting, at: 1)
    watch.disarm()
    #expect(!watch.arm(isForeground: true, at: 2))
    #expect(watch.look(at: 60 * Self.second, isDebugged: false) == .rest)
  }

  @Test("somebody looks only while there is something to look at")
  func quiet() {
    let watch = Watched()
    #expect(watch.arm(isForeground: true, at: 0))
    #expect(!watch.note(.beforeWaiting, at: 1))
    #expect(watch.look(at: Self.look, isDebugged: false) == .rest)
    #expect(watch.note(.afterWaiting, at: 2 * Self.look))
    #expect(!watch.note(.beforeSources, at: 3 * Self.look))
  }

  @Test("a report never comes for less than five seconds since the newest sign of life")
  func property() throws {
    let steps = zip(
      Generator<Int64>.integer(in: 1...1_200), Generator<UInt8>.integer(in: 0...12)
    ).array(1...120)
    try check("silence of five seconds", runs: 2_000, steps) { steps in
      let watch = busy()
      var now: Int64 = 0
      var alive: Int64 = 0
      for (milliseconds, what) in steps {
        now += milliseconds * 1_000_000
        switch what {
        case 0: _ = watch.note(.beforeSources, at: now)
        case 1: _ = watch.note(.beforeWaiting, at: now)
        case 2: _ = watch.move(isForeground: true, at: now)
        default:
          if watch.look(at: now, isDebugged: false) == .report, now - alive < 5 * Self.second {
            return false
          }
          continue
        }
        alive = now
      }
      return true
    }
  }
}
