import PostlipMetrics
import Testing

@Suite("The face as the documents name it")
struct DocumentedFaceTests {
  /// Compiles only where every documented name is there, with its labels and defaults (API-29).
  @Test("every documented call can be made with the documented labels (API-29, API-30)")
  func calls() {
    let client = ManualPlatform().makeClient()
    client.load("pk_test")
    client.load("pk_test", options: PostlipMetrics.Options())
    client.screen("Home")
    client.screen("Home", properties: ["path": "/home"])
    client.identify("usr_7c1e", traits: ["plan": "pro"])
    client.identify(traits: ["plan": "pro"])
    let id: String = client.track("bought", properties: ["value": 240], messageId: "purchase:1")
    client.track("bought")
    client.group("g")
    client.group("g", traits: ["size": 3])
    client.alias("new")
    client.alias("new", previousId: "old")
    client.reset()
    client.consent(analytics: true)
    client.consent(marketing: false)
    client.flush()
    let anonymousId: String? = client.getAnonymousId()
    let context: MetricsContext? = client.getContext()
    #expect(id == "purchase:1")
    #expect(anonymousId == nil)
    #expect(context?.session.id == nil)
    #expect(context?.consent.analytics == nil)
  }

  /// Not called: the shared client is one for all tests of a process.
  @Test("every documented static has the documented parameters (API-29)")
  func statics() {
    typealias Values = [String: Any]
    let load: (String, PostlipMetrics.Options) -> Void = PostlipMetrics.load
    let track: (String, Values, String?) -> String = PostlipMetrics.track
    let screen: (String, Values) -> Void = PostlipMetrics.screen
    let identify: (String?, Values) -> Void = PostlipMetrics.identify
    let group: (String, Values) -> Void = PostlipMetrics.group
    let alias: (String, String?) -> Void = PostlipMetrics.alias
    let consent: (Bool?, Bool?) -> Void = PostlipMetrics.consent
    let plain: [() -> Void] = [PostlipMetrics.reset, PostlipMetrics.flush]
    let anonymousId: () -> String? = PostlipMetrics.getAnonymousId
    let context: () -> MetricsContext? = PostlipMetrics.getContext
    let all: [Any] = [
      load, track, screen, identify, group, alias, consent, plain, anonymousId, context,
    ]
    #expect(all.count == 10)
  }

  @Test("every documented option can be set (API-29)")
  func options() {
    let labels = Mirror(reflecting: PostlipMetrics.Options()).children.compactMap(\.label)
    #expect(
      labels.sorted() == [
        "captureCrashes", "captureHangs", "collectAdvertisingId", "collectAppleSearchAds",
        "consent",
        "debug", "flushAt", "flushInterval", "host", "maxQueueSize", "remoteConfig",
        "sessionTimeoutMinutes", "trackLifecycle", "trackScreens",
      ])
    #expect(
      PostlipMetrics.Options.ConsentMode.allCases.map(\.rawValue) == [
        "required", "implied", "notRequired",
      ])
  }
}
