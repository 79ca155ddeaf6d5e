import FuzzHistory
import Testing

@testable import Fuzz

/// Who sends a batch, in words.
@Suite struct SenderWordsTests {
  private func batch(
    _ messages: [(visitor: String, session: String, consent: Bool)],
    sentAt: String = "2026-05-28T20:00:00.000Z"
  ) throws -> JSONValue {
    let texts = messages.map {
      #"{"anonymousId":"\#($0.visitor)","context":{"consent":{"analytics":\#($0.consent)},"#
        + #""session":{"id":"\#($0.session)"}}}"#
    }
    let body = #"{"batch":[\#(texts.joined(separator: ","))],"sentAt":"\#(sentAt)"}"#
    return try JSONValue.parse(Array(body.utf8)[...])
  }

  @Test func visitorsAndSessionsAreCountedAsTheyAreMet() throws {
    var words = SenderWords()
    let clock = "2026-05-28 20:00:00.000"
    let first = try batch([("a", "s", true), ("a", "t", true)])
    #expect(words.text(first, clock: clock) == ", visitor 1, sessions 1 and 2")
    let second = try batch([("b", "u", false)])
    #expect(words.text(second, clock: clock) == ", visitor 2, session 3, without consent")
    let third = try batch([("b", "u", false), ("a", "t", true)])
    #expect(
      words.text(third, clock: clock)
        == ", visitors 1 and 2, sessions 2 and 3, in part without consent")
  }

  @Test func aClockThatWasSetIsTold() throws {
    var words = SenderWords()
    let text = words.text(
      try batch([("a", "s", true)], sentAt: "1970-01-01T00:02:50.110Z"),
      clock: "2026-05-28 20:00:00.000")
    #expect(text.hasSuffix(", sent on 1970-01-01 by the clock that the process began with"))
  }

  @Test func whatIsNoBatchTellsNothing() throws {
    var words = SenderWords()
    let body = try JSONValue.parse(Array("{}".utf8)[...])
    #expect(words.text(body, clock: "") == "")
  }
}
