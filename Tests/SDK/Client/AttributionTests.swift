import Foundation
import Testing

@testable import SDK

@Suite("Attribution of the install")
struct AttributionTests {
  private static let options = PostlipMetrics.Options(consent: .implied, trackLifecycle: true)
  private static let answer =
    #"{"orgId":1.0,"attribution":true,"impressionId":"x","clickDate":"2026-04-08T17:17Z"}"#

  private func start(
    _ options: PostlipMetrics.Options = Self.options,
    _ answer: @escaping (Int) -> Result<HTTPResponse, HTTPFailure>? = { _ in
      .success(.status(200, Self.answer))
    }
  ) -> ManualPlatform {
    let machine = ManualPlatform()
    var count = 0
    machine.responder = { request in
      guard request.purpose == "attribution" else { return .success(.status(200)) }
      count += 1
      return answer(count)
    }
    let client = machine.start(options)
    client.flush()
    machine.run()
    return machine
  }

  private func requests(_ machine: ManualPlatform) -> [ManualPlatform.Exchange] {
    machine.exchanges.filter { $0.request.purpose == "attribution" }
  }

  private func install(_ machine: ManualPlatform) -> [String: Any]? {
    machine.advance(seconds: 60)
    let message = machine.sentMessages.first { $0["event"] as? String == "$first_open" }
    return message.flatMap { machine.field($0, "context", "install") as? [String: Any] }
  }

