import FuzzHistory
import SimKernel

/// An id that the SDK draws by chance: not known until first seen, the same from then on.
struct DrawnIdentifier {
  /// 36 bytes once known.
  var bytes: [UInt8] = []
  /// It was read from disk: it may be one that was drawn before.
  var isRead = false
  var isKnown: Bool { !bytes.isEmpty }
}

/// A call that waits for the config to be applied.
struct HeldCall {
  var call: UInt32
  /// The expected message, or -1.
  var message: Int32
  var isEvicted = false
}

/// What one process of the app has come to, by the requirements.
struct ProcessModel {
  enum Stage: UInt8 {
    /// `load` was not called yet.
    case fresh
    /// Between `load` and the config.
    case loading
    case started
    /// A bad host or an empty key: never starts (S-21).
    case refused
  }

  var stage = Stage.fresh
  var boot: UInt64 = 0
  /// The wall clock and the clock that runs in sleep at the first call, in nanoseconds.
  var anchorWall: Int64?
  var anchorContinuous: Int64 = 0
  var options = ResolvedOptions()
  var contextParts = ContextParts()
  var configExchange: Int64 = -1

  /// What lies on disk was not looked at yet.
  var hasToLoadQueue = false
  var held: [HeldCall] = []
  /// Held calls that were not evicted.
  var heldCount = 0
  private(set) var nextEviction = 0

  var startedInstant: Instant?
  var analytics = false
  var marketing = false
  var anonymous: Int32 = -1
  var session: Int32 = -1
  var sessionHasStart = false
  /// See `ExpectedMessage.startIsOpen`.
  var startIsOpen = false
  var user: Int32 = -1

  /// What `install.json` said when the process read it; nil if it could not be read.
  var installAnonymousId: [UInt8]?
  var installUserId: String?
  /// Since when the process stores what it knows, in its running time; nil while it does not.
  var storingSince: Int64?
  /// When visitor or user last changed.
  var identityChanged: Int64 = 0
  /// When analytics was last withdrawn.
  var revoked: Int64?
  /// Reading `install.json` failed although it is there.
  var installIsUncertain = false

  /// Calls evicted from the hold buffer.
  var evictedCalls = 0

  static let holdCapacity = 200

  /// Takes a slot of the hold buffer.
  /// - Returns: the message of the call that had to go for it, -1 if that had none, nil if there
  ///   was room.
  mutating func hold(_ call: HeldCall) -> Int32? {
    var evicted: Int32?
    if heldCount >= ProcessModel.holdCapacity {
      while held[nextEviction].isEvicted { nextEviction += 1 }
      held[nextEviction].isEvicted = true
      evicted = held[nextEviction].message
      heldCount -= 1
      evictedCalls += 1
    }
    held.append(call)
    heldCount += 1
    return evicted
  }

  /// Anchored time of a reading of the clock that runs in sleep, in nanoseconds.
  func anchoredTime(continuous: Int64) -> Int64 {
    (anchorWall ?? 0) &+ (continuous &- anchorContinuous)
  }

  /// The mode gives the flags until `consent` says otherwise (CON-01, CON-09, CON-10).
  mutating func applyMode() {
    analytics = options.mode != .required
    marketing = analytics
  }
}

/// Milliseconds of a count of nanoseconds, rounded down.
func millisecondsFloor(_ nanoseconds: Int64) -> Int64 {
  let whole = nanoseconds / 1_000_000
  return nanoseconds < 0 && nanoseconds % 1_000_000 != 0 ? whole - 1 : whole
}
