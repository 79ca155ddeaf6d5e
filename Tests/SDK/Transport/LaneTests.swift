import FuzzProperty
import Testing

@testable import SDK

@Suite("The state machine of a lane")
struct LaneTests {
  private static let second = Int64.nanosecondsPerSecond
  /// Gives the middle of the jitter.
  private static let middle = UInt64.max / 2

  private func lane() -> Lane { Lane(policy: .postlip(flushAt: 20)) }

  /// A lane that has just sent messages 1 to `count`.
  private func sent(_ count: UInt64 = 4) -> Lane {
    var lane = lane()
    lane.trigger(upTo: count)
    lane.start(Array(1...count))
    return lane
  }

  @Test("without a trigger nothing is sent")
  func rest() {
    #expect(lane().step(now: 0, oldest: 1) == .rest)
    #expect(lane().step(now: 0, oldest: nil) == .rest)
  }

  @Test("a trigger covers what is queued, and no more")
  func trigger() {
    var lane = lane()
    lane.trigger(upTo: 5)
    #expect(lane.step(now: 0, oldest: 5) == .send(upTo: 5))
    #expect(lane.step(now: 0, oldest: 6) == .rest)
    lane.trigger(upTo: 3)
    #expect(lane.step(now: 0, oldest: 5) == .send(upTo: 5))
  }

  @Test("one request at a time; success goes on with the pass")
  func success() {
    var lane = sent(4)
    lane.trigger(upTo: 9)
    #expect(lane.step(now: 0, oldest: 1) == .busy)
    #expect(lane.holds(4) && !lane.holds(5))
    #expect(lane.end(.accepted, now: 7, random: 0) == .remove([1, 2, 3, 4]))
    #expect(lane.step(now: 7, oldest: 5) == .send(upTo: 9))
    #expect(lane.step(now: 7, oldest: 10) == .rest)
  }

  @Test("a kept batch goes again as it is, after the backoff, which grows (TRN-22)")
  func backoff() {
    var lane = sent(2)
    var now: Int64 = 0
    for expected in [10, 40, 160, 640, 2_560, 10_240, 40_960, 86_400, 86_400] as [Int64] {
      let decision = lane.end(.kept(retryAfter: nil), now: now, random: Self.middle)
      #expect(decision == .retry(afterNanoseconds: expected * Self.second))
      #expect(lane.holds(2))
      let due = now + expected * Self.second
      #expect(lane.step(now: due - 1, oldest: 1) == .wait(until: due))
      #expect(lane.step(now: due, oldest: 1) == .resend([1, 2]))
      now = due
      lane.start([1, 2])
    }
    _ = lane.end(.accepted, now: now, random: 0)
    #expect(lane.failures == 0)
  }

