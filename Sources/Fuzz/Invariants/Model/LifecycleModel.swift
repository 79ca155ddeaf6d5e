import FuzzHistory
import SimKernel

/// The instant of something that makes messages, with what the SDK reads at it.
struct CauseMoment {
  var instant = Instant.start
  /// The clock that runs in sleep.
  var continuous: Int64 = 0
  /// See `ExpectedMessage.occurrence`.
  var occurrence: Int64 = 0
  var network = LinkKind.wifi
  var locale = ByteSlice.empty
  var zone = ByteSlice.empty
  var screenSize = ScreenSize(width: 0, height: 0)
  /// Tracking was authorized.
  var isTrackingAuthorized = false
}

/// A version of the app with its build, as it stands in messages.
struct AppPair: Hashable {
  var version: [UInt8]
  var build: [UInt8]
}

/// One update, downgrade or new build.
struct AppChange: Hashable {
  var previous: AppPair
  var current: AppPair
}

/// What `install.json` says beside the ids.
struct ReadMarks {
  /// `$first_open` as an earlier process left it.
  struct Pending {
    var identifierHash: UInt64
    var session: [UInt8]
    var milliseconds: Int64
  }

  var app: AppPair?
  var firstOpen: Pending?
  var isOpened = false

  /// - Returns: nil if a member is not what it should be: the whole record counts as none then.
  init?(_ value: JSONValue) {
    if let app = value["app"] {
      guard let version = app["version"]?.string, let build = app["build"]?.string else {
        return nil
      }
      self.app = AppPair(version: Array(version.utf8), build: Array(build.utf8))
    }
    if let pending = value["firstOpen"] {
      guard let id = pending["messageId"]?.string, let session = pending["sessionId"]?.string,
        let time = pending["time"]?.integer, ReadMarks.isIdentifier(id),
        ReadMarks.isIdentifier(session)
      else { return nil }
      firstOpen = Pending(
        identifierHash: hashIdentifier(Array(id.utf8)), session: Array(session.utf8),
        milliseconds: time)
    }
    if let opened = value["opened"] {
      guard let isOpened = opened.bool else { return nil }
      self.isOpened = isOpened
    }
  }

  private static func isIdentifier(_ text: String) -> Bool {
    Array(text.utf8).withUnsafeBytes { UUIDText.isRandom($0) }
  }
}

/// `$first_open` while it is due and was not seen yet.
struct DueOpen {
  var milliseconds: Int64
  var session: Int32
  var anonymous: Int32
  var user: Int32
  /// An earlier process made it due.
  var isLate: Bool
  /// The id under which it must go; nil where it is drawn.
  var identifierHash: UInt64?
  var moment: CauseMoment
  /// When the wait began, on the clock that runs in sleep and in running time.
  var sinceContinuous: Int64
  var sinceRunning: Int64
  /// What became of the attribution since; nil while that is open.
  var told: AttributionOutcome?
  /// When that was, on the clock that runs in sleep.
  var toldContinuous: Int64 = 0
  var attribution = AttributionWait()
  /// When it was told, also in running time.
  var toldInstant = Instant.start
  var toldRunning: Int64 = 0
  /// The queue was full while it was due: there may have been no room for it (S-17).
  var mayLackRoom = false
  /// The world's delays leave open whether it is due.
  var isOptional = false
}

/// What one process of the app makes of its lifecycle.
struct LifecycleModel {
  /// `load`; nil before.
  var load: CauseMoment?
  /// When `load` was called, in running time.
  var loadRunning: Int64 = 0
  /// The clock that runs in sleep, at the first call that yields a message.
  var firstMessageContinuous: Int64?
  /// `load` was reached in the order of calls.
  var hasBegun = false
  var read: ReadMarks?
  /// What the decision's file says.
  var isOpenedByDecision = false
  var isOpened = false
  /// The world's delays leave open whether it counts as opened.
  var isOpeningOpen = false
  /// The version that was last known, until it is reported that another one runs.
  var app: AppPair?
  var due: DueOpen?
  /// How often the token was asked for, and how often it was told.
  var asked = 0
  var told = 0
  /// The one that a revoke took away before any attempt, or -1.
  var withdrawn: Int32 = -1
}

/// What is true of `$first_open` over all processes of one install.
struct OpeningTruth {
  /// One was queued, and no revoke took it away before any attempt.
  var isMade = false
  /// The newest one that was queued, or -1.
  var newest: Int32 = -1
  /// The process that last wrote on disk that one was tried, and when, in its running time.
  var marked: (process: Int32, running: Int64) = (-1, 0)
  /// The process that wrote so died before the request, or the disk failed it: a later revoke takes
  /// that for an attempt.
  var mayBeMarked = false
  /// One that was withdrawn in a process that may not have known of it, or -1.
  var withdrawnInDoubt: Int32 = -1
  /// It was switched off when it would have been queued (S-51).
  var isWaived = false
  /// A full queue may have taken it out before it was seen.
  var mayBeEvicted = false
  /// The world damaged what tells that it was.
  var isExcused = false
  /// A launch that must be stored as the one that it belongs to: its time.
  var pendingMilliseconds: Int64?
  /// A barrier must have covered that by now.
  var isPendingDurable = false
}

/// What is wrong with a `$first_open`, beside its content.
public enum FirstOpenFault: Sendable {
  /// It left before the facts were known and before 20 s had passed.
  case early
  /// It came into the queue well after the facts were known or 20 s had passed.
  case late
  /// It belongs to another launch than the one that was stored.
  case wrongLaunch
  /// Nobody asked where the install came from.
  case unasked
}
