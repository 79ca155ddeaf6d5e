import Foundation
import PostlipMetrics
import Testing

@testable import SDK

@Suite("Public calls")
struct CallTests {
  private func field(_ message: [String: Any], _ path: String...) -> Any? {
    path.reduce(message as Any?) { ($0 as? [String: Any])?[$1] }
  }

  @Test("a call enters no port that waits, and returns at once (API-01)")
  func callsDoNotWait() {
    let machine = ManualPlatform.healthy()
    machine.storage.onStep = { machine.enter("storage") }
    let client = machine.makeClient()
    machine.isInCall = true
    client.loadQuietly("pk", options: .init(consent: .implied))
    client.track("a", properties: ["x": 1])
    machine.isInCall = false
    machine.advance(seconds: 1)
    machine.isInCall = true
    client.consent(analytics: false)
    client.consent(analytics: true, marketing: true)
    client.track("b")
    client.screen("c")
    client.identify("u", traits: ["t": 1])
    client.group("g")
    client.alias("v")
    client.reset()
    client.flush()
    _ = client.getContext()
    _ = client.getAnonymousId()
    machine.isInCall = false
    #expect(machine.portsEnteredInCalls == [])
    machine.advance(seconds: 1)
    #expect(machine.sentMessages.count { $0["event"] as? String != "$pageleave" } == 5)
  }

  @Test("a second load is ignored and logged, also after a failed start (API-06, S-11)")
  func loadOnce() {
    let machine = ManualPlatform.healthy()
    let client = machine.makeClient()
    client.loadQuietly("first", options: .init(debug: true))
    client.loadQuietly("second", options: .init(host: "https://other.example"))
    machine.advance(seconds: 1)
    client.track("x")
    client.flush()
    machine.advance(seconds: 1)
    #expect(machine.exchanges.allSatisfy { $0.request.url.hasPrefix("https://e.postlip.com") })
    #expect(machine.exchanges.filter { $0.request.purpose == "config" }.count == 1)
    #expect(machine.diagnostics.filter { $0 == .loadIgnored }.count == 1)

    let other = ManualPlatform.healthy()
    let failed = other.makeClient()
    failed.loadQuietly("", options: .init(debug: true))
    failed.loadQuietly("pk")
    other.advance(seconds: 10)
    #expect(other.exchanges.isEmpty)
    #expect(other.diagnostics == [.emptyWriteKey, .loadIgnored])
  }

  @Test("track returns an id in every phase, the caller's iff it is valid (API-12 to API-14)")
  func returnedIds() {
    let machine = ManualPlatform.healthy()
    let client = machine.makeClient()
    let long = String(repeating: "x", count: 101)
    func probe() {
      #expect(client.track("a", messageId: "own") == "own")
      #expect(client.track("$a", messageId: "own2") == "own2")
      #expect(client.track("", messageId: "own3") == "own3")
      for id in ["", "a b", long, "é"] {
        let returned = client.track("a", messageId: id)
        #expect(returned != id && Identifier.isUUID(returned))
      }
      #expect(Identifier.isUUID(client.track("a")))
      #expect(Identifier.isUUID(client.track("$open")))
    }
    probe()
    client.loadQuietly("pk")
    probe()
    machine.advance(seconds: 4)
    probe()
  }

