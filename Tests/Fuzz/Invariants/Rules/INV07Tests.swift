import FuzzHistory
import FuzzInvariants
import SimKernel
import Testing

@Suite("INV-07 What is settled is not sent again")
struct INV07Tests {
  private func start() -> WireHistory {
    let builder = WireHistory()
    builder.launch()
    builder.load()
    return builder
  }

  @Test("accepted and refused batches are followed by others")
  func healthy() {
    let builder = start()
    builder.exchange(["a", "b"], 200, body: "{}")
    builder.exchange(["c"], 400)
    builder.exchange(["d"], 403)
    builder.exchange(["e"], 413)
    builder.exchange(["f"], 204)
    builder.exchange(["g"], 200)
    expectHealthy(builder, antecedent: "INV-07")
  }

  @Test(
    "an acceptance that did not stop the resend is found",
    arguments: [
      (200 as UInt16, "", "accepted"), (200, "{\"rejected\":[{\"messageId\":\"a\"}]}", "accepted"),
      (202, "", "accepted"), (400, "", "refused for good"), (403, "x", "refused for good"),
    ])
  func again(status: UInt16, body: String, word: String) {
    let builder = start()
    builder.exchange(["a", "b"], status, body: body)
    builder.exchange(["c", "a"], 200)
    expectFinding(
      "INV-07 a message that was \(word) is sent again by the same process",
      at: builder.history.records.lastIndex { $0.fact.kind == .requestStarted }!, builder)
  }

  @Test("a single message answered 413 is gone, a batch is split")
  func tooLarge() {
    let builder = start()
    builder.exchange(["a", "b"], 413)
    builder.exchange(["a"], 413)
    builder.exchange(["b"], 200)
    expectHealthy(builder, antecedent: "INV-07")
    builder.exchange(["a"], 200)
    expectFinding(
      "INV-07 a message that was refused for good is sent again by the same process",
      at: builder.history.records.lastIndex { $0.fact.kind == .requestStarted }!, builder)
  }

  @Test(
    "an answer that says nothing final allows the resend",
    arguments: [
      200 as UInt16, 401, 404, 408, 500, 302,
    ])
  func notFinal(status: UInt16) {
    let builder = start()
    builder.exchange(["a"], status, body: "<html>")
    builder.wait(.seconds(10))
    builder.exchange(["a"], 200)
    #expect(judgeWire(builder).findings.isEmpty)
  }

  @Test("a second call with the same id is another message")
  func secondCall() {
    let builder = start()
    builder.exchange(["a"], 200)
    builder.wait(.seconds(5))
    builder.answer(builder.batch(messages: [builder.message("a", at: builder.milliseconds)]), 200)
    expectHealthy(builder, antecedent: "INV-07")
  }

  /// One stored message is delivered, then the process dies.
  private func relaunched(withRemoval: Bool, isDenied: Bool = false) -> WireHistory {
    let builder = start()
    builder.makeFolder()
    builder.disk(
      .append, WireHistory.journal,
      bytes: JournalBytes.message(sequence: 1, id: "a", time: WireHistory.epoch))
    builder.exchange(["a"], 200)
    if withRemoval {
      builder.disk(.append, WireHistory.journal, bytes: JournalBytes.removal([1]))
    }
    builder.end()
    builder.launch()
    if isDenied { builder.disk(.read, WireHistory.journal, outcome: .notPermitted) }
    builder.load()
    builder.exchange(["a"], 200)
    return builder
  }

  @Test("a removal that never reached the file allows the resend by a later process")
  func lostRemoval() {
    expectHealthy(relaunched(withRemoval: false), antecedent: "INV-07")
  }

  /// Two stored messages, of which the first is delivered and not taken off the disk.
  private func unsaved(
    end cause: EndCause = .memoryKill, afterEnd: (WireHistory) -> Void = { _ in },
    _ next: (WireHistory) -> Void
  ) -> WireHistory {
    let builder = start()
    builder.makeFolder()
    for (sequence, id) in [(1 as UInt64, "a"), (2, "b")] {
      builder.disk(
        .append, WireHistory.journal,
        bytes: JournalBytes.message(sequence: sequence, id: id, time: WireHistory.epoch))
    }
    builder.exchange(["a"], 200)
    next(builder)
    builder.end(cause)
    afterEnd(builder)
    builder.launch()
    builder.load()
    builder.exchange(["a"], 200)
    return builder
  }

  private static let late = "INV-07 a message that was accepted is sent again by a later process"

  private func lastStart(_ builder: WireHistory) -> Int {
    builder.history.records.lastIndex { $0.fact.kind == .requestStarted }!
  }

  @Test("a removal is written before the next batch goes (B29)")
  func unsavedBeforeNext() {
    let builder = unsaved { _ = $0.batch(["b"]) }
    expectFinding(Self.late, at: lastStart(builder), builder)
  }

  @Test("a removal is written within a second", arguments: [(900 as Int64, false), (1_300, true)])
  func unsavedForLong(milliseconds: Int64, isFound: Bool) {
    let builder = unsaved { $0.wait(.milliseconds(milliseconds)) }
    if isFound {
      expectFinding(Self.late, at: lastStart(builder), builder)
    } else {
      expectHealthy(builder, antecedent: "INV-07")
    }
  }

  @Test(
    "a disk that failed gives the time of a barrier",
    arguments: [(4 as Int64, false), (12, true)])
  func unsavedByFault(seconds: Int64, isFound: Bool) {
    let builder = unsaved {
      $0.disk(.append, WireHistory.journal, outcome: .noSpace)
      _ = $0.batch(["b"])
      $0.wait(.seconds(seconds))
    }
    if isFound {
      expectFinding(Self.late, at: lastStart(builder), builder)
    } else {
      expectHealthy(builder, antecedent: "INV-07")
    }
  }

  @Test("damage and a power loss may have taken the removal", arguments: [true, false])
  func unsavedByWorld(isDamage: Bool) {
    func damage(_ builder: WireHistory) {
      let path = builder.history.store(WireHistory.folder + WireHistory.journal)
      let content =
        JournalBytes.head + JournalBytes.message(sequence: 1, id: "a", time: WireHistory.epoch)
      builder.add(.fileDamaged(path: path, .truncated), process: -1)
      builder.add(.fileContent(path: path, bytes: builder.history.store(content)), process: -1)
    }
    let builder = unsaved(
      end: isDamage ? .memoryKill : .powerLoss,
      afterEnd: { if isDamage { damage($0) } else { $0.add(.powerLost, process: -1) } },
      { _ = $0.batch(["b"]) })
    expectHealthy(builder, antecedent: "INV-07")
  }

  @Test("a removal in a file that cannot be read is not known")
  func unreadRemoval() {
    expectHealthy(relaunched(withRemoval: true, isDenied: true), antecedent: "INV-07")
  }

  @Test("a removal that stands in the journal binds later processes")
  func durableRemoval() {
    let builder = relaunched(withRemoval: true)
    expectFinding(
      "INV-07 a message that was accepted is sent again by a later process",
      at: builder.history.records.lastIndex { $0.fact.kind == .requestStarted }!, builder)
  }
}