  @Test("a flush skips a backoff once; the count of failures stays (S-18)")
  func flush() {
    var lane = sent(1)
    _ = lane.end(.kept(retryAfter: nil), now: 0, random: Self.middle)
    lane.flush(upTo: 2)
    #expect(lane.step(now: 1, oldest: 1) == .resend([1]))
    lane.start([1])
    #expect(
      lane.end(.kept(retryAfter: nil), now: 1, random: Self.middle)
        == .retry(afterNanoseconds: 40 * Self.second))
  }

  @Test("a return to the foreground skips a backoff and starts the count anew (TRN-27)")
  func foreground() {
    var lane = sent(1)
    _ = lane.end(.kept(retryAfter: nil), now: 0, random: Self.middle)
    lane.enterForeground()
    #expect(lane.step(now: 1, oldest: 1) == .resend([1]))
    lane.start([1])
    #expect(
      lane.end(.kept(retryAfter: nil), now: 1, random: Self.middle)
        == .retry(afterNanoseconds: 10 * Self.second))
  }

  @Test("count, interval and background wait like everything else")
  func triggersWait() {
    var lane = sent(1)
    _ = lane.end(.kept(retryAfter: nil), now: 0, random: Self.middle)
    lane.trigger(upTo: 30)
    #expect(lane.step(now: 1, oldest: 1) == .wait(until: 10 * Self.second))
  }

  @Test("nothing skips what the server asked for")
  func held() {
    var lane = sent(1)
    #expect(
      lane.end(.rateLimited(retryAfter: 30 * Self.second), now: 0, random: 0)
        == .retry(afterNanoseconds: 30 * Self.second))
    lane.flush(upTo: 5)
    lane.enterForeground()
    #expect(lane.step(now: 1, oldest: 1) == .wait(until: 30 * Self.second))
    #expect(lane.step(now: 30 * Self.second, oldest: 1) == .resend([1]))
  }

  @Test("a 429 waits a second at least, and from the third in a row at least the backoff (A-29)")
  func rateLimits() {
    var lane = sent(1)
    var waits: [Int64] = []
    for _ in 0..<4 {
      let decision = lane.end(.rateLimited(retryAfter: 0), now: 0, random: Self.middle)
      if case .retry(let wait) = decision { waits.append(wait / Self.second) }
      lane.start([1])
    }
    #expect(waits == [1, 1, 160, 640])
    _ = lane.end(.kept(retryAfter: nil), now: 0, random: 0)
    lane.start([1])
    #expect(
      lane.end(.rateLimited(retryAfter: 0), now: 0, random: 0)
        == .retry(afterNanoseconds: Self.second))
  }

  @Test("a 429 without a readable wait backs off")
  func rateLimitWithoutHeader() {
    var lane = sent(1)
    #expect(
      lane.end(.rateLimited(retryAfter: nil), now: 0, random: Self.middle)
        == .retry(afterNanoseconds: 10 * Self.second))
    lane.flush(upTo: 1)
    #expect(lane.step(now: 0, oldest: 1) == .wait(until: Self.second))
  }

  @Test(
    "on other answers the longer of header and backoff holds (C-07)",
    arguments: [(3, 10), (25, 25), (1_000_000, 86_400)] as [(Int64, Int64)])
  func otherRetryAfter(_ asked: Int64, _ expected: Int64) {
    var lane = sent(1)
    #expect(
      lane.end(.kept(retryAfter: asked * Self.second), now: 0, random: Self.middle)
        == .retry(afterNanoseconds: expected * Self.second))
  }

  @Test("a refused batch goes, and the pass ends (A-11)")
  func refused() {
    var lane = sent(2)
    lane.trigger(upTo: 9)
    #expect(lane.end(.refused, now: 0, random: 0) == .remove([1, 2]))
    #expect(lane.step(now: 0, oldest: 3) == .rest)
    lane.trigger(upTo: 9)
    #expect(lane.step(now: 0, oldest: 3) == .send(upTo: 9))
  }

  @Test("a refusal leaves the count of failures alone")
  func refusedKeepsCount() {
    var lane = sent(1)
    _ = lane.end(.kept(retryAfter: nil), now: 0, random: 0)
    lane.start([1])
    _ = lane.end(.refused, now: 0, random: 0)
    #expect(lane.failures == 1)
  }

  @Test("413 halves go at once, the first one first (TRN-18)")
  func halves() {
    var lane = sent(5)
    #expect(lane.end(.tooLarge, now: 0, random: 0) == .split)
    #expect(lane.failures == 0)
    #expect(lane.step(now: 0, oldest: 1) == .resend([1, 2, 3]))
    lane.start([1, 2, 3])
    #expect(lane.end(.tooLarge, now: 0, random: 0) == .split)
    #expect(lane.kept == [[1, 2], [3], [4, 5]])
    lane.start([1, 2])
    #expect(lane.holds(5))
    _ = lane.end(.kept(retryAfter: nil), now: 0, random: Self.middle)
    #expect(lane.kept == [[1, 2], [3], [4, 5]])
    #expect(lane.step(now: 1, oldest: 1) == .wait(until: 10 * Self.second))
  }

  @Test("a single message that is too large goes (TRN-19)")
  func tooLargeAlone() {
    var lane = sent(1)
    #expect(lane.end(.tooLarge, now: 0, random: 0) == .remove([1]))
    #expect(lane.kept.isEmpty)
  }

  @Test("halves behind a refusal wait for a trigger")
  func halvesBehindRefusal() {
    var lane = sent(4)
    _ = lane.end(.tooLarge, now: 0, random: 0)
    lane.start([1, 2])
    _ = lane.end(.refused, now: 0, random: 0)
    #expect(lane.step(now: 0, oldest: 3) == .rest)
    lane.trigger(upTo: 4)
    #expect(lane.step(now: 0, oldest: 3) == .resend([3, 4]))
  }

  @Test("messages that left are in no list; an empty list is none")
  func forget() {
    var lane = sent(4)
    _ = lane.end(.tooLarge, now: 0, random: 0)
    lane.forget { $0 != 2 }
    #expect(lane.kept == [[2]])
    lane.forget { _ in true }
    #expect(lane.kept.isEmpty)
    #expect(lane.step(now: 0, oldest: nil) == .rest)
  }

  @Test("whatever happens, no message is forgotten, doubled or out of order")
  func conservation() throws {
    let outcomes = Generator<Int>.integer(in: 0...9).array(0...60)
    try check("a lane conserves its messages", runs: 500, outcomes) { choices in
      var lane = lane()
      var queue = Array(UInt64(1)...40)
      var now: Int64 = 0
      lane.trigger(upTo: 40)
      for choice in choices {
        switch lane.step(now: now, oldest: queue.first) {
        case .busy: return false
        case .rest:
          guard let last = queue.last else { return true }
          lane.trigger(upTo: last)
          continue
        case .wait(let until):
          guard until > now else { return false }
          now = until
          continue
        case .resend(let list): lane.start(list)
        case .send(let limit):
          // A new batch comes only after all kept ones.
          guard lane.kept.isEmpty else { return false }
          lane.start(Array(queue.filter { $0 <= limit }.prefix(20)))
        }
        guard case .inFlight(let list) = lane.state, list == Array(queue.prefix(list.count)) else {
          return false
        }
        let decision = lane.end(Self.outcome(choice), now: now, random: UInt64(choice))
        if case .remove(let gone) = decision { queue.removeAll { gone.contains($0) } }
        let named = lane.kept.flatMap { $0 }
        guard named == Array(queue.prefix(named.count)) else { return false }
      }
      return true
    }
  }

  private static func outcome(_ choice: Int) -> RequestOutcome {
    switch choice {
    case 0...2: return .accepted
    case 3: return .refused
    case 4, 5: return .tooLarge
    case 6: return .rateLimited(retryAfter: nil)
    case 7: return .rateLimited(retryAfter: 5 * second)
    case 8: return .kept(retryAfter: 90 * second)
    default: return .kept(retryAfter: nil)
    }
  }
}
