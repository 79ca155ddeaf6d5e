import Foundation
import Testing

@testable import SDK

@Suite("Lifecycle events")
struct LifecycleTests {
  private static let options = PostlipMetrics.Options(consent: .implied, trackLifecycle: true)

  /// The sent messages with a name.
  private func sent(_ name: String, _ machine: ManualPlatform) -> [[String: Any]] {
    machine.sentMessages.filter { $0["event"] as? String == name }
  }

  private func flags(_ machine: ManualPlatform) -> [Bool?] {
    sent("$app_open", machine).map { machine.field($0, "properties", "from_background") as? Bool }
  }

  private func deliver(_ client: PostlipMetricsClient, _ machine: ManualPlatform) {
    client.flush()
    machine.advance(seconds: 1)
  }

  // MARK: $app_open

  @Test("a cold start in the foreground is one opening, whatever notifications follow (B16)")
  func coldStart() {
    let machine = ManualPlatform.healthy()
    let client = machine.start(Self.options)
    for event in [ApplicationEvent.didBecomeActive, .willEnterForeground, .didBecomeActive] {
      machine.post(event)
    }
    deliver(client, machine)
    #expect(flags(machine) == [false])
  }

  @Test("a background launch opens nothing until the first entry, which is no return (B15, S-36)")
  func backgroundLaunch() {
    let machine = ManualPlatform.healthy()
    machine.applicationState = .background
    let client = machine.start(Self.options)
    machine.post(.didEnterBackground)
    machine.post(.didEnterBackground)
    deliver(client, machine)
    #expect(flags(machine) == [])
    machine.post(.willEnterForeground)
    machine.post(.didBecomeActive)
    machine.post(.didEnterBackground)
    machine.post(.willEnterForeground)
    deliver(client, machine)
    #expect(flags(machine) == [false, true])
  }

  @Test("load off the main thread asks the main thread, and openings keep their place (A-28)")
  func offMain() {
    let machine = ManualPlatform.healthy()
    machine.isOnMainThread = false
    let client = machine.makeClient()
    client.track("before")
    var options = Self.options
    options.remoteConfig = false
    client.load("pk", options: options)
    client.track("after")
    machine.run()
    deliver(client, machine)
    let names = machine.sentMessages.compactMap { $0["event"] as? String }
    #expect(names == ["before", "$app_open", "after"])
  }

  @Test("the option switches all of it off (OPT-12)")
  func off() {
    let machine = ManualPlatform.healthy()
    let client = machine.start(.init(consent: .implied, trackLifecycle: false))
    machine.post(.didEnterBackground)
    machine.post(.willEnterForeground)
    machine.advance(seconds: 30)
    client.track("a")
    deliver(client, machine)
    #expect(machine.sentMessages.compactMap { $0["event"] as? String } == ["a"])
    #expect(machine.tokenQuestions.isEmpty)
  }

  // MARK: $first_open

  @Test("it goes with the facts, once, with the time of load and no properties")
  func firstOpen() throws {
    let machine = ManualPlatform.healthy()
    let client = machine.start(Self.options)
    let load = machine.wallMilliseconds
    machine.advance(seconds: 3)
    deliver(client, machine)
    #expect(sent("$first_open", machine).isEmpty)
    machine.source = .testFlight
    machine.tellToken(nil)
    deliver(client, machine)
    let message = try #require(sent("$first_open", machine).first)
    #expect(machine.field(message, "timestamp") as? String == machine.text(ofMilliseconds: load))
    #expect(machine.field(message, "context", "install", "installer") as? String == "testflight")
    #expect((message["properties"] as? [String: Any])?.isEmpty == true)
    machine.endProcess()
    let second = machine.start(Self.options)
    machine.advance(seconds: 30)
    deliver(second, machine)
    #expect(sent("$first_open", machine).count == 1)
    #expect(machine.tokenQuestions.isEmpty)
  }

  @Test("without an answer it goes after 20 s, with what is known (LIF-09)")
  func withoutFacts() throws {
    let machine = ManualPlatform.healthy()
    let client = machine.start(Self.options)
    machine.advance(seconds: 19)
    deliver(client, machine)
    #expect(sent("$first_open", machine).isEmpty)
    machine.advance(seconds: 2)
    deliver(client, machine)
    let message = try #require(sent("$first_open", machine).first)
    let install = machine.field(message, "context", "install") as? [String: String]
    #expect(install == ["installer": "app_store"])
    machine.tellToken(nil)
    deliver(client, machine)
    #expect(sent("$first_open", machine).count == 1)
  }

  @Test("a later process sends what an earlier one left, as it was stored (LIF-12, A-20)")
  func late() throws {
    let machine = ManualPlatform.healthy()
    let first = machine.start(Self.options)
    let load = machine.wallMilliseconds
    let session = try #require(first.getContext()?.session.id)
    deliver(first, machine)
    machine.endProcess()
    machine.advance(seconds: 86_400)
    let second = machine.start(Self.options)
    machine.tellToken(nil)
    deliver(second, machine)
    let message = try #require(sent("$first_open", machine).first)
    #expect(machine.field(message, "timestamp") as? String == machine.text(ofMilliseconds: load))
    #expect(machine.field(message, "context", "session", "id") as? String == session)
    #expect(machine.field(message, "context", "session", "start") == nil)
  }

