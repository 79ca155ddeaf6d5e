import FuzzProperty
import Testing

@testable import SDK

@Suite("The stored session")
struct SessionRecordTests {
  private static let id = "01234567-89ab-4def-bedc-ba9876543210"
  private let record = SessionRecord(id: id, isFlagged: true, lastActivity: 1_790_000_000_123)

  @Test("its bytes are those of the document")
  func bytes() {
    #expect(
      String(decoding: record.encode(), as: UTF8.self)
        == #"{"flagged":true,"id":"01234567-89ab-4def-bedc-ba9876543210","#
        + #""lastActivity":1790000000123,"version":1}"#)
  }

  @Test("records come back")
  func roundTrip() throws {
    try check("same record", runs: 500, zip(.bool, Generator<Int64>.anyInteger)) {
      let record = SessionRecord(id: Self.id, isFlagged: $0, lastActivity: $1)
      return SessionRecord.parse(record.encode()) == record
    }
  }

  @Test(
    "damaged, odd and newer records are none (S-35, S-38)",
    arguments: [
      "", "{}", "{\"flagged\":true}",
      #"{"flagged":1,"id":"01234567-89ab-4def-bedc-ba9876543210","lastActivity":1,"version":1}"#,
      #"{"flagged":true,"id":"x","lastActivity":1,"version":1}"#,
      #"{"flagged":true,"id":"01234567-89ab-4def-bedc-ba9876543210","lastActivity":0.5,"#
        + #""version":1}"#,
      #"{"flagged":true,"id":"01234567-89ab-4def-bedc-ba9876543210","lastActivity":1,"version":2}"#,
      #"{"flagged":true,"id":"01234567-89ab-4def-bedc-ba9876543210","lastActivity":1}"#,
    ])
  func damaged(text: String) { #expect(SessionRecord.parse(Array(text.utf8)) == nil) }

  @Test("every cut of a record is none")
  func cut() {
    let bytes = record.encode()
    for count in 0..<bytes.count { #expect(SessionRecord.parse(Array(bytes[..<count])) == nil) }
  }

  @Test("a message is told to be of a session by its context alone")
  func message() {
    func message(_ session: String, _ properties: String) -> [UInt8] {
      Array(
        (#"{"anonymousId":"a","context":{"app":{"name":"\"session\":{\"id\":\""},"#
          + #""session":{"id":"\#(session)","start":true}},"properties":\#(properties)}"#).utf8)
    }
    let other = "11234567-89ab-4def-bedc-ba9876543210"
    #expect(MessageBytes.isOf(session: Self.id, message(Self.id, "{}")))
    #expect(!MessageBytes.isOf(session: Self.id, message(other, "{}")))
    #expect(
      !MessageBytes.isOf(session: Self.id, message(other, #"{"session":{"id":"\#(Self.id)"}}"#)))
    #expect(!MessageBytes.isOf(session: Self.id, []))
  }
}
