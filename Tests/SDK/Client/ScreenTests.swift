import Foundation
import Testing

@testable import SDK

@Suite("Screen views")
struct ScreenTests {
  private static let options = PostlipMetrics.Options(
    consent: .implied, trackLifecycle: true, trackScreens: true)
  private static let home = ViewControllerFacts(
    title: nil, classes: [ViewControllerClass(name: "Kiosk.Home", isFromApple: false)])

  /// A port that counts its hooks and shows controllers.
  private final class Window: ViewControllerPort, @unchecked Sendable {
    var hooks: [@Sendable (ViewControllerFacts) -> Void] = []
    func hookAppearances(_ handler: @escaping @Sendable (ViewControllerFacts) -> Void) {
      hooks.append(handler)
    }
    func appear(_ controller: ViewControllerFacts) { for hook in hooks { hook(controller) } }
  }

  private func start(
    _ machine: ManualPlatform, _ window: Window, _ options: PostlipMetrics.Options = options
  ) -> PostlipMetricsClient {
    var options = options
    options.remoteConfig = false
    var platform = machine.platform
    platform.viewControllers = window
    let client = PostlipMetricsClient(platform: platform)
    client.load("pk", options: options)
    machine.run()
    return client
  }

  private func sent(
    _ client: PostlipMetricsClient, _ machine: ManualPlatform
  ) -> [[String: Any]] {
    client.flush()
    machine.advance(seconds: 1)
    return machine.sentMessages
  }

  private func word(_ message: [String: Any]) -> String {
    (message["event"] ?? message["name"]) as? String ?? ""
  }

  private func session(_ message: [String: Any], _ machine: ManualPlatform) -> String? {
    machine.field(message, "context", "session", "id") as? String
  }

  @Test("a return after the timeout: left as of the absence, opened, shown again (S-04, SCR-15)")
  func newSession() {
    let machine = ManualPlatform.healthy()
    let window = Window()
    let client = start(machine, window)
    window.appear(Self.home)
    machine.advance(seconds: 2)
    machine.post(.didEnterBackground)
    machine.advance(seconds: 3_600)
    machine.post(.willEnterForeground)
    let messages = sent(client, machine).filter { word($0) != "$first_open" }
    #expect(
      messages.map(word) == ["$app_open", "Home", "$pageleave", "$pageleave", "$app_open", "Home"])
    let sessions = messages.map { session($0, machine) }
    #expect(Set(sessions[..<4]).count == 1 && Set(sessions[4...]).count == 1)
    #expect(sessions[3] != sessions[4])
    #expect(messages[2]["timestamp"] as? String == messages[3]["timestamp"] as? String)
    #expect(machine.field(messages[3], "properties", "final") as? Bool == true)
    #expect(machine.field(messages[3], "properties", "total_ms") as? Int == 2_000)
    let views = messages.compactMap { machine.field($0, "properties", "pageview_id") as? String }
    #expect(views.count == 4 && Set(views[..<3]).count == 1 && views[3] != views[0])
    #expect(machine.field(messages[4], "context", "session", "start") as? Bool == true)
  }

  @Test("the app's own screen is not shown again; its view goes on (S-04)")
  func ownScreen() {
    let machine = ManualPlatform.healthy()
    let client = start(machine, Window())
    client.screen("Own")
    machine.post(.didEnterBackground)
    machine.advance(seconds: 3_600)
    machine.post(.willEnterForeground)
    machine.advance(seconds: 1)
    client.screen("Next")
    let messages = sent(client, machine).filter { word($0) != "$first_open" }
    #expect(
      messages.map(word) == ["$app_open", "Own", "$pageleave", "$app_open", "$pageleave", "Next"])
    #expect(machine.field(messages[4], "properties", "active_ms") as? Int == 1_000)
    #expect(machine.field(messages[4], "properties", "total_ms") as? Int == 3_601_000)
  }

  @Test("a reset leaves the view with the old ids (S-54)")
  func reset() {
    let machine = ManualPlatform.healthy()
    let client = start(machine, Window())
    client.screen("A")
    client.reset()
    client.screen("B")
    let messages = sent(client, machine).filter { !word($0).hasPrefix("$app") }
    let leave = messages.filter { word($0) == "$pageleave" }
    #expect(leave.count == 1)
    let first = messages.first { word($0) == "A" } ?? [:]
    #expect(leave.first?["anonymousId"] as? String == first["anonymousId"] as? String)
    #expect(leave.first.map { session($0, machine) } == session(first, machine))
  }

  @Test("views are timed from the one after a grant, and none after a withdrawal (S-31, SCR-08)")
  func consent() {
    let machine = ManualPlatform.healthy()
    let client = start(
      machine, Window(), .init(consent: .required, trackLifecycle: false, trackScreens: true))
    client.screen("A")
    client.consent(analytics: true)
    client.screen("B")
    client.screen("C")
    client.flush()
    machine.advance(seconds: 1)
    client.consent(analytics: false)
    client.screen("D")
    client.consent(analytics: true)
    client.screen("E")
    let messages = sent(client, machine).map(word)
    #expect(messages == ["A", "B", "$pageleave", "C", "D", "E"])
  }

  @Test("one hook, and only for who needs it (SCR-09, C-21)")
  func hooks() {
    let window = Window()
    _ = start(ManualPlatform.healthy(), window, .init(trackScreens: false))
    #expect(window.hooks.isEmpty)
    let client = start(ManualPlatform.healthy(), window)
    client.load("again", options: Self.options)
    #expect(window.hooks.count == 1)
    let shared = AppearanceHook(window)
    let seen = Protected<[String]>([])
    for name in ["first", "second"] {
      shared.subscribe { _ in seen.withLock { $0.append(name) } }
    }
    #expect(window.hooks.count == 2)
    window.hooks[1](Self.home)
    #expect(seen.withLock { $0 } == ["first", "second"])
  }

  @Test("the newest screen is known while calls are held, and what was none is forgotten")
  func shownPath() {
    var state = CallState()
    #expect(state.shownPath == "")
    let machine = ManualPlatform.healthy()
    var call = Call(.message(.screen), ordinal: 1, name: "A")
    call.path = "/A"
    state.accept(call, machine.platform)
    #expect(state.shownPath == "/A")
    state.screens.isTracking = true
    state.appear("B", uptime: 1, .unread, machine.platform)
    #expect(state.shownPath == "/B")
  }
}
