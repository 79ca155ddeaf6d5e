import FuzzProperty
import Testing

@testable import SDK

@Suite("The clock of a session")
struct SessionClockTests {
  private static let minute: Int64 = 60_000_000_000
  private static let timeout = 30 * minute

  /// A clock by reference, whose app came to the foreground at 0.
  private final class Watch {
    var clock = SessionClock(timeoutNanoseconds: SessionClockTests.timeout, idleSince: 0)
    var isInForeground: Bool { clock.isInForeground }

    init() { _ = clock.foreground(at: 0) }

    func foreground(at uptime: Int64) -> Bool { clock.foreground(at: uptime) }
    @discardableResult
    func background(at uptime: Int64) -> Bool { clock.background(at: uptime) }
    func message(at uptime: Int64) -> Bool { clock.message(at: uptime) }
    func restart(at uptime: Int64) { clock.restart(at: uptime) }
  }

  @Test("nothing expires in the foreground, however long nothing happens (SES-05)")
  func foreground() {
    let clock = Watch()
    #expect(clock.isInForeground)
    #expect(!clock.message(at: 600 * Self.minute))
    clock.background(at: 601 * Self.minute)
    #expect(!clock.isInForeground)
    #expect(!clock.foreground(at: 602 * Self.minute))
  }

  @Test("a return: exactly the timeout keeps the session, more does not (SES-03, SES-08)")
  func boundary() {
    for (extra, isOver) in [(-1, false), (0, false), (1, true)] as [(Int64, Bool)] {
      let clock = Watch()
      clock.background(at: 7)
      #expect(clock.foreground(at: 7 + Self.timeout + extra) == isOver)
      #expect(!clock.message(at: 7 + 3 * Self.timeout))
    }
  }

  @Test("a background message: exactly the timeout keeps the session, more does not (SES-04)")
  func message() {
    for (extra, isOver) in [(-1, false), (0, false), (1, true)] as [(Int64, Bool)] {
      let clock = Watch()
      clock.background(at: 7)
      #expect(clock.message(at: 7 + Self.timeout + extra) == isOver)
    }
  }

  @Test("a background message does not extend the stay; a session it begins does (S-45)")
  func base() {
    let clock = Watch()
    clock.background(at: 0)
    #expect(!clock.message(at: 20 * Self.minute))
    #expect(clock.message(at: 31 * Self.minute))
    #expect(!clock.message(at: 32 * Self.minute))
    #expect(!clock.foreground(at: 61 * Self.minute))
    clock.background(at: 62 * Self.minute)
    #expect(!clock.message(at: 92 * Self.minute))
    #expect(clock.foreground(at: 92 * Self.minute + 1))
  }

  @Test("a second background entry changes nothing")
  func repeated() {
    let clock = Watch()
    #expect(clock.background(at: 0))
    #expect(!clock.background(at: 29 * Self.minute))
    #expect(clock.foreground(at: 31 * Self.minute))
    #expect(!clock.foreground(at: 99 * Self.minute))
  }

  @Test("a reset in the background is a session's start like any other")
  func restart() {
    let clock = Watch()
    clock.restart(at: Self.minute)
    #expect(clock.isInForeground)
    clock.background(at: 2 * Self.minute)
    clock.restart(at: 20 * Self.minute)
    #expect(!clock.message(at: 50 * Self.minute))
    #expect(clock.message(at: 50 * Self.minute + 1))
  }

  @Test("a stored session goes on within the timeout, by the wall clock (S-44)")
  func stored() {
    func idle(_ last: Int64, _ now: Int64) -> Int64? {
      SessionClock.idleMilliseconds(since: last, now: now, timeoutNanoseconds: Self.timeout)
    }
    #expect(idle(1_000, 1_000) == 0)
    #expect(idle(1_000, 1_000 + 1_800_000) == 1_800_000)
    #expect(idle(1_000, 1_001 + 1_800_000) == nil)
    #expect(idle(1_000, 999) == nil)
    #expect(idle(.min, .max) == nil)
    #expect(idle(.max, .min) == nil)
  }

  @Test("agrees with the sentences of the requirements on any life")
  func model() throws {
    let steps = zip(
      Generator<Int>.integer(in: 0...3),
      Generator<Int64>.oneOf(
        .integer(in: 0...40), .element(of: [9, 10, 11, 19, 20, 21]))
    ).array(0...40)
    try check("same sessions", runs: 2_000, steps) { steps in
      var clock = SessionClock(timeoutNanoseconds: 10, idleSince: 0)
      // By the sentences: where the app is since when, and when its session began.
      var entered: Int64? = 0
      var began: Int64 = 0
      var now: Int64 = 0
      for (choice, span) in steps {
        now += span
        let isDue = entered.map { now - max($0, began) > 10 } ?? false
        switch choice {
        case 0:
          if clock.foreground(at: now) != isDue { return false }
          entered = nil
          if isDue { began = now }
        case 1:
          clock.background(at: now)
          entered = entered ?? now
        case 2:
          if clock.message(at: now) != isDue { return false }
          if isDue { began = now }
        default:
          clock.restart(at: now)
          began = now
        }
        if clock.isInForeground != (entered == nil) { return false }
      }
      return true
    }
  }
}
