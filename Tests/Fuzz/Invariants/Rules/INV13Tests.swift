import FuzzHistory
import FuzzInvariants
import SimKernel
import Testing

@Suite("INV-13 A request starts at its trigger")
struct INV13Tests {
  private func start(flushAt: Int = 20) -> WireHistory {
    let builder = WireHistory()
    builder.launch()
    var options = HostOptions()
    options.consent = .implied
    options.flushAt = flushAt
    builder.load(options)
    return builder
  }

  private func track(_ builder: WireHistory, _ id: String) {
    builder.call(.track(event: "Tap", properties: [], messageId: id), value: id)
  }

  private func signatures(_ builder: WireHistory) -> [String] {
    Judge.judge(builder.history).findings.filter { $0.invariant == "INV-13" }.map(\.signature)
  }

  @Test("a flush that is followed by its request is healthy")
  func healthy() {
    let builder = start()
    track(builder, "a")
    builder.call(.flush)
    builder.wait(.milliseconds(20))
    builder.exchange(["a"], 200)
    builder.calm()
    #expect(signatures(builder) == [])
    #expect(Judge.judge(builder.history).antecedents["INV-13", default: 0] > 0)
  }

  @Test("a flush that nothing follows is found")
  func flushWithoutRequest() {
    let builder = start()
    track(builder, "a")
    builder.call(.flush)
    builder.wait(.seconds(20))
    builder.calm()
    #expect(signatures(builder).first == "INV-13 no request starts after a flush")
  }

  @Test("a message that waits longer than its interval is found")
  func lateInterval() {
    let builder = start()
    track(builder, "a")
    builder.wait(.seconds(45))
    builder.exchange(["a"], 200)
    builder.calm()
    #expect(signatures(builder).first == "INV-13 no request starts after the interval")
  }

  @Test("a full count that nothing follows is found")
  func lateCount() {
    let builder = start(flushAt: 2)
    track(builder, "a")
    track(builder, "b")
    builder.wait(.seconds(12))
    builder.exchange(["a", "b"], 200)
    builder.calm()
    #expect(signatures(builder) == ["INV-13 no request starts after the count"])
  }

  @Test("the twentieth message in the queue is a trigger, the nineteenth is none")
  func countOfTwenty() {
    func run(_ count: Int, _ gap: TimeSpan) -> WireHistory {
      let builder = start()
      builder.wait(.seconds(5))
      let ids = (0..<count).map { "m\($0)" }
      for id in ids { track(builder, id) }
      builder.wait(gap)
      builder.exchange(ids, 200)
      builder.calm()
      return builder
    }
    #expect(signatures(run(20, .milliseconds(5))) == [])
    #expect(signatures(run(20, .seconds(12))) == ["INV-13 no request starts after the count"])
    #expect(signatures(run(19, .seconds(12))) == ["INV-13 a request starts before any trigger"])
    #expect(signatures(run(19, .seconds(30))) == [])
  }

  @Test("a count that completes behind a request in flight is sent once that has ended")
  func countBehindRequest() {
    func run(_ gap: TimeSpan) -> WireHistory {
      let builder = start(flushAt: 2)
      track(builder, "a")
      track(builder, "b")
      let first = builder.batch(["a", "b"])
      builder.wait(.milliseconds(20))
      track(builder, "c")
      builder.wait(.milliseconds(20))
      track(builder, "d")
      builder.answer(first, 200)
      builder.wait(gap)
      builder.exchange(["c", "d"], 200)
      builder.calm()
      return builder
    }
    #expect(signatures(run(.milliseconds(5))) == [])
    #expect(signatures(run(.seconds(9))) == ["INV-13 no request starts after the count"])
  }

