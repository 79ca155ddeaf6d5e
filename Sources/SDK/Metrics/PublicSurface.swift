public enum PostlipMetrics {
  public enum Mode { case required, implied, notRequired }
  public struct Options { public init() {}
    public var host: String?; public var consent: Mode?; public var debug: Bool?; public var flushAt: Int?; public var flushInterval: Double?; public var maxQueueSize: Int?; public var sessionTimeoutMinutes: Double?; public var trackLifecycle: Bool?; public var trackScreens: Bool?; public var captureCrashes: Bool?; public var captureHangs: Bool?; public var collectAppleSearchAds: Bool?; public var collectAdvertisingId: Bool?; public var remoteConfig: Bool? }
}
public struct MetricsContext { public var anonymousId: String; public var userId: String?; public struct S { public var id: String }; public var session: S; public struct C { public var analytics: Bool; public var marketing: Bool}; public var consent: C }
public final class PostlipMetricsClient: @unchecked Sendable {
  public init(platform: Platform, storageDirectory: String = "") {}
  public func load(_ k: String, options: PostlipMetrics.Options) {}
  public func track(_ e: String, properties: [String: Any], messageId: String?) -> String { "" }
  public func screen(_ n: String, properties: [String: Any]) {}
  public func identify(_ u: String?, traits: [String: Any]) {}
  public func group(_ u: String, traits: [String: Any]) {}
  public func alias(_ u: String, previousId: String?) {}
  public func reset() {}
  public func consent(analytics: Bool?, marketing: Bool?) {}
  public func flush() {}
  public func getAnonymousId() -> String? { nil }
  public func getContext() -> MetricsContext? { nil }
}
