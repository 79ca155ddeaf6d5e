import FuzzProperty
import Testing

@testable import SDK

@Suite("The time of a screen view")
struct ScreenTimingTests {
  /// What may happen to a view, and how long after the thing before it.
  private enum Step: CaseIterable {
    case screen
    case foreground
    case background
    case end
    case forget
    case endAtBackgroundEntry
  }

  /// The same by an independent integral: all that happened, looked at from the end.
  private struct Witness {
    var stays: [(from: Int64, until: Int64?)] = [(0, nil)]
    var start: Int64?
    var entry: Int64?

    func active(until end: Int64) -> Int64 {
      guard let start else { return 0 }
      var sum: Int64 = 0
      for stay in stays {
        let from = max(stay.from, start)
        let until = min(stay.until ?? end, end)
        if until > from { sum += until - from }
      }
      return sum
    }
  }

  private func agrees(
    _ leave: ScreenTiming.Leave?, _ witness: Witness, at uptime: Int64
  ) -> Bool {
    guard let start = witness.start else { return leave == nil }
    guard let leave else { return false }
    return leave.activeMilliseconds == witness.active(until: uptime) / 1_000_000
      && leave.totalMilliseconds == (uptime - start) / 1_000_000
      && (0...leave.totalMilliseconds).contains(leave.activeMilliseconds)
  }

  private func runs(_ history: [(step: Step, wait: Int64)]) -> Bool {
    var timing = ScreenTiming(isInForeground: true)
    var witness = Witness()
    var now: Int64 = 0
    for (step, wait) in history {
      now += wait
      switch step {
      case .screen:
        timing.begin("view", path: "/", at: now)
        witness.start = now
      case .foreground:
        if witness.stays.last?.until != nil { witness.stays.append((now, nil)) }
        timing.foreground(at: now)
      case .background:
        let isInFront = witness.stays.last?.until == nil
        let leave = timing.background(at: now)
        if isInFront {
          if !agrees(leave, witness, at: now) { return false }
          witness.stays[witness.stays.count - 1].until = now
          witness.entry = now
        } else if leave != nil {
          return false
        }
      case .end:
        if !agrees(timing.end(at: now), witness, at: now) { return false }
        witness.start = nil
      case .endAtBackgroundEntry:
        // A return asks for it, before it comes to the foreground.
        if witness.stays.last?.until == nil { continue }
        let end = timing.endAtBackgroundEntry()
        if (end == nil) != (witness.start == nil) { return false }
        if let end, let start = witness.start {
          let due = max(witness.entry ?? start, start)
          if end.uptime != due || !agrees(end.leave, witness, at: due) { return false }
        }
        witness.start = nil
      case .forget:
        timing.forget()
        witness.start = nil
      }
      if timing.isTiming != (witness.start != nil) { return false }
    }
    return true
  }

  @Test("active and total time equal the integral over any history (SCR-06, SCR-07, S-55)")
  func integral() throws {
    let steps = zip(
      Generator<Step>.element(of: Step.allCases),
      Generator<Int64>.integer(in: 0...90_000_000_000)
    ).array(0...30)
    try check("same times", runs: 2_000, steps) { steps in
      runs(steps.map { (step: $0.0, wait: $0.1) })
    }
  }

  @Test("a wait is paused and goes on with the same view (SCR-04, SCR-05)")
  func pause() {
    var timing = ScreenTiming(isInForeground: true)
    timing.begin("view", path: "/a", at: 1_500_000)
    let first = timing.background(at: 3_999_999)
    #expect(
      first
        == ScreenTiming.Leave(
          pageviewId: "view", path: "/a", activeMilliseconds: 2, totalMilliseconds: 2))
    #expect(timing.background(at: 5_000_000) == nil)
    timing.foreground(at: 1_000_000_000)
    timing.foreground(at: 1_500_000_000)
    let last = timing.end(at: 2_000_000_000)
    #expect(last?.activeMilliseconds == 1_002 && last?.totalMilliseconds == 1_998)
    #expect(timing.end(at: 3_000_000_000) == nil)
  }

  @Test("a view that begins in the background is not active there")
  func background() {
    var timing = ScreenTiming(isInForeground: false)
    timing.begin("view", path: "/a", at: 0)
    timing.foreground(at: 5_000_000)
    let leave = timing.end(at: 7_000_000)
    #expect(leave?.activeMilliseconds == 2 && leave?.totalMilliseconds == 7)
  }
}