  @Test("a stored queue that reaches the count is sent at the start, one at a trigger otherwise")
  func storedQueue() {
    func run(flushAt: Int, _ gap: TimeSpan, flushes: Bool = false) -> WireHistory {
      let builder = start(flushAt: flushAt)
      builder.makeFolder()
      for (sequence, id) in [(UInt64(1), "a"), (2, "b")] {
        track(builder, id)
        builder.disk(
          .append, WireHistory.journal,
          bytes: JournalBytes.message(sequence: sequence, id: id, time: builder.milliseconds))
      }
      builder.end()
      builder.launch()
      var options = HostOptions()
      options.consent = .implied
      options.flushAt = flushAt
      builder.load(options)
      if flushes { builder.call(.flush) }
      builder.wait(gap)
      builder.exchange(["a", "b"], 200)
      builder.calm()
      return builder
    }
    #expect(signatures(run(flushAt: 2, .milliseconds(5))) == [])
    #expect(
      signatures(run(flushAt: 2, .seconds(9))) == ["INV-13 no request starts after the count"])
    #expect(signatures(run(flushAt: 3, .seconds(9))) == [])
    #expect(
      signatures(run(flushAt: 3, .seconds(9), flushes: true))
        == ["INV-13 no request starts after a flush"])
  }

  @Test("a way to the background sends, under a task begun for it")
  func background() {
    func run(task: Bool, _ gap: TimeSpan) -> WireHistory {
      let builder = start()
      track(builder, "a")
      builder.wait(.seconds(3))
      builder.leave()
      if task { builder.add(.backgroundTaskBegan(task: 0)) }
      builder.wait(gap)
      builder.exchange(["a"], 200)
      if task { builder.add(.backgroundTaskEnded(task: 0)) }
      builder.calm()
      return builder
    }
    #expect(signatures(run(task: true, .milliseconds(5))) == [])
    #expect(
      signatures(run(task: false, .milliseconds(5)))
        == ["INV-13 a send at background entry has no background task"])
    #expect(
      signatures(run(task: true, .seconds(3))) == ["INV-13 no request starts after the background"])
  }

  @Test("a request without any trigger is found")
  func early() {
    let builder = start()
    builder.wait(.seconds(5))
    track(builder, "a")
    builder.wait(.seconds(3))
    builder.exchange(["a"], 200)
    builder.calm()
    #expect(signatures(builder) == ["INV-13 a request starts before any trigger"])
  }

  @Test("a refusal ends the pass: the rest waits for a trigger of its own, an interval at most")
  func refusal() {
    func run(_ gap: TimeSpan) -> WireHistory {
      let builder = start()
      track(builder, "a")
      builder.wait(.milliseconds(20))
      builder.call(.flush)
      let first = builder.batch(["a"])
      track(builder, "b")
      builder.answer(first, 400)
      builder.wait(gap)
      builder.exchange(["b"], 200)
      builder.calm()
      return builder
    }
    #expect(signatures(run(.seconds(30))) == [])
    #expect(signatures(run(.seconds(33))) == ["INV-13 no request starts after the interval"])
  }

  @Test("whether what a refusal leaves counts towards the next count is open (A-11)")
  func countAfterRefusal() {
    func run(countsLeft: Bool) -> WireHistory {
      let builder = start(flushAt: 3)
      for id in ["a", "b", "c"] { track(builder, id) }
      builder.wait(.milliseconds(5))
      let first = builder.batch(["a", "b", "c"])
      for id in ["d", "e"] { track(builder, id) }
      builder.answer(first, 403)
      builder.wait(.seconds(1))
      track(builder, "f")
      if countsLeft { builder.exchange(["d", "e", "f"], 200) }
      for id in ["g", "h"] {
        builder.wait(.seconds(1))
        track(builder, id)
      }
      if !countsLeft { builder.exchange(["d", "e", "f"], 200) }
      builder.wait(.seconds(countsLeft ? 29 : 1))
      builder.exchange(["g", "h"], 200)
      builder.calm()
      return builder
    }
    #expect(signatures(run(countsLeft: true)) == [])
    #expect(signatures(run(countsLeft: false)) == [])
  }

  @Test("after a refusal nothing follows at once, after a single 413 it does (B26)")
  func afterRefusal() {
    func run(_ status: UInt16) -> WireHistory {
      let builder = start()
      for id in ["a", "b"] { track(builder, id) }
      builder.wait(.milliseconds(5))
      builder.call(.flush)
      builder.exchange(["a"], status)
      builder.exchange(["b"], 200)
      builder.calm()
      return builder
    }
    #expect(signatures(run(400)) == ["INV-13 a request starts before any trigger"])
    #expect(signatures(run(403)) == ["INV-13 a request starts before any trigger"])
    #expect(signatures(run(413)) == [])
    #expect(signatures(run(200)) == [])
  }

  @Test("a file that cannot be read holds up only its own messages (B07)")
  func unreadableHead() {
    func run(others: Bool) -> WireHistory {
      let builder = start()
      builder.makeFolder()
      track(builder, "a")
      builder.disk(
        .append, WireHistory.journal,
        bytes: JournalBytes.message(sequence: 1, id: "a", time: WireHistory.epoch))
      builder.wait(.seconds(3))
      builder.disk(.read, WireHistory.journal, outcome: .notPermitted)
      if others { track(builder, "b") }
      builder.wait(.minutes(5))
      builder.calm()
      return builder
    }
    #expect(signatures(run(others: false)) == [])
    #expect(signatures(run(others: true)) == ["INV-13 no request starts after the interval"])
  }
}
