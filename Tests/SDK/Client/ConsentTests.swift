import Foundation
import Testing

@testable import SDK

@Suite("Consent and what is stored")
struct ConsentTests {
  @Test("without analytics nothing is stored, and each process is a new visitor (CON-04, CON-05)")
  func memoryOnly() {
    let machine = ManualPlatform()
    var visitors: Set<String> = []
    for _ in 0..<3 {
      let client = machine.start(.init(consent: .required))
      client.track("a")
      client.identify("u")
      client.consent(marketing: true)
      machine.post(.didEnterBackground)
      machine.advance(seconds: 60)
      visitors.insert(client.getAnonymousId() ?? "")
      machine.endProcess()
    }
    #expect(visitors.count == 3)
    #expect(machine.storedFiles.isEmpty)
    #expect(
      machine.storedDecision == #"{"decision":{"marketing":true},"opened":false,"version":1}"#)
  }

  @Test("with analytics visitor, user and queue survive (B13)")
  func stored() {
    let machine = ManualPlatform()
    var visitors: Set<String> = []
    for launch in 0..<20 {
      let client = machine.start(.init(consent: .notRequired))
      if launch == 0 { client.identify("u") }
      #expect(client.getContext()?.userId == "u")
      visitors.insert(client.getAnonymousId() ?? "")
      client.track("a\(launch)")
      machine.advance(seconds: 1)
      machine.endProcess()
    }
    #expect(visitors.count == 1)
    machine.responder = { _ in .success(.status(200)) }
    _ = machine.start(.init(consent: .notRequired))
    machine.advance(seconds: 60)
    // At the end of each launch with 20 messages a batch was on its way.
    var distinct: [String] = []
    for name in machine.names(machine.sentMessages) where !distinct.contains(name) {
      distinct.append(name)
    }
    #expect(distinct == ["identify"] + (0..<20).map { "a\($0)" })
    #expect(machine.storedFiles == ["install.json", "session.json"])
  }