  @Test("the token goes to Apple as plain text under our own name (ATT-04, PRV-07)")
  func request() throws {
    let machine = start()
    machine.tellToken("TOKEN+/=")
    let request = try #require(requests(machine).first?.request)
    #expect(request.url == "https://api-adservices.apple.com/api/v1/")
    #expect(request.method == .post)
    #expect(request.body == Array("TOKEN+/=".utf8))
    #expect(
      request.headers == [
        HTTPHeader("Content-Type", "text/plain"),
        HTTPHeader("User-Agent", "postlip-metrics-swift/0.1.0"),
      ])
  }

  @Test("of the answer the documented keys stay, as they were given (ATT-01, ATT-05)")
  func documentedKeys() throws {
    let machine = start()
    machine.tellToken("T")
    machine.advance(seconds: 40)
    let body = machine.batchRequests.map { String(decoding: $0.body, as: UTF8.self) }.joined()
    #expect(
      body.contains(
        #""install":{"appleSearchAds":{"attribution":true,"clickDate":"2026-04-08T17:17Z","#
          + #""orgId":1.0},"installer":"app_store"}"#))
    #expect(!body.contains("impressionId"))
    #expect(!body.contains("\"T\""))
  }

  @Test("a 404 is asked again three times, 5 s apart (ATT-06)")
  func notFound() {
    let machine = start { _ in .success(.status(404, "")) }
    machine.tellToken("T")
    let began = machine.uptimeNanoseconds
    #expect(install(machine)?.keys.sorted() == ["installer"])
    let seconds = requests(machine).map { Double($0.startedAt - began) / 1e9 }
    #expect(seconds == [0, 5.05, 10.1, 15.15])
  }

  @Test("a 404 and then an answer is an answer (ATT-06)")
  func foundLater() {
    let machine = start {
      $0 < 3 ? .success(.status(404, "")) : .success(.status(200, Self.answer))
    }
    machine.tellToken("T")
    #expect(install(machine)?["appleSearchAds"] != nil)
    #expect(requests(machine).count == 3)
  }

  @Test(
    "anything else leaves it out without another try (ATT-07)",
    arguments: [
      .success(.status(500)), .success(.status(400)), .success(.status(302)),
      .success(.status(200, "no JSON")), .success(.status(200, "[1]")),
      .success(.status(200, #"{"unknown":1}"#)), .failure(.timedOut), .failure(.connectionLost),
    ] as [Result<HTTPResponse, HTTPFailure>])
  func failures(result: Result<HTTPResponse, HTTPFailure>) {
    let machine = start { _ in result }
    machine.tellToken("T")
    #expect(install(machine)?.keys.sorted() == ["installer"])
    #expect(requests(machine).count == 1)
  }

  @Test(
    "the installer follows the distribution (ATT-02, ATT-03)",
    arguments: [
      (Distribution.appStore, "app_store"), (.testFlight, "testflight"),
      (.development, "testflight"), (.simulator, nil),
    ] as [(Distribution, String?)])
  func installer(source: Distribution, name: String?) {
    let machine = start()
    machine.source = source
    machine.tellToken(nil)
    #expect(install(machine)?["installer"] as? String == name)
    #expect(requests(machine).isEmpty)
  }

  @Test(
    "no token is asked for with the option off or before iOS 14.3 (OPT-16)",
    arguments: [("17.5.1", false), ("14.2", true), ("13.7", true), ("odd", true)])
  func off(system: String, isOn: Bool) {
    let machine = ManualPlatform.healthy()
    machine.system = system
    var options = Self.options
    options.collectAppleSearchAds = isOn
    _ = machine.start(options)
    #expect(machine.tokenQuestions.isEmpty)
    #expect(install(machine)?.keys.sorted() == ["installer"])
  }

  @Test("iOS 14.3 and later have tokens", arguments: ["14.3", "14.8.1", "15.0", "26"])
  func systems(system: String) {
    #expect(AppleSearchAds.isOffered(bySystem: system))
  }

  @Test("an answer after 20 s is let go, and its request given up (S-49, LIF-09)")
  func late() {
    let machine = start { _ in nil }
    machine.advance(seconds: 19)
    machine.tellToken("T")
    machine.advance(seconds: 2)
    #expect(requests(machine).first?.isEnded == true)
    #expect(install(machine)?.keys.sorted() == ["installer"])
  }

  @Test("a withdrawal gives it up, a grant begins anew (S-48, ATT-10)")
  func withdrawn() {
    let machine = ManualPlatform()
    machine.responder = { $0.purpose == "attribution" ? nil : .success(.status(200)) }
    let client = machine.start(Self.options)
    machine.tellToken("T")
    client.consent(analytics: false)
    machine.run()
    #expect(requests(machine).map(\.isEnded) == [true])
    machine.advance(seconds: 30)
    #expect(machine.tokenQuestions.isEmpty)
    client.consent(analytics: true)
    machine.run()
    machine.responder = { _ in .success(.status(200, Self.answer)) }
    machine.tellToken("T")
    #expect(install(machine)?["appleSearchAds"] != nil)
  }

  @Test("nothing is asked without consent, and never a second time (ATT-09, ATT-10)")
  func once() {
    let machine = ManualPlatform.healthy()
    let first = machine.start(.init(consent: .required, trackLifecycle: true))
    machine.advance(seconds: 30)
    #expect(machine.tokenQuestions.isEmpty)
    first.consent(analytics: true)
    machine.run()
    machine.tellToken(nil)
    machine.advance(seconds: 40)
    for _ in 0..<3 {
      machine.endProcess()
      _ = machine.start(.init(consent: .required, trackLifecycle: true))
      machine.advance(seconds: 40)
      #expect(machine.tokenQuestions.isEmpty)
    }
  }

  @Test("a process that dies before it knows leaves the question to the next one (S-49)")
  func death() {
    let machine = ManualPlatform.healthy()
    _ = machine.start(Self.options)
    #expect(machine.tokenQuestions.count == 1)
    machine.advance(seconds: 8)
    machine.endProcess()
    _ = machine.start(Self.options)
    #expect(machine.tokenQuestions.count == 1)
    machine.advance(seconds: 19)
    #expect(machine.sentMessages.allSatisfy { $0["event"] as? String != "$first_open" })
  }

  @Test("other messages do not wait for it (ATT-11)")
  func others() {
    let machine = ManualPlatform.healthy()
    let client = machine.start(Self.options)
    client.track("a")
    client.flush()
    machine.run()
    #expect(machine.names(machine.sentMessages) == ["$app_open", "a"])
  }
}
