import FuzzHistory
import FuzzInvariants
import FuzzScenario
import SimKernel
import Testing

@testable import Fuzz

/// Expectations over a history written by hand: two requests, the second with a message that was
/// there before and one that the collector refuses.
@Suite struct ExpectationTests {
  private let history: History = {
    let history = History(header: HistoryHeader())
    func exchange(_ number: UInt32, _ body: String, status: UInt16, answer: String = "{}") {
      let now = Instant(nanoseconds: Int64(number) * 1_000)
      history.append(
        .requestStarted(
          exchange: number, host: .collector, attempt: 1, isPost: true,
          url: history.store("https://e.example/v1/batch"), headers: .empty,
          body: history.store(body), idleTimeoutMilliseconds: 20_000,
          totalTimeoutMilliseconds: 120_000, wall: 0, continuous: 0), at: now, process: 0)
      history.append(.requestArrived(exchange: number, copy: 0), at: now, process: -1)
      history.append(
        .answered(
          exchange: number, copy: 0, status: status, headers: .empty,
          body: history.store(answer)), at: now, process: -1)
    }
    exchange(
      0,
      #"{"batch":[{"messageId":"a","event":"one","at":{"home":1}},"#
        + #"{"messageId":"b","name":"two"}]}"#,
      status: 200)
    exchange(
      1, #"{"batch":[{"messageId":"b","name":"two"},{"messageId":"c","event":"three"}]}"#,
      status: 200, answer: #"{"rejected":[{"messageId":"c"}]}"#)
    exchange(2, #"{"batch":[{"messageId":"d","event":"four"}]}"#, status: 500)
    exchange(3, #"{"batch":[{"messageId":"e","type":"identify"}]}"#, status: 202)
    history.append(
      .disk(
        .append, outcome: .noSpace, queue: 1, step: 0, path: history.store("folder/queue/1"),
        target: .empty, offset: 0, bytes: .empty),
      at: Instant(nanoseconds: 5_000), process: 0)
    history.append(
      .disk(
        .read, outcome: .done, queue: 1, step: 1, path: history.store("folder/queue/1"),
        target: .empty, offset: 0, bytes: .empty),
      at: Instant(nanoseconds: 6_000), process: 0)
    history.append(.calmEnded(pending: .empty), at: Instant(nanoseconds: 9_000), process: -1)
    return history
  }()

  private func misses(_ expectations: FuzzScenario.Expectation...) -> [Finding] {
    var scenario = Scenario()
    scenario.expect = expectations
    var judgement = Judgement()
    judgement.messages.dropped["refused"] = 2
    return ExpectationCheck.findings(of: scenario, history: history, judgement: judgement)
  }

  @Test func whatHappenedIsNoFinding() {
    #expect(
      misses(
        .stored(.named("one"), times: 1), .stored(.named("two"), times: 1),
        .stored(.named("three"), times: 0), .stored(.named("identify"), times: 1),
        .stored(.all, times: 3), .stored(.all, times: 0, by: TimeSpan(nanoseconds: -1)),
        .stored(.containing("identify"), times: 1), .lost(reason: "refused", times: 2),
        .lost(reason: "expired", times: 0),
        .requests(.collector, .init(atLeast: 4, atMost: 4)),
        .attempts(.collector, .init(atLeast: 4)),
        .requests(.collector, .init(atMost: 0, from: .seconds(1))),
        .distinct(member: "messageId", .all, values: 3),
        .distinct(member: "at.home", .all, values: 2),
        .distinct(member: "at.home", .named("two"), values: 1),
        .diskChanges(containing: "queue", .init(atLeast: 1, atMost: 1)),
        .diskChanges(containing: "queue", .init(atMost: 0, from: .seconds(1))),
        .diskChanges(containing: "other", .init(atMost: 0)),
        .requests(.config, .init(atMost: 0)), .order(names: ["one", "two"]),
        .order(names: ["one", "identify"]), .quiet
      ).isEmpty)
  }

  @Test(arguments: [
    FuzzScenario.Expectation.stored(.named("one"), times: 2), .stored(.named("four"), times: 1),
    .stored(.all, times: 4), .stored(.containing("four"), times: 1),
    .stored(.all, times: 3, by: TimeSpan(nanoseconds: -1)), .lost(reason: "refused", times: 1),
    .requests(.collector, .init(atLeast: 5, atMost: 9)), .requests(.collector, .init(atMost: 3)),
    .attempts(.collector, .init(atLeast: 5)), .attempts(.config, .init(atLeast: 1)),
    .requests(.collector, .init(atLeast: 1, from: .seconds(1))),
    .distinct(member: "messageId", .all, values: 1), .distinct(member: "name", .all, values: 3),
    .diskChanges(containing: "queue", .init(atMost: 0)),
    .diskChanges(containing: "folder", .init(atLeast: 2)),
    .order(names: ["two", "one"]), .order(names: ["one", "two", "three"]),
  ])
  func whatDidNotHappenIs(expectation: FuzzScenario.Expectation) throws {
    let finding = try #require(misses(expectation).first)
    #expect(finding.invariant == "EXPECT")
    #expect(finding.instant == Instant(nanoseconds: 9_000))
    #expect(finding.signature.hasPrefix("EXPECT: "))
  }

  @Test func aRunThatIsNotQuietIsToldWhatIsPending() throws {
    let pending = history.store("2 messages")
    history.append(.calmEnded(pending: pending), at: Instant(nanoseconds: 9_001), process: -1)
    let finding = try #require(misses(.quiet).first)
    #expect(finding.message.contains("2 messages"))
  }

  /// Signatures name the cause, not the counts, so that shrinking may change them.
  @Test func countsAreNotPartOfASignature() {
    let two = misses(.stored(.named("one"), times: 2)).map(\.signature)
    let three = misses(.stored(.named("one"), times: 3)).map(\.signature)
    #expect(two == three)
  }
}
