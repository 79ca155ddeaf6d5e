/// When a session ends: a pure value that is told what happens and says when the next one begins.
///
/// In the foreground no session ends, however long nothing happens (SES-05). In the background it
/// ends for whoever comes after more than the timeout: the return (SES-03) or a message (SES-04).
/// Time counts from the later of the background entry and the session's start, and a message in the
/// background does not move that (S-45).
///
/// All instants are of the clock that runs in sleep, in nanoseconds.
struct SessionClock: Equatable, Sendable {
  let timeoutNanoseconds: Int64
  /// From when time counts against the session; nil in the foreground.
  private(set) var idleSince: Int64?

  /// Begins in the background: an app is not in the foreground until it says so.
  /// - Parameters:
  ///   - timeoutNanoseconds: how long the app may be in the background within one session.
  ///   - idleSince: the session's start, or the last activity of one that goes on.
  init(timeoutNanoseconds: Int64, idleSince: Int64) {
    self.timeoutNanoseconds = timeoutNanoseconds
    self.idleSince = idleSince
  }

  /// Inactive counts as foreground (S-46).
  var isInForeground: Bool { idleSince == nil }

  /// The app comes to the foreground.
  /// - Returns: whether a new session begins with it.
  mutating func foreground(at uptime: Int64) -> Bool {
    let isOver = isOver(at: uptime)
    idleSince = nil
    return isOver
  }

  /// The app goes to the background.
  /// - Returns: false if it was there already, which changes nothing.
  @discardableResult
  mutating func background(at uptime: Int64) -> Bool {
    if idleSince != nil { return false }
    idleSince = uptime
    return true
  }

  /// A message arises.
  /// - Returns: whether a new session begins with it.
  mutating func message(at uptime: Int64) -> Bool {
    guard isOver(at: uptime) else { return false }
    idleSince = uptime
    return true
  }

  /// A session begins for another reason (SES-02).
  mutating func restart(at uptime: Int64) {
    if idleSince != nil { idleSince = uptime }
  }

  /// A stay of exactly the timeout keeps the session (SES-08).
  private func isOver(at uptime: Int64) -> Bool {
    guard let idleSince else { return false }
    return uptime &- idleSince > timeoutNanoseconds
  }

  /// For how long the session of an earlier process was idle when this one began (S-44).
  /// - Parameters:
  ///   - lastActivity: the stored stamp, in anchored milliseconds.
  ///   - now: the wall clock at this process's anchor, in milliseconds.
  /// - Returns: nil if the session does not go on: the stay was over the timeout, or the clock says
  ///   that it has not begun yet.
  static func idleMilliseconds(
    since lastActivity: Int64, now: Int64, timeoutNanoseconds: Int64
  ) -> Int64? {
    let (idle, isHuge) = now.subtractingReportingOverflow(lastActivity)
    if isHuge || idle < 0 || idle > timeoutNanoseconds / 1_000_000 { return nil }
    return idle
  }
}
