/// Who, in which session and with which consent: what every message carries and what changes
/// rarely.
///
/// Immutable, so that a sealed message holds it by reference and the encoder can keep its bytes.
final class Circumstances: Sendable {
  /// A number of its own within the process.
  let generation: UInt64
  /// The sessions of the process counted from 1.
  let sessionNumber: UInt64
  let sessionId: String
  let anonymousId: String
  let userId: String?
  let mode: PostlipMetrics.Options.ConsentMode
  let analytics: Bool
  let marketing: Bool

  init(
    generation: UInt64, sessionNumber: UInt64, sessionId: String, anonymousId: String,
    userId: String?, mode: PostlipMetrics.Options.ConsentMode, analytics: Bool, marketing: Bool
  ) {
    self.generation = generation
    self.sessionNumber = sessionNumber
    self.sessionId = sessionId
    self.anonymousId = anonymousId
    self.userId = userId
    self.mode = mode
    self.analytics = analytics
    self.marketing = marketing
  }

  /// The same circumstances with another user.
  func with(userId: String?) -> Circumstances {
    Circumstances(
      generation: generation + 1, sessionNumber: sessionNumber, sessionId: sessionId,
      anonymousId: anonymousId, userId: userId, mode: mode, analytics: analytics,
      marketing: marketing)
  }

  /// The same circumstances with another consent.
  func with(analytics: Bool, marketing: Bool) -> Circumstances {
    Circumstances(
      generation: generation + 1, sessionNumber: sessionNumber, sessionId: sessionId,
      anonymousId: anonymousId, userId: userId, mode: mode, analytics: analytics,
      marketing: marketing)
  }

  /// A new visitor in a new session under the same consent (ID-16, ID-17).
  func reset(anonymousId: String, sessionId: String) -> Circumstances {
    Circumstances(
      generation: generation + 1, sessionNumber: sessionNumber + 1, sessionId: sessionId,
      anonymousId: anonymousId, userId: nil, mode: mode, analytics: analytics,
      marketing: marketing)
  }

  /// The same visitor in a new session.
  func with(sessionId: String) -> Circumstances {
    Circumstances(
      generation: generation + 1, sessionNumber: sessionNumber + 1, sessionId: sessionId,
      anonymousId: anonymousId, userId: userId, mode: mode, analytics: analytics,
      marketing: marketing)
  }

  /// The ids of these circumstances under the consent of later ones (S-48).
  /// - Parameter session: the session of an earlier process, if it belongs to one.
  func asOfLaunch(session: String?, consent later: Circumstances) -> Circumstances {
    // What is late, and what a session that is over still gets, starts none.
    let isCurrent = session == nil && sessionId == later.sessionId
    return Circumstances(
      generation: 1 << 63 | later.generation, sessionNumber: isCurrent ? sessionNumber : 0,
      sessionId: session ?? sessionId,
      anonymousId: anonymousId, userId: userId, mode: mode,
      analytics: later.analytics, marketing: later.marketing)
  }

  /// These circumstances in the session of earlier ones, which starts nothing any more.
  func inSession(of earlier: Circumstances) -> Circumstances {
    if earlier.sessionId == sessionId { return self }
    return Circumstances(
      generation: 1 << 62 | generation, sessionNumber: 0, sessionId: earlier.sessionId,
      anonymousId: anonymousId, userId: userId, mode: mode, analytics: analytics,
      marketing: marketing)
  }

  /// The same circumstances for a message that starts no session (S-59).
  var withoutStart: Circumstances {
    Circumstances(
      generation: 1 << 61 | generation, sessionNumber: 0, sessionId: sessionId,
      anonymousId: anonymousId, userId: userId, mode: mode, analytics: analytics,
      marketing: marketing)
  }

  var context: MetricsContext {
    MetricsContext(
      anonymousId: anonymousId, userId: userId, session: .init(id: sessionId),
      consent: .init(analytics: analytics, marketing: marketing))
  }
}