  @Test("a grant stores what waits in memory and keeps the visitor (S-31, CON-15)")
  func grant() {
    let machine = ManualPlatform()
    let client = machine.start(.init(consent: .required))
    client.track("before")
    machine.run()
    let visitor = client.getAnonymousId()
    client.consent(analytics: true)
    client.track("after")
    machine.run()
    #expect(client.getAnonymousId() == visitor)
    #expect(machine.storedFiles.count == 3)
    machine.endProcess()
    machine.responder = { _ in .success(.status(200)) }
    let second = machine.start(.init(consent: .implied))
    machine.advance(seconds: 60)
    #expect(second.getAnonymousId() == visitor)
    #expect(machine.names(machine.sentMessages) == ["before", "after"])
    #expect(
      machine.sentMessages.map { machine.field($0, "context", "consent", "analytics") as? Bool }
        == [false, true])
  }

  @Test("a revoke drops what was made under consent, from memory and disk (C-16)")
  func revoke() {
    let machine = ManualPlatform()
    let client = machine.start(.init(consent: .required, debug: true))
    client.track("without")
    client.consent(analytics: true)
    client.track("with", messageId: "w")
    machine.run()
    #expect(machine.storedFiles.count == 3)
    let visitor = client.getAnonymousId()
    client.consent(analytics: false)
    client.track("later")
    machine.run()
    #expect(machine.storedFiles.isEmpty)
    #expect(client.getAnonymousId() == visitor)
    #expect(machine.has(.messageDropped(id: "w", .consentRevoked)))
    machine.responder = { _ in .success(.status(200)) }
    client.flush()
    machine.advance(seconds: 1)
    #expect(machine.sentNames == [["without", "later"]])
    #expect(machine.storedFiles.isEmpty)
  }

  @Test("what was made without consent by an earlier process stays through a revoke")
  func revokeWithStored() {
    let machine = ManualPlatform()
    let first = machine.start(.init(consent: .required))
    first.track("without")
    first.consent(analytics: true)
    first.track("with")
    machine.run()
    machine.endProcess()
    let second = machine.start(.init(consent: .implied))
    second.consent(analytics: false)
    machine.run()
    #expect(machine.storedFiles.isEmpty)
    machine.responder = { _ in .success(.status(200)) }
    second.flush()
    machine.advance(seconds: 1)
    #expect(machine.sentNames == [["without"]])
  }

  @Test("a request on its way at a revoke may end and is never tried again (S-01)")
  func revokeInFlight() {
    let machine = ManualPlatform()
    let client = machine.start()
    client.track("a")
    client.flush()
    machine.run()
    client.consent(analytics: false)
    client.track("b")
    machine.run()
    machine.answer(0, .success(.status(500)))
    machine.responder = { _ in .success(.status(200)) }
    machine.advance(seconds: 100)
    #expect(machine.sentNames == [["a"], ["b"]])
  }

  @Test("a batch that waits for a retry goes on without what was revoked")
  func revokeWaiting() {
    let machine = ManualPlatform()
    machine.answer(statuses: [500])
    let client = machine.start(.init(consent: .required))
    client.track("a")
    client.consent(analytics: true)
    client.track("b")
    client.flush()
    machine.advance(seconds: 1)
    client.consent(analytics: false)
    machine.advance(seconds: 60)
    #expect(machine.sentNames == [["a", "b"], ["a"]])
    #expect(machine.pendingJobs == 0)
  }

  @Test("revoke, then grant: new data only (S-32)")
  func revokeThenGrant() {
    let machine = ManualPlatform()
    let client = machine.start()
    client.track("old")
    client.consent(analytics: false)
    client.consent(analytics: true)
    client.track("new")
    machine.run()
    machine.endProcess()
    machine.responder = { _ in .success(.status(200)) }
    _ = machine.start()
    machine.advance(seconds: 60)
    #expect(machine.sentNames == [["new"]])
  }

  @Test("a later process without consent sends what was stored, and stores nothing")
  func storedWithoutConsent() {
    let machine = ManualPlatform()
    let first = machine.start(.init(consent: .implied))
    first.track("a")
    first.track("b")
    machine.advance(seconds: 1)
    machine.endProcess()
    machine.responder = { _ in .success(.status(200)) }
    let second = machine.start(.init(consent: .required))
    second.track("c")
    #expect(second.getAnonymousId() != first.getAnonymousId())
    second.flush()
    machine.advance(seconds: 1)
    #expect(machine.sentNames == [["a", "b"], ["c"]])
    #expect(machine.storedFiles == ["install.json", "session.json"])
  }

  @Test("traits are in no file, and a stored message goes without them (C-26, ID-06)")
  func traits() {
    let machine = ManualPlatform()
    let client = machine.start()
    client.identify(traits: ["email": "canary@example.com"])
    client.identify("u", traits: ["email": "canary@example.com"])
    client.group("g", traits: ["plan": "canary"])
    machine.run()
    for bytes in machine.storage.files.values {
      #expect(!String(decoding: bytes, as: UTF8.self).contains("canary"))
    }
    client.flush()
    machine.run()
    let first = machine.sentMessages
    #expect(first.count == 3 && first.allSatisfy { $0["traits"] != nil })
    machine.endProcess()
    machine.responder = { _ in .success(.status(200)) }
    _ = machine.start()
    machine.advance(seconds: 60)
    let again = machine.sentMessages.suffix(from: 3)
    // A guest without traits is nobody (traits_lost).
    #expect(
      again.map { $0["messageId"] as? String } == first[1...].map { $0["messageId"] as? String })
    #expect(again.allSatisfy { $0["traits"] == nil })
    #expect(again.first?["userId"] as? String == "u")
  }

  @Test("reset leaves consent and is stored")
  func reset() {
    let machine = ManualPlatform()
    let client = machine.start()
    client.identify("u")
    client.reset()
    machine.run()
    let visitor = client.getAnonymousId()
    machine.endProcess()
    let second = machine.start()
    #expect(second.getAnonymousId() == visitor)
    #expect(second.getContext()?.userId == nil)
  }

  @Test("consent changes only the flags passed (CON-23)")
  func flags() {
    let machine = ManualPlatform()
    let client = machine.start(.init(consent: .required))
    func now() -> [Bool?] {
      [client.getContext()?.consent.analytics, client.getContext()?.consent.marketing]
    }
    #expect(now() == [false, false])
    client.consent(marketing: true)
    #expect(now() == [false, true])
    client.consent(analytics: true)
    #expect(now() == [true, true])
    client.consent(marketing: false)
    #expect(now() == [true, false])
    client.consent()
    #expect(now() == [true, false])
  }
}
