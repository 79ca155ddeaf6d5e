import Foundation
import Testing

@testable import SDK

@Suite("The advertising id")
struct AdvertisingTests {
  private func machine(_ tracking: TrackingAuthorization = .authorized) -> ManualPlatform {
    let machine = ManualPlatform.healthy()
    machine.currentContext.tracking = tracking
    return machine
  }

  private func id(_ message: [String: Any], _ machine: ManualPlatform) -> String? {
    machine.field(message, "context", "device", "advertisingId") as? String
  }

  private func ids(_ machine: ManualPlatform) -> [String?] {
    machine.sentMessages.map { id($0, machine) }
  }

  private func deliver(_ client: PostlipMetricsClient, _ machine: ManualPlatform) {
    client.flush()
    machine.advance(seconds: 1)
  }

  @Test("it goes iff marketing, option and authorization hold (PRV-02, CON-18, OPT-17)")
  func allThree() {
    for marketing in [true, false] {
      for isCollected in [true, false] {
        for state in [
          TrackingAuthorization.notDetermined, .restricted, .denied, .authorized,
        ] {
          let machine = machine(state)
          let client = machine.start(
            .init(consent: .required, collectAdvertisingId: isCollected))
          client.consent(analytics: true, marketing: marketing)
          client.track("a")
          deliver(client, machine)
          let isDue = marketing && isCollected && state == .authorized
          #expect(ids(machine) == [isDue ? machine.advertisingId : nil])
          #expect(machine.identityQuestions == (isDue ? ["advertising"] : []))
        }
      }
    }
  }

  @Test("nobody asks for it before consent (CON-08), and it is never stored (A-09)")
  func neverStored() {
    let machine = machine()
    machine.responder = nil
    let client = machine.start(.init(consent: .required))
    client.track("before")
    deliver(client, machine)
    #expect(machine.identityQuestions.isEmpty)
    client.consent(analytics: true, marketing: true)
    client.track("after")
    machine.advance(seconds: 60)
    for bytes in machine.storage.files.values {
      #expect(!String(decoding: bytes, as: UTF8.self).contains(machine.advertisingId))
    }
  }

  @Test(
    "a withdrawal takes it out of all that waits, also on disk and after a grant (S-02, PRV-03)")
  func withdrawn() {
    let machine = machine()
    machine.responder = nil
    let first = machine.start(.init(consent: .implied))
    first.track("a")
    machine.advance(seconds: 10)
    first.consent(marketing: false)
    machine.advance(seconds: 10)
    machine.endProcess()
    let second = machine.start(.init(consent: .implied))
    second.consent(marketing: true)
    second.track("b")
    machine.advance(seconds: 10)
    machine.endProcess()
    machine.responder = { _ in .success(.status(200)) }
    let third = machine.start(.init(consent: .implied))
    deliver(third, machine)
    machine.advance(seconds: 60)
    let sent = machine.batches.suffix(2).flatMap { $0["batch"] as? [[String: Any]] ?? [] }
    #expect(machine.names(sent) == ["a", "b"])
    #expect(sent.map { id($0, machine) } == [nil, machine.advertisingId])
    #expect(machine.storedDecision?.contains(#""advertisingIdsAfter":1"#) == true)
  }

  @Test("a later process fills the gap only where all three hold then")
  func laterProcess() {
    for state in [TrackingAuthorization.authorized, .denied] {
      let machine = machine()
      machine.responder = nil
      let first = machine.start(.init(consent: .implied))
      first.track("a")
      machine.advance(seconds: 10)
      machine.endProcess()
      machine.responder = { _ in .success(.status(200)) }
      machine.currentContext.tracking = state
      let second = machine.start(.init(consent: .implied))
      deliver(second, machine)
      #expect(ids(machine).last == (state == .authorized ? machine.advertisingId : nil))
    }
  }

  @Test("a request that starts after the call holds it no more, whatever the queue has heard")
  func atOnce() {
    let machine = machine()
    let client = machine.start(.init(consent: .implied, flushAt: 1))
    client.track("a")
    client.consent(marketing: false)
    machine.advance(seconds: 1)
    #expect(ids(machine) == [nil])
  }

  @Test("both gaps filled count for the size (S-08)", arguments: [0, 1])
  func size(over: Int) {
    let machine = machine()
    let client = machine.start(.init(consent: .implied))
    client.track("a", properties: ["p": ""])
    deliver(client, machine)
    let body = machine.batchRequests[0].body.count
    let envelope = BatchBody.envelopeByteCount
    let room = 32_768 - (body - envelope)
    client.track("a", properties: ["p": String(repeating: "x", count: room + over)])
    // The second message of the session has no start flag.
    client.track("a", properties: ["p": String(repeating: "x", count: room + 13 + over)])
    deliver(client, machine)
    let sizes = machine.batchRequests.dropFirst().map { $0.body.count - envelope }
    #expect(sizes.count == 1)
    #expect(machine.sentMessages.count == (over == 0 ? 3 : 2))
  }

  @Test("zeros and what is no id leave the member out")
  func noIds() {
    #expect(AdvertisingIdentifier.member(NoIdentity.zeros).isEmpty)
    #expect(AdvertisingIdentifier.member("").isEmpty)
    #expect(AdvertisingIdentifier.member("6D92078A-8246-4BA4-AE5B-76104861E7D").isEmpty)
    #expect(AdvertisingIdentifier.member("6D92078A-8246-4BA4-AE5B-76104861E7D\"").isEmpty)
    let member = AdvertisingIdentifier.member("6D92078A-8246-4BA4-AE5B-76104861E7DC")
    #expect(member.count == AdvertisingIdentifier.memberByteCount)
  }

  @Test("nobody asks for a hardware id or for leave to track (PRV-01, CON-22)")
  func nothingElse() {
    let machine = machine(.notDetermined)
    let client = machine.start(.init(consent: .notRequired))
    client.identify("u", traits: ["a": 1])
    client.track("a")
    deliver(client, machine)
    #expect(machine.identityQuestions.isEmpty)
    #expect(machine.sentMessages.allSatisfy { machine.field($0, "context", "device", "id") == nil })
  }
}