  @Test("reserved and empty names are refused and logged (API-11, S-52)")
  func refusals() {
    let machine = ManualPlatform.healthy()
    let client = machine.start(.init(consent: .implied, debug: true))
    machine.diagnostics = []
    client.track("$app_open")
    client.track("")
    client.screen("")
    client.identify()
    client.identify("")
    client.group("")
    client.alias("")
    client.alias("a", previousId: "a")
    client.alias("a", previousId: "")
    client.consent()
    client.flush()
    machine.advance(seconds: 40)
    #expect(machine.sentMessages.isEmpty)
    #expect(
      machine.diagnostics == [
        .callRefused(.reservedEventName), .callRefused(.emptyName), .callRefused(.emptyName),
        .callRefused(.nothingToIdentify), .callRefused(.nothingToIdentify),
        .callRefused(.emptyIdentifier), .callRefused(.emptyIdentifier),
        .callRefused(.aliasToItself),
        .callRefused(.emptyIdentifier),
      ])
  }

  @Test("a screen has its path and an id of its own (API-17 to API-19, S-53)")
  func screens() {
    let machine = ManualPlatform.healthy()
    let client = machine.start()
    client.screen("Home")
    client.screen("Cart", properties: ["path": "/cart/1", "pageview_id": "mine", "n": 1])
    client.screen("Odd", properties: ["path": "no slash"])
    client.screen("Number", properties: ["path": 7])
    client.screen("Boxed", properties: ["path": Optional("/boxed") as Any])
    client.flush()
    machine.advance(seconds: 1)
    let sent = machine.sentMessages.filter { $0["type"] as? String == "screen" }
    #expect(sent.allSatisfy { $0["event"] == nil })
    #expect(
      sent.map { field($0, "properties", "path") as? String }
        == ["/Home", "/cart/1", "/Odd", "/Number", "/boxed"])
    let ids = sent.compactMap { field($0, "properties", "pageview_id") as? String }
    #expect(Set(ids).count == 5 && ids.allSatisfy { Identifier.isUUID($0) })
    #expect(field(sent[1], "properties", "n") as? Int == 1)
  }

  @Test("the user is kept until reset; an alias changes nothing (ID-02, ID-13 to ID-16)")
  func identity() throws {
    let machine = ManualPlatform.healthy()
    let client = machine.start()
    let before = try #require(client.getContext())
    client.alias("pre")
    client.identify("u1", traits: ["plan": "pro"])
    client.track("a")
    client.identify(traits: ["x": 1])
    client.alias("u2")
    client.alias("u3", previousId: "old")
    client.alias("u1")
    client.track("b")
    let during = try #require(client.getContext())
    client.reset()
    client.track("c")
    let after = try #require(client.getContext())
    client.flush()
    machine.advance(seconds: 1)
    let sent = machine.sentMessages
    #expect(
      sent.map { $0["userId"] as? String } == ["pre", "u1", "u1", "u1", "u2", "u3", "u1", nil])
    #expect(
      sent.map { $0["previousId"] as? String }
        == [before.anonymousId, nil, nil, nil, "u1", "old", nil, nil])
    #expect(field(sent[1], "traits", "plan") as? String == "pro")
    #expect(before.userId == nil && during.userId == "u1" && after.userId == nil)
    #expect(before.anonymousId == during.anonymousId && during.anonymousId != after.anonymousId)
    #expect(before.session == during.session && during.session != after.session)
    #expect(after.consent == before.consent)
    #expect(sent.last?["anonymousId"] as? String == after.anonymousId)
    #expect(
      sent.map { field($0, "context", "session", "start") as? Bool == true }
        == [true, false, false, false, false, false, false, true])
  }

  @Test("a user id shaped like an address is sent and warned of in every mode (S-20)")
  func personalIds() {
    let machine = ManualPlatform.healthy()
    let client = machine.start(.init(consent: .implied, debug: false))
    client.identify("ayse@example.com")
    client.flush()
    machine.advance(seconds: 1)
    #expect(machine.sentMessages.first?["userId"] as? String == "ayse@example.com")
    #expect(machine.diagnostics == [.userIdentifierLooksPersonal])
  }

  @Test("the context is the same as Codable and as a dictionary (API-23)")
  func context() throws {
    let machine = ManualPlatform.healthy()
    let client = machine.start()
    for userId in [nil, "u\"1"] {
      if let userId { client.identify(userId) }
      let context = try #require(client.getContext())
      let encoded = try JSONSerialization.jsonObject(with: JSONEncoder().encode(context))
      #expect(NSDictionary(dictionary: context.dictionary).isEqual(encoded))
      #expect(
        try JSONDecoder().decode(MetricsContext.self, from: JSONEncoder().encode(context))
          == context)
      #expect(context.dictionary.keys.contains("userId") == (userId != nil))
    }
  }

  @Test("statics do what instance calls do (API-04)")
  func statics() {
    func run(_ useStatics: Bool) -> [[UInt8]] {
      let machine = ManualPlatform.healthy()
      let client = machine.makeClient()
      let old = PostlipMetrics.shared
      defer { PostlipMetrics.shared = old }
      PostlipMetrics.shared = client
      let options = PostlipMetrics.Options(consent: .implied)
      if useStatics {
        PostlipMetrics.load("pk", options: options)
        #expect(PostlipMetrics.getAnonymousId() == nil)
        #expect(PostlipMetrics.track("a", properties: ["x": 1], messageId: "m") == "m")
        machine.advance(seconds: 1)
        PostlipMetrics.screen("s", properties: ["y": 2])
        PostlipMetrics.identify("u", traits: ["z": 3])
        PostlipMetrics.group("g", traits: ["w": 4])
        PostlipMetrics.alias("v", previousId: "old")
        PostlipMetrics.consent(marketing: false)
        PostlipMetrics.track("b")
        PostlipMetrics.reset()
        PostlipMetrics.track("c")
        #expect(PostlipMetrics.getContext() == client.getContext())
        PostlipMetrics.flush()
      } else {
        client.load("pk", options: options)
        #expect(client.getAnonymousId() == nil)
        #expect(client.track("a", properties: ["x": 1], messageId: "m") == "m")
        machine.advance(seconds: 1)
        client.screen("s", properties: ["y": 2])
        client.identify("u", traits: ["z": 3])
        client.group("g", traits: ["w": 4])
        client.alias("v", previousId: "old")
        client.consent(marketing: false)
        client.track("b")
        client.reset()
        client.track("c")
        #expect(client.getContext() == client.getContext())
        client.flush()
      }
      machine.advance(seconds: 1)
      return machine.exchanges.map { $0.request.body }
    }
    let instance = run(false)
    #expect(instance.count == 2 && !instance[1].isEmpty)
    #expect(run(true) == instance)
  }

  @Test("a client without a platform is harmless and still gives ids")
  func noPlatform() {
    let client = PostlipMetricsClient()
    #expect(client.track("before") != client.track("before"))
    client.loadQuietly("pk")
    #expect(Identifier.isUUID(client.track("after")))
    client.screen("s")
    client.flush()
    #expect(client.getContext() == nil)
    #expect(client.getAnonymousId() == nil)
  }

  @Test("two clients share nothing (API-05)")
  func twoClients() {
    let machine = ManualPlatform.healthy()
    let options = PostlipMetrics.Options(consent: .implied, remoteConfig: false)
    let first = PostlipMetricsClient(platform: machine.platform, storageDirectory: "one")
    let second = PostlipMetricsClient(platform: machine.platform, storageDirectory: "two")
    first.loadQuietly("pk1", options: options)
    second.loadQuietly("pk2", options: options)
    first.identify("u1")
    second.track("t2")
    machine.run()
    #expect(first.getAnonymousId() != second.getAnonymousId())
    #expect(second.getContext()?.userId == nil)
    first.flush()
    machine.advance(seconds: 1)
    #expect(machine.sentNames == [["identify"]])
    #expect(machine.storage.files.keys.contains { $0.hasPrefix("two/queue/") })
    #expect(!machine.storage.files.keys.contains { $0.hasPrefix("one/queue/") })
  }
}
