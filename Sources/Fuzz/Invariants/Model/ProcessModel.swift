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

/// What happened to the app since `load`, in the order of the calls.
enum LifecycleEvent {
  /// `load` itself.
  case load(isForeground: Bool)
  case foreground
  case background
}

/// A call, or something that happened to the app, that waits for the config to be applied.
struct HeldItem {
  enum Kind {
    /// The index in `History.calls`.
    case call(UInt32)
    /// Takes no room and is never evicted.
    case lifecycle(LifecycleEvent)
    /// A controller that is a screen: as `lifecycle`.
    case appearance(Int32)
  }

  var kind: Kind
  /// The expected message, or -1.
  var message: Int32
  /// The clock that runs in sleep, when it happened.
  var continuous: Int64
  var moment: CauseMoment
  var isEvicted = false

  var isLifecycle: Bool {
    switch kind {
    case .call: return false
    case .lifecycle, .appearance: return true
    }
  }
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
  var appPair = AppPair(version: [], build: [])
  var configExchange: Int64 = -1
  /// The system has tokens for Apple's attribution API.
  var hasAttribution = false
  /// What had happened before its launch; see `ExpectedMessage.occurrence`.
  var firstOccurrence: Int64 = 0
  /// What happened up to this occurrence carries no advertising id in this process any more.
  var advertisingClosed: Int64 = -1

  /// What lies on disk was not looked at yet.
  var hasToLoadQueue = false
  var held: [HeldItem] = []
  /// Held calls that were not evicted.
  var heldCount = 0
  private(set) var nextEviction = 0

  /// By the phases: where the app stands.
  var isForeground = false
  /// A debugger is attached.
  var isDebugged = false
  /// The path of the newest screen that its arguments did not refuse; empty before the first.
  var shownPath = ""
  /// The same of the app's own calls alone.
  var ownPath = ""
  /// The process has had its first `$app_open`.
  var hasOpened = false
  var lifecycle = LifecycleModel()
  var screens = ScreenModel()

  var startedInstant: Instant?
  /// The same, in running time.
  var startedRunning: Int64?
  /// When the app last went to the background, in running time.
  var backgroundRunning: Int64?
  var analytics = false
  var marketing = false
  var anonymous: Int32 = -1
  var session: Int32 = -1
  var sessionHasStart = false
  /// See `ExpectedMessage.startIsOpen`.
  var startIsOpen = false
  var user: Int32 = -1

  /// What `consent.json` said when the process read it.
  var decisionRead = DecisionRead.notYet
  /// What was decided, by the file and the calls since.
  var decision = ConsentDecision()
  /// The decision that the process started with; nil if it could not be read.
  var decisionAtStart: ConsentDecision?
  /// See `ExpectedMessage.isUnderStoredDecision`.
  var isUnderStoredDecision = false
  /// When the decision last changed, in the running time of the process.
  var decisionChanged: Int64?
  /// A whole spare lay on disk when the decision last changed.
  var decisionHadSpare = false
  /// How often analytics came or went in this process.
  var consentEpoch: UInt32 = 0
  /// The process knows no decision and stores nothing but withdrawals (S-34, A-07).
  var isMemoryOnly = false
  var startedWithoutAnalytics = false
  /// Another process has the storage, or has had it since.
  var isRefusedStorage = false
  /// Analytics was withdrawn while the process ran from memory.
  var hasWithdrawnInMemory = false
  /// The process was allowed to store at some time.
  var hasStored = false

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

  var sessionModel = SessionModel()
  /// What `session.json` said when the process read it; nil if nothing usable.
  var readSession: ReadSession?
  /// Reading `session.json` failed although it is there.
  var sessionIsUnreadable = false
  /// It goes on with a session whose flag, if there is one, lies where it failed to look.
  var mayMissFlag = false
  var hasStartedWithConsent = false
  /// The process started with the ids of an earlier one.
  var hasAdoptedIdentity = false

  /// The same as `ReferenceModel.newestSighted` of a process that runs from memory alone.
  var newestSighted: Int32 = -1
  /// The most messages that its queue may have held at one time without anybody having found them.
  var hiddenMessages = 0
  /// Calls evicted from the hold buffer.
  var evictedCalls = 0

  static let holdCapacity = 200

  /// Takes a slot of the hold buffer.
  /// - Returns: the message of the call that had to go for it, -1 if that had none, nil if there
  ///   was room.
  mutating func hold(_ item: HeldItem) -> Int32? {
    if item.isLifecycle {
      held.append(item)
      return nil
    }
    var evicted: Int32?
    if heldCount >= ProcessModel.holdCapacity {
      while held[nextEviction].isEvicted || held[nextEviction].isLifecycle {
        nextEviction += 1
      }
      held[nextEviction].isEvicted = true
      evicted = held[nextEviction].message
      heldCount -= 1
      evictedCalls += 1
    }
    held.append(item)
    heldCount += 1
    return evicted
  }

  /// Anchored time of a reading of the clock that runs in sleep, in nanoseconds.
  func anchoredTime(continuous: Int64) -> Int64 {
    (anchorWall ?? 0) &+ (continuous &- anchorContinuous)
  }

}

/// Milliseconds of a count of nanoseconds, rounded down.
func millisecondsFloor(_ nanoseconds: Int64) -> Int64 {
  let whole = nanoseconds / 1_000_000
  return nanoseconds < 0 && nanoseconds % 1_000_000 != 0 ? whole - 1 : whole
}
