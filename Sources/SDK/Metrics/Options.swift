extension PostlipMetrics {
  /// What an app may choose at `load`. A value that is set takes precedence over the panel's, which
  /// takes precedence over the default (OPT-01).
  public struct Options: Hashable, Sendable {
    /// What holds before the user has chosen (OPT-05).
    public enum ConsentMode: String, Hashable, Sendable, CaseIterable {
      /// Nothing is allowed until the user agrees.
      case required
      /// Everything is allowed until the user declines.
      case implied
      /// Everything is allowed; `none` on the wire.
      case notRequired
    }

    /// Where messages go; `https://e.postlip.com` by default. Trailing slashes are removed.
    public var host: String?
    /// The panel's mode by default, else `required`.
    public var consent: ConsentMode?
    /// Logs messages, drops, retries and what the server says; off by default.
    public var debug: Bool?
    /// How many queued messages start a send, and the most in one request: 1 to 20, 20 by default.
    public var flushAt: Int?
    /// The longest a message waits before a send, in seconds: 1 to 3600, 30 by default.
    public var flushInterval: Double?
    /// How many messages the queue holds: 1 to 10 000, 1000 by default.
    public var maxQueueSize: Int?
    /// How long the app may be in the background within one session: 5 to 240, 30 by default.
    public var sessionTimeoutMinutes: Double?
    /// Sends lifecycle events; on by default.
    public var trackLifecycle: Bool?
    /// Sends a screen for each view controller that appears; off by default.
    public var trackScreens: Bool?
    /// Reports crashes; on by default.
    public var captureCrashes: Bool?
    /// Reports a main thread that hangs; off by default.
    public var captureHangs: Bool?
    /// Asks Apple for the attribution of the install; on by default.
    public var collectAppleSearchAds: Bool?
    /// Sends the advertising id where user and system allow it; on by default.
    public var collectAdvertisingId: Bool?
    /// Asks the panel for its configuration; on by default.
    public var remoteConfig: Bool?

    public init(
      host: String? = nil, consent: ConsentMode? = nil, debug: Bool? = nil, flushAt: Int? = nil,
      flushInterval: Double? = nil, maxQueueSize: Int? = nil, sessionTimeoutMinutes: Double? = nil,
      trackLifecycle: Bool? = nil, trackScreens: Bool? = nil, captureCrashes: Bool? = nil,
      captureHangs: Bool? = nil, collectAppleSearchAds: Bool? = nil,
      collectAdvertisingId: Bool? = nil, remoteConfig: Bool? = nil
    ) {
      self.host = host
      self.consent = consent
      self.debug = debug
      self.flushAt = flushAt
      self.flushInterval = flushInterval
      self.maxQueueSize = maxQueueSize
      self.sessionTimeoutMinutes = sessionTimeoutMinutes
      self.trackLifecycle = trackLifecycle
      self.trackScreens = trackScreens
      self.captureCrashes = captureCrashes
      self.captureHangs = captureHangs
      self.collectAppleSearchAds = collectAppleSearchAds
      self.collectAdvertisingId = collectAdvertisingId
      self.remoteConfig = remoteConfig
    }
  }
}

extension PostlipMetrics.Options.ConsentMode {
  /// The mode's name in messages and in the config answer.
  var wireName: StaticString {
    switch self {
    case .required: return "required"
    case .implied: return "implied"
    case .notRequired: return "none"
    }
  }

  /// Whether both flags are on before the user has chosen (CON-01, CON-09, CON-10).
  var allowsByDefault: Bool { self != .required }
}