  @Test("it waits for a grant; a revoke cancels it, and a new grant makes it due again (S-48)")
  func consent() {
    let machine = ManualPlatform.healthy()
    let client = machine.start(.init(consent: .required, trackLifecycle: true))
    machine.advance(seconds: 60)
    #expect(machine.tokenQuestions.isEmpty)
    client.consent(analytics: true)
    machine.advance(seconds: 5)
    client.consent(analytics: false)
    machine.advance(seconds: 60)
    deliver(client, machine)
    #expect(sent("$first_open", machine).isEmpty)
    client.consent(analytics: true)
    machine.advance(seconds: 21)
    deliver(client, machine)
    #expect(sent("$first_open", machine).count == 1)
    client.consent(analytics: false)
    machine.advance(seconds: 10)
    client.consent(analytics: true)
    machine.advance(seconds: 30)
    deliver(client, machine)
    #expect(sent("$first_open", machine).count == 1)
  }

  @Test("a decline takes back what an earlier process queued and nobody tried (A-06)")
  func untried() {
    let machine = ManualPlatform.healthy()
    _ = machine.start(Self.options)
    machine.tellToken(nil)
    machine.advance(seconds: 1)
    machine.endProcess()
    let second = machine.start(Self.options)
    second.consent(analytics: false)
    machine.advance(seconds: 1)
    second.consent(analytics: true)
    machine.advance(seconds: 21)
    deliver(second, machine)
    #expect(sent("$first_open", machine).count == 1)
  }

  @Test("what an earlier process tried in vain is not taken back (A-06)")
  func tried() {
    let machine = ManualPlatform.healthy()
    let first = machine.start(Self.options)
    machine.tellToken(nil)
    machine.advance(seconds: 1)
    let healthy = machine.responder
    machine.responder = { _ in .failure(.connectionLost) }
    first.flush()
    machine.advance(seconds: 0.1)
    let attempts = sent("$first_open", machine).count
    #expect(attempts == 1)
    machine.endProcess()
    machine.responder = healthy
    let second = machine.start(Self.options)
    second.consent(analytics: false)
    machine.advance(seconds: 1)
    second.consent(analytics: true)
    machine.advance(seconds: 21)
    deliver(second, machine)
    #expect(sent("$first_open", machine).count == attempts)
  }

  @Test("a reset during the wait leaves it the ids of its launch (S-48)")
  func reset() throws {
    let machine = ManualPlatform.healthy()
    let client = machine.start(Self.options)
    let launch = try #require(client.getContext())
    client.reset()
    client.identify("user-1")
    machine.advance(seconds: 21)
    deliver(client, machine)
    let message = try #require(sent("$first_open", machine).first)
    #expect(message["anonymousId"] as? String == launch.anonymousId)
    #expect(machine.field(message, "context", "session", "id") as? String == launch.session.id)
    #expect(message["userId"] == nil)
  }

  @Test("switched off at the first launch, it never comes (S-51)")
  func waived() {
    let machine = ManualPlatform.healthy()
    _ = machine.start(.init(consent: .implied, trackLifecycle: false))
    machine.advance(seconds: 30)
    machine.endProcess()
    let second = machine.start(Self.options)
    machine.advance(seconds: 30)
    deliver(second, machine)
    #expect(sent("$first_open", machine).isEmpty)
  }

  // MARK: $app_updated

  @Test("another version or build is reported once, before the opening (LIF-14 to LIF-17)")
  func updated() throws {
    let machine = ManualPlatform.healthy()
    _ = machine.start(Self.options)
    machine.advance(seconds: 40)
    machine.endProcess()
    machine.app = (version: "1.4.0", build: "141")
    let second = machine.start(Self.options)
    machine.advance(seconds: 1)
    deliver(second, machine)
    machine.endProcess()
    let third = machine.start(Self.options)
    deliver(third, machine)
    let updates = sent("$app_updated", machine)
    #expect(updates.count == 1)
    let properties = try #require(updates.first?["properties"] as? [String: String])
    #expect(
      properties == [
        "previous_version": "1.4.0", "previous_build": "140", "version": "1.4.0", "build": "141",
      ])
    let names = machine.sentMessages.compactMap { $0["event"] as? String }
    #expect(names == ["$app_open", "$first_open", "$app_updated", "$app_open", "$app_open"])
  }

  @Test("the id of an update follows from visitor and versions (S-115, A-21)")
  func identifier() {
    let old = AppVersion(version: "1", build: "2")
    let update = AppUpdate(previous: old, current: AppVersion(version: "1", build: "3"))
    let id = update.messageIdentifier(anonymousId: "a")
    #expect(id == update.messageIdentifier(anonymousId: "a"))
    #expect(id != update.messageIdentifier(anonymousId: "b"))
    #expect(Array(id)[14] == "8")
    let other = AppUpdate(previous: old, current: AppVersion(version: "1\",\"3", build: ""))
    #expect(id != other.messageIdentifier(anonymousId: "a"))
  }
}
