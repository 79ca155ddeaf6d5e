/// The SDK as an app uses it: every call forwards to `shared` (API-04).
public enum PostlipMetrics {
  private static let holder = Protected(PostlipMetricsClient())

  /// The client that the static calls use. Until one is set it has no platform and never starts.
  public static var shared: PostlipMetricsClient {
    get { holder.withLock { $0 } }
    set {
      // The old client is released outside the lock.
      let old = holder.withLock { client in
        defer { client = newValue }
        return client
      }
      withExtendedLifetime(old) {}
    }
  }

  /// See `PostlipMetricsClient.load`.
  public static func load(_ writeKey: String, options: Options = Options()) {
    shared.load(writeKey, options: options)
  }

  /// See `PostlipMetricsClient.track`.
  @discardableResult
  public static func track(
    _ event: String, properties: [String: Any] = [:], messageId: String? = nil
  ) -> String {
    shared.track(event, properties: properties, messageId: messageId)
  }

  /// See `PostlipMetricsClient.screen`.
  public static func screen(_ name: String, properties: [String: Any] = [:]) {
    shared.screen(name, properties: properties)
  }

  /// See `PostlipMetricsClient.identify`.
  public static func identify(_ userId: String? = nil, traits: [String: Any] = [:]) {
    shared.identify(userId, traits: traits)
  }

  /// See `PostlipMetricsClient.group`.
  public static func group(_ groupId: String, traits: [String: Any] = [:]) {
    shared.group(groupId, traits: traits)
  }

  /// See `PostlipMetricsClient.alias`.
  public static func alias(_ userId: String, previousId: String? = nil) {
    shared.alias(userId, previousId: previousId)
  }

  /// See `PostlipMetricsClient.reset`.
  public static func reset() { shared.reset() }

  /// See `PostlipMetricsClient.consent`.
  public static func consent(analytics: Bool? = nil, marketing: Bool? = nil) {
    shared.consent(analytics: analytics, marketing: marketing)
  }

  /// See `PostlipMetricsClient.flush`.
  public static func flush() { shared.flush() }

  /// See `PostlipMetricsClient.getAnonymousId`.
  public static func getAnonymousId() -> String? { shared.getAnonymousId() }

  /// See `PostlipMetricsClient.getContext`.
  public static func getContext() -> MetricsContext? { shared.getContext() }
}
