import Foundation
import Testing

@testable import SDK

@Suite("Messages, byte for byte")
struct MessageTests {
  private let fixed = ManualPlatform().fixed()
  private let context =
    #""app":{"build":"140","name":"Kiosk","namespace":"com.example.kiosk","version":"1.4.0"},"#
    + #""consent":{"analytics":true,"marketing":false,"mode":"implied"},"#
    + #""device":{"manufacturer":"Apple","model":"iPhone15,2","type":"phone"},"#
    + #""library":{"name":"postlip-metrics-swift","version":"0.1.0"},"locale":"tr-TR","#
    + #""network":{"cellular":false,"wifi":true},"os":{"name":"iOS","version":"17.5.1"},"#
    + #""screen":{"height":852,"width":393},"session":{"id":"s-1"}"#

  private func circumstances(_ userId: String? = nil) -> Circumstances {
    Circumstances(
      generation: 1, sessionNumber: 1, sessionId: "s-1", anonymousId: "a-1", userId: userId,
      mode: .implied, analytics: true, marketing: false)
  }

  private func message(
    _ type: MessageType, name: String, payload: String = "", userId: String? = nil,
    previousId: String? = nil
  ) -> SealedMessage {
    var call = Call(.message(type), ordinal: 1, messageId: "m\"1", name: name)
    call.payload = Array(payload.utf8)
    call.current = CurrentContext(
      locale: "tr-TR", timeZone: "Europe/Istanbul", network: .wifi, screenWidth: 393,
      screenHeight: 852)
    return SealedMessage(
      call: call, type: type, sequence: 1, time: 1_767_225_600_007, userId: userId,
      previousId: previousId, circumstances: circumstances(userId), isFromForeground: true)
  }

  private func encode(_ message: SealedMessage, isTest: Bool = false, starts: Bool = false)
    -> (json: String, sent: String, hasGap: Bool)
  {
    var encoder = MessageEncoder(fixed, isTest: isTest)
    let encoded = encoder.encode(message, startsSession: starts)
    let gap = Int(encoded.traitsGap)
    var sent = encoded.bytes
    if encoded.traitsGap != MessageRecord.noGap { sent.insert(contentsOf: encoded.traits, at: gap) }
    return (
      String(decoding: encoded.bytes, as: UTF8.self), String(decoding: sent, as: UTF8.self),
      encoded.traitsGap != MessageRecord.noGap
    )
  }

  private var head: String {
    #"{"anonymousId":"a-1","context":{"# + context + #","timezone":"Europe/Istanbul"},"#
  }
  private let time = #""timestamp":"2026-01-01T00:00:00.007Z","#

  @Test("track")
  func track() {
    #expect(
      encode(message(.track, name: "Bought \"it\"", payload: #"{"n":1}"#, userId: "u")).sent
        == head + #""event":"Bought \"it\"","messageId":"m\"1","properties":{"n":1},"# + time
        + #""type":"track","userId":"u"}"#)
  }

  @Test("screen")
  func screen() {
    #expect(
      encode(message(.screen, name: "Home", payload: #"{"path":"/Home"}"#)).sent
        == head + #""messageId":"m\"1","name":"Home","properties":{"path":"/Home"},"# + time
        + #""type":"screen"}"#)
  }

  @Test("identify, with the gap of its traits empty on disk and filled on the wire")
  func identify() {
    let encoded = encode(message(.identify, name: "u", payload: #"{"email":"x"}"#, userId: "u"))
    #expect(
      encoded.json == head + #""messageId":"m\"1","# + time + #""type":"identify","userId":"u"}"#)
    #expect(
      encoded.sent
        == head + #""messageId":"m\"1","# + time
        + #""traits":{"email":"x"},"type":"identify","userId":"u"}"#)
    #expect(encoded.hasGap)
    #expect(!encode(message(.identify, name: "u", userId: "u")).hasGap)
  }

  @Test("group")
  func group() {
    #expect(
      encode(message(.group, name: "g", payload: "{}")).sent
        == head + #""groupId":"g","messageId":"m\"1","# + time + #""traits":{},"type":"group"}"#)
  }

  @Test("alias")
  func alias() {
    #expect(
      encode(message(.alias, name: "new", userId: "new", previousId: "old")).sent
        == head + #""messageId":"m\"1","previousId":"old","# + time
        + #""type":"alias","userId":"new"}"#)
  }

  @Test("the start flag and the test flag appear only when true")
  func flags() {
    let plain = encode(message(.track, name: "e", payload: "{}")).sent
    #expect(!plain.contains("start") && !plain.contains("\"test\""))
    let both = encode(message(.track, name: "e", payload: "{}"), isTest: true, starts: true).sent
    #expect(both.contains(#""session":{"id":"s-1","start":true},"test":true,"timezone""#))
  }

  @Test(
    "the network is named by both keys or not at all (S-101)",
    arguments: [
      (NetworkKind.none, #""network":{},"#),
      (.wifi, #""network":{"cellular":false,"wifi":true},"#),
      (.cellular, #""network":{"cellular":true,"wifi":false},"#),
    ])
  func network(_ kind: NetworkKind, _ expected: String) {
    var sealed = message(.track, name: "e", payload: "{}")
    sealed.call.current.network = kind
    #expect(encode(sealed).sent.contains(expected))
  }

  @Test("kept bytes follow what changes between two messages")
  func keptBytes() {
    var encoder = MessageEncoder(fixed, isTest: false)
    var sealed = message(.track, name: "e", payload: "{}")
    let first = encoder.encode(sealed, startsSession: false).bytes
    sealed.call.current = CurrentContext(
      locale: "d\"e", timeZone: "", network: .wifi, screenWidth: 393, screenHeight: 852)
    sealed.circumstances = sealed.circumstances.reset(anonymousId: "a-2", sessionId: "s-2")
    let second = String(
      decoding: encoder.encode(sealed, startsSession: false).bytes, as: UTF8.self)
    #expect(second.contains(#"{"anonymousId":"a-2""#))
    #expect(second.contains(#""locale":"d\"e""#))
    #expect(second.contains(#""timezone":"""#))
    #expect(second.contains(#""session":{"id":"s-2"}"#))
    sealed = message(.track, name: "e", payload: "{}")
    #expect(encoder.encode(sealed, startsSession: false).bytes == first)
  }

  @Test("the id is found again in the bytes, whatever stands before it")
  func identifierInBytes() {
    for name in ["e", #""messageId":"x""#, #"\"messageId\":\"x"#] {
      var encoder = MessageEncoder(fixed, isTest: false)
      var sealed = message(.track, name: name, payload: #"{"messageId":"y"}"#)
      for id in ["m\"1", "a", "\\", "\\\"", "~!"] {
        sealed.call.messageId = id
        let bytes = encoder.encode(sealed, startsSession: true).bytes
        #expect(MessageBytes.messageIdentifier(bytes) == id)
        #expect((try? JSONSerialization.jsonObject(with: Data(bytes))) != nil)
      }
    }
    #expect(MessageBytes.messageIdentifier([]) == nil)
    #expect(MessageBytes.messageIdentifier(Array(#"{"messageId":"open"#.utf8)) == nil)
  }
}
