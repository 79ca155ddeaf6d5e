/// What a backend forwards with an event of its own, so that it joins this device's session and
/// consent (API-22, API-23).
public struct MetricsContext: Codable, Hashable, Sendable {
  /// The session of the process.
  public struct Session: Codable, Hashable, Sendable {
    public var id: String

    public init(id: String) { self.id = id }
  }

  /// What the user allowed.
  public struct Consent: Codable, Hashable, Sendable {
    public var analytics: Bool
    public var marketing: Bool

    public init(analytics: Bool, marketing: Bool) {
      self.analytics = analytics
      self.marketing = marketing
    }
  }

  public var anonymousId: String
  /// Absent without a known user.
  public var userId: String?
  public var session: Session
  public var consent: Consent

  public init(anonymousId: String, userId: String?, session: Session, consent: Consent) {
    self.anonymousId = anonymousId
    self.userId = userId
    self.session = session
    self.consent = consent
  }

  /// The same content as nested dictionaries.
  public var dictionary: [String: Any] {
    var dictionary: [String: Any] = [
      "anonymousId": anonymousId,
      "session": ["id": session.id],
      "consent": ["analytics": consent.analytics, "marketing": consent.marketing],
    ]
    if let userId { dictionary["userId"] = userId }
    return dictionary
  }
}
