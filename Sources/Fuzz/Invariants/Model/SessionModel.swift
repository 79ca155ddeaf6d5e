import FuzzHistory

/// What began the session that a message belongs to.
public enum SessionOrigin: UInt8, Sendable {
  /// The process began without a session that could go on.
  case launch
  /// The stored session was over (S-44).
  case lateLaunch
  /// The session of an earlier process goes on (SES-09).
  case stored
  case reset
  /// A return after more than the timeout (SES-03).
  case foreground
  /// A message in the background after more than the timeout (SES-04).
  case message

  /// Whether the time between two uses of the app decided.
  var isDecidedByTime: Bool {
    switch self {
    case .launch, .reset: return false
    case .lateLaunch, .stored, .foreground, .message: return true
    }
  }

  var words: String {
    switch self {
    case .launch: return "the first one of its process"
    case .lateLaunch: return "a new one, the stored one being over"
    case .stored: return "the stored one"
    case .reset: return "the one since the reset"
    case .foreground: return "the one since a return after more than the timeout"
    case .message: return "the one since a background message after more than the timeout"
    }
  }
}

/// The session of an install for its next process, as far as the facts tell.
enum StoredSession {
  /// The facts leave it open: what the process reads tells.
  case open
  /// A wipe has taken it.
  case absent
  case known(KnownSession)
}

struct KnownSession {
  /// An index of drawn ids.
  var session: Int32
  var hasStart: Bool
  /// Whether `hasStart` may already be on disk or not.
  var isStartOpen: Bool
  /// The message with the start flag, or -1.
  var flagMessage: Int32 = -1
  /// The bounds of its stamp, in anchored milliseconds.
  var earliest: Int64
  var latest: Int64
}

/// `session.json` as a process has read it.
struct ReadSession {
  var id: [UInt8]
  var isFlagged: Bool
  var lastActivity: Int64

  init?(_ content: [UInt8]) {
    guard content.count <= 1_024, let value = try? JSONValue.parse(content),
      value["version"]?.integer == 1, let id = value["id"]?.string,
      let isFlagged = value["flagged"]?.bool, let lastActivity = value["lastActivity"]?.integer,
      Array(id.utf8).withUnsafeBytes({ UUIDText.isRandom($0) })
    else { return nil }
    self.id = Array(id.utf8)
    self.isFlagged = isFlagged
    self.lastActivity = lastActivity
  }
}

/// The session of a running process: when it is over, and what its record must say (SES-03 to
/// SES-05, S-45, A-20).
struct SessionModel {
  /// In nanoseconds.
  var timeout: Int64 = .max
  /// From when time counts against the session, on the clock that runs in sleep; nil in the
  /// foreground.
  var idleSince: Int64? = 0
  var origin = SessionOrigin.launch
  /// When it began, in the running time of its process.
  var began: Int64 = 0
  /// When its first message was queued, in running time.
  var flagged: Int64?
  /// That message, or -1.
  var flagMessage: Int32 = -1

  /// The newest stamp of use, in anchored milliseconds, and when it was made in running time.
  private(set) var stamp: Int64 = 0
  private(set) var stamped: Int64 = 0
  /// The newest stamp that had to be on disk when `stamp` was made.
  private var olderStamp: Int64 = 0
  /// A message may have moved the stamp or not.
  private var highestStamp: Int64 = 0

  func isOver(at continuous: Int64) -> Bool {
    guard let idleSince else { return false }
    return continuous - idleSince > timeout
  }

  /// A session begins.
  mutating func begin(
    _ origin: SessionOrigin, at continuous: Int64, stamp: Int64, running: Int64
  ) {
    self.origin = origin
    if idleSince != nil { idleSince = continuous }
    began = running
    flagged = nil
    flagMessage = -1
    set(stamp, running)
  }

  /// The app is used, or was until now.
  /// - Parameter slack: how long the record may lag behind.
  mutating func use(_ stamp: Int64, running: Int64, slack: Int64) {
    if running - stamped > slack { olderStamp = self.stamp }
    self.stamp = max(self.stamp, stamp)
    highestStamp = max(highestStamp, self.stamp)
    stamped = running
  }

  /// Whether the app was used now is open.
  mutating func perhapsUse(_ stamp: Int64) { highestStamp = max(highestStamp, stamp) }

  /// The newest use may have moved nothing.
  mutating func doubtUse() { stamp = min(stamp, olderStamp) }

  /// What the record says, if it was written in time.
  func bounds(running: Int64, slack: Int64) -> ClosedRange<Int64> {
    let earliest = running - stamped > slack ? stamp : min(olderStamp, stamp)
    return earliest...max(earliest, highestStamp)
  }

  mutating func set(_ stamp: Int64, _ running: Int64) {
    self.stamp = stamp
    olderStamp = stamp
    highestStamp = stamp
    stamped = running
  }
}
