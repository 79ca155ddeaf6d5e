import PostlipMetrics
import Testing

@Suite("The face as the documents name it")
struct DocumentedFaceTests {
  /// Compiles only where every documented name is there, with its labels and defaults (API-29).
  @Test("every documented call can be made with the documented labels (API-29, API-30)")
  func calls() {
    let client = PostlipMetricsClient()
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
    #expect(context?.anonymousId == nil)
    #expect(context?.session.id == nil)
    #expect(context?.consent.analytics == nil)
  }

  @Test("every documented static forwards to the shared client (API-04, API-29)")
  func statics() {
    // Without a platform the shared client never starts: nothing here reaches anybody.
    let calls: [() -> Void] = [
      { PostlipMetrics.screen("Home", properties: [:]) },
      { PostlipMetrics.identify("u", traits: [:]) }, { PostlipMetrics.group("g", traits: [:]) },
      { PostlipMetrics.alias("new", previousId: "old") }, { PostlipMetrics.reset() },
      { PostlipMetrics.consent(analytics: true, marketing: false) }, { PostlipMetrics.flush() },
    ]
    for call in calls { call() }
    #expect(PostlipMetrics.track("e", properties: [:], messageId: "m") == "m")
    #expect(PostlipMetrics.getAnonymousId() == nil)
    #expect(PostlipMetrics.getContext() == nil)
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
