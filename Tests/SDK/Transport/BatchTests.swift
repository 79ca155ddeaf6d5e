import Testing

@testable import SDK

@Suite("Batches and their answers")
struct BatchTests {
  @Test("an empty body or an object is an acceptance (A-11)")
  func accepted() {
    #expect(BatchAnswer.parse([]) == BatchAnswer())
    #expect(BatchAnswer.parse(Array("{}".utf8)) == BatchAnswer())
    #expect(BatchAnswer.parse(Array(" { \"rejected\": 7, \"x\": [] }\n".utf8)) == BatchAnswer())
  }

  @Test("what the collector lists is read")
  func listed() {
    let body =
      #"{"rejected":[{"messageId":"a","reason":"r"},{"reason":"x"},3],"warnings":["w",{}]}"#
    #expect(
      BatchAnswer.parse(Array(body.utf8)) == BatchAnswer(rejected: ["a"], warningCount: 2))
  }

  @Test(
    "anything else is not the collector's",
    arguments: ["<html></html>", "[]", "null", "ok", "{", "{}}", "\"\"", " ", "{\"rejected\":[}"])
  func notTheCollectors(_ body: String) {
    #expect(BatchAnswer.parse(Array(body.utf8)) == nil)
  }

  private func message(_ json: String, traits: String = "", gap: UInt32 = MessageRecord.noGap)
    -> QueuedMessage
  {
    let stamp = Stamp(time: 0, boot: 0, uptime: 0)
    return QueuedMessage(
      record: MessageRecord(
        type: .group, flags: [], sequence: 1, identifierHash: 0, anchor: 0, stamp: stamp,
        traitsGap: gap, advertisingIdGap: MessageRecord.noGap),
      bytes: Array(json.utf8), byteCount: json.utf8.count, traits: Array(traits.utf8),
      aging: stamp, queuedAt: 0, place: nil)
  }

  @Test("a body holds its messages with the gaps filled")
  func body() {
    let messages = [message(#"{"a":1}"#), message(#"{"b":2,"z":3}"#, traits: #""t":{},"#, gap: 7)]
    let bytes = BatchBody.write(messages, sentAt: 1_767_225_600_007)
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"{"batch":[{"a":1},{"b":2,"t":{},"z":3}],"sentAt":"2026-01-01T00:00:00.007Z"}"#)
    let parts = messages.reduce(0) { $0 + $1.sentByteCount }
    #expect(bytes.count == BatchBody.envelopeByteCount + parts + 1)
  }

  @Test("a gap of a damaged record is left alone")
  func wildGap() {
    let bytes = BatchBody.write([message("{}", traits: "t", gap: 900)], sentAt: 0)
    #expect(String(decoding: bytes, as: UTF8.self).hasPrefix(#"{"batch":[{}],"#))
  }
}
