import Foundation
import Testing

@testable import SDK

@Suite("From load to the first message")
struct StartTests {
  private func config(_ json: String) -> ManualPlatform {
    let machine = ManualPlatform()
    machine.responder = { request in
      .success(.status(200, request.purpose == "config" ? json : "{}"))
    }
    return machine
  }

  private func modes(_ machine: ManualPlatform) -> [String?] {
    machine.sentMessages.map { machine.field($0, "context", "consent", "mode") as? String }
  }

  @Test("held calls are sent in the order made, with their own time and context (API-07 to API-10)")
  func heldCalls() {
    let machine = config(#"{"consent":{"mode":"implied"}}"#)
    machine.answerDelayNanoseconds = 2_000_000_000
    let client = machine.makeClient()
    client.track("before")
    machine.advance(seconds: 0.5)
    client.loadQuietly("pk")
    machine.currentContext = CurrentContext(
      locale: "en-US", timeZone: "UTC", network: .none, screenWidth: 393, screenHeight: 852)
    machine.advance(seconds: 0.25)
    client.track("during")
    machine.currentContext = CurrentContext(
      locale: "de-DE", timeZone: "UTC", network: .cellular, screenWidth: 393, screenHeight: 852)
    machine.advance(seconds: 5)
    client.flush()
    machine.advance(seconds: 3)
    let sent = machine.sentMessages
    #expect(machine.names(sent) == ["before", "during"])
    #expect(
      sent.map { $0["timestamp"] as? String }
        == ["2026-09-21T14:13:20.000Z", "2026-09-21T14:13:20.750Z"])
    #expect(
      sent.map { machine.field($0, "context", "locale") as? String } == ["tr-TR", "en-US"])
    #expect((machine.field(sent[1], "context", "network") as? [String: Any])?.isEmpty == true)
    #expect(modes(machine) == ["implied", "implied"])
  }

  @Test("of 250 early calls the last 200 survive, refused ones and flush take no room (API-09)")
  func overflow() {
    let machine = config("{}")
    let client = machine.makeClient()
    for n in 0..<50 { client.track("a\(n)") }
    client.loadQuietly("pk", options: .init(debug: true))
    for n in 50..<250 {
      client.track("a\(n)")
      client.track("$no")
      client.flush()
    }
    machine.advance(seconds: 10)
    #expect(machine.names(machine.sentMessages) == (50..<250).map { "a\($0)" })
    #expect(machine.batchRequests.count == 10)
  }

  @Test("evicted calls keep their effect on user, visitor and consent (S-28)")
  func evictedEffects() {
    let machine = config(#"{"consent":{"mode":"required"}}"#)
    let client = machine.makeClient()
    client.loadQuietly("pk")
    client.consent(analytics: true)
    client.identify("u1")
    for n in 0..<200 { client.track("a\(n)") }
    machine.advance(seconds: 1)
    #expect(client.getContext()?.userId == "u1")
    #expect(client.getContext()?.consent.analytics == true)
    client.flush()
    machine.advance(seconds: 3)
    #expect(machine.sentMessages.count == 200)
    #expect(machine.sentMessages.allSatisfy { $0["userId"] as? String == "u1" })
  }

  @Test("consent in the buffer holds from its place on (S-29)")
  func heldConsent() {
    let machine = config("{}")
    let client = machine.makeClient()
    client.track("a")
    client.consent(marketing: true)
    client.track("b")
    client.loadQuietly("pk")
    client.consent(analytics: true)
    client.track("c")
    client.flush()
    machine.advance(seconds: 2)
    let flags = machine.sentMessages.map {
      [
        machine.field($0, "context", "consent", "analytics") as? Bool,
        machine.field($0, "context", "consent", "marketing") as? Bool,
      ]
    }
    #expect(flags == [[false, false], [false, true], [true, true]])
  }

  @Test("getters are nil until the start (S-06)")
  func getters() {
    let machine = config("{}")
    let client = machine.makeClient()
    #expect(client.getContext() == nil && client.getAnonymousId() == nil)
    client.loadQuietly("pk")
    #expect(client.getContext() == nil && client.getAnonymousId() == nil)
    machine.advance(seconds: 1)
    #expect(client.getContext() != nil && client.getAnonymousId() != nil)
  }

  @Test(
    "whatever goes wrong with the config, the defaults apply (OPT-22)",
    arguments: [
      Result<HTTPResponse, HTTPFailure>.failure(.cannotFindHost), .failure(.cancelled),
      .success(.status(500, #"{"consent":{"mode":"implied"}}"#)),
      .success(.status(404, #"{"consent":{"mode":"implied"}}"#)),
      .success(.status(302, #"{"consent":{"mode":"implied"}}"#)),
      .success(.status(200, "<html>")), .success(.status(200, "")),
      .success(.status(200, #"["implied"]"#)),
      .success(
        .status(
          200,
          "{\"consent\":{\"mode\":\"implied\"},\"x\":\""
            + String(repeating: "x", count: 65_536) + "\"}")),
    ])
  func failures(_ result: Result<HTTPResponse, HTTPFailure>) {
    let machine = ManualPlatform()
    machine.responder = { $0.purpose == "config" ? result : .success(.status(200)) }
    let client = machine.makeClient()
    client.loadQuietly("pk", options: .init(debug: true))
    client.track("a")
    client.flush()
    machine.advance(seconds: 2)
    #expect(modes(machine) == ["required"])
    #expect(machine.has(.configFailed))
  }

  @Test("a config that never comes is given up after 3 s (OPT-20)")
  func timeout() {
    let machine = ManualPlatform()
    let client = machine.makeClient()
    client.loadQuietly("pk")
    client.track("a")
    machine.advance(seconds: 2.9)
    #expect(client.getContext() == nil)
    machine.advance(seconds: 0.2)
    #expect(client.getContext() != nil)
  }

  @Test("an answer heard after 3 s is ignored (S-22)")
  func late() {
    let machine = config(#"{"consent":{"mode":"implied"}}"#)
    machine.answerDelayNanoseconds = 3_000_000_001
    let client = machine.makeClient()
    client.loadQuietly("pk")
    machine.advance(seconds: 4)
    #expect(client.getContext()?.consent.analytics == false)
    let other = config(#"{"consent":{"mode":"implied"}}"#)
    other.answerDelayNanoseconds = 3_000_000_000
    let inTime = other.makeClient()
    inTime.loadQuietly("pk")
    other.advance(seconds: 4)
    #expect(inTime.getContext()?.consent.analytics == true)
  }

  @Test(
    "without remote config there is no request (OPT-18), and options beat the panel",
    arguments: [true, false])
  func remoteConfig(_ isOn: Bool) {
    let machine = config(#"{"consent":{"mode":"none"},"test":true}"#)
    let client = machine.makeClient()
    client.loadQuietly("pk", options: .init(consent: .implied, remoteConfig: isOn))
    client.track("a")
    client.flush()
    machine.advance(seconds: 2)
    #expect(machine.exchanges.contains { $0.request.purpose == "config" } == isOn)
    #expect(modes(machine) == ["implied"])
    #expect(
      machine.field(machine.sentMessages[0], "context", "test") as? Bool == (isOn ? true : nil))
  }

  @Test(
    "a start that fails lets everything go and is told in every mode (S-21)",
    arguments: [
      ("", "https://e.postlip.com", Diagnostic.emptyWriteKey), ("pk", "nonsense", .invalidHost),
    ])
  func failedStart(_ key: String, _ host: String, _ diagnostic: Diagnostic) {
    let machine = config("{}")
    let client = machine.makeClient()
    client.track("early")
    client.loadQuietly(key, options: .init(host: host))
    #expect(!client.track("late").isEmpty)
    client.consent(analytics: true)
    client.flush()
    client.reset()
    machine.advance(seconds: 60)
    #expect(machine.exchanges.isEmpty)
    #expect(machine.storage.steps.isEmpty)
    #expect(machine.diagnostics == [diagnostic])
    #expect(client.getContext() == nil)
    #expect(machine.pendingJobs == 0)
  }

  @Test("trailing slashes of the host are removed (OPT-03)")
  func slashes() {
    let machine = config("{}")
    let client = machine.makeClient()
    client.loadQuietly("pk", options: .init(host: "https://c.example:8443///"))
    client.track("a")
    client.flush()
    machine.advance(seconds: 2)
    #expect(
      machine.exchanges.map { $0.request.url }
        == ["https://c.example:8443/v1/config/pk", "https://c.example:8443/v1/batch"])
  }

  @Test("the wall clock is read once; steps of it change no timestamp (A-03)")
  func anchor() {
    let machine = config("{}")
    let client = machine.makeClient()
    _ = client.getContext()
    machine.wallNanoseconds += 7_000_000_000_000
    machine.advance(seconds: 1)
    client.loadQuietly("pk")
    client.track("a")
    machine.wallNanoseconds -= 99_000_000_000_000
    machine.advance(seconds: 2)
    client.track("b")
    client.flush()
    machine.advance(seconds: 1)
    #expect(
      machine.sentMessages.map { $0["timestamp"] as? String }
        == ["2026-09-21T14:13:21.000Z", "2026-09-21T14:13:23.000Z"])
    #expect(machine.batches.first?["sentAt"] as? String == "2026-09-21T14:13:23.000Z")
  }
}
