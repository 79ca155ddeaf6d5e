import FuzzHistory
import SimKernel

/// The five kinds of messages, numbered as in the journal.
public enum MessageType: UInt8, Sendable {
  case track = 1
  case screen
  case identify
  case group
  case alias

  /// As it stands on the wire.
  var word: StaticString {
    switch self {
    case .track: return "track"
    case .screen: return "screen"
    case .identify: return "identify"
    case .group: return "group"
    case .alias: return "alias"
    }
  }
}

/// Why a message was lost lawfully: the closed list of A-02.
public enum LossReason: UInt8, Sendable, CaseIterable {
  case refused
  case tooLarge
  case duplicateInQueue
  case holdOverflow
  case diedInHold
  case memoryOnlyProcessEnd
  case lockedProcessEnd
  case consentRevoked
  case queueBound
  case expired
  case serverFinal
  case traitsLost
  case diskFullThenDeath
  case fileFault
  case powerLossUnsynced
  case diedBeforeAppend

  /// The word of the requirements.
  public var word: String {
    switch self {
    case .refused: return "refused"
    case .tooLarge: return "too_large"
    case .duplicateInQueue: return "duplicate_in_queue"
    case .holdOverflow: return "hold_overflow"
    case .diedInHold: return "died_in_hold"
    case .memoryOnlyProcessEnd: return "memory_only_process_end"
    case .lockedProcessEnd: return "locked_process_end"
    case .consentRevoked: return "consent_revoked"
    case .queueBound: return "queue_bound"
    case .expired: return "expired"
    case .serverFinal: return "server_final"
    case .traitsLost: return "traits_lost"
    case .diskFullThenDeath: return "disk_full_then_death"
    case .fileFault: return "file_fault"
    case .powerLossUnsynced: return "power_loss_unsynced"
    case .diedBeforeAppend: return "died_before_append"
    }
  }
}

/// What makes the SDK send a message.
public enum MessageCause: Hashable, Sendable {
  /// The host call with this index in `History.calls`.
  case call(UInt32)
  /// The app came to the foreground, or `load` met it there.
  case appOpen(fromBackground: Bool)
  /// Another version runs than before: an index in `ReferenceModel.changes`.
  case appUpdated(change: Int32)
  /// A screen view was left, for good or for the background: an index in `ReferenceModel.leaves`.
  case screenLeave(Int32)
  /// A controller appeared: an index in `ReferenceModel.automaticNames`.
  case automaticScreen(Int32)
  /// A process has crashed: a place in `ReferenceModel.crashes`.
  case crash(Int32)
  /// The main thread hung: an index in `ReferenceModel.hangs`.
  case hang(Int32)
  /// The app was installed; with Apple's answer to the token, nil where none came in time.
  case firstOpen(answer: ByteSlice?)
}

/// A message that one host call, or something that happened to the app, must yield, and what became
/// of it.
public struct ExpectedMessage {
  /// Where the message stands in the SDK.
  public enum Place: UInt8, Sendable {
    /// In the hold buffer of its process.
    case held
    /// In the queue of the living process.
    case queued
    /// On disk, found by the living process, which has not applied its config yet.
    case dormant
    /// On disk while no process has loaded it.
    case stored
    /// Out of the queue.
    case gone
  }

  public var cause: MessageCause
  /// Counts everything that happens in a run and may yield messages, in order.
  public var occurrence: Int64
  public var process: Int32
  public var thread: UInt16
  public var type: MessageType
  public var callInstant: Instant
  /// It may have come into the queue well before it was found there.
  var isQueueingOpen = false
  /// When it came into the queue; nil before.
  public var enqueuedInstant: Instant?
  /// Running time of its process when it came into the queue, in nanoseconds.
  var enqueuedRunning: Int64 = 0
  /// When it came into the queue, once the SDK was free of a job that ran then.
  var takenInstant: Instant?
  /// Anchored time of the call.
  public var timestampMilliseconds: Int64
  /// The clock that runs in sleep, at the call.
  public var continuous: Int64

  // What the call saw.
  var network: LinkKind
  var locale: ByteSlice
  var zone: ByteSlice
  var screenSize: ScreenSize
  var isTrackingAuthorized = false

  // What was sealed when it came into the queue.
  public var analytics = false
  public var marketing = false
  /// How often analytics had come or gone in its process.
  var consentEpoch: UInt32 = 0
  /// Its process began under a stored decision that differs from the mode's default, and nothing
  /// was decided since.
  var isUnderStoredDecision = false
  var anonymous: Int32 = -1
  var session: Int32 = -1
  /// Index in `ReferenceModel.users`; -1 is none.
  var user: Int32 = -1
  public var startsSession = false
  /// What began its session.
  public var sessionOrigin = SessionOrigin.launch
  /// It was made in the foreground.
  var isFromForeground = false
  /// A message before it may have taken the session's start flag with it: whether this one has it
  /// is open.
  var startIsOpen = false
  /// The message before it that has the start flag of its session, or -1.
  var flagMessage: Int32 = -1

  /// FNV-1a 64 of its id, once known.
  public var identifierHash: UInt64 = 0
  public var hasIdentifier = false
  /// Its id is the caller's.
  public var hasCallersIdentifier = false
  /// Its id as bytes of the arena, once known.
  public var identifier: ByteSlice = .empty
  /// The expected message with the same id before this one, or -1.
  var previousSameIdentifier: Int32 = -1

  /// Its bytes in `ReferenceModel.buffer`, with holes for what is not known yet.
  var bytes: Range<Int> = 0..<0
  /// The part of `bytes` with the traits, trailing comma included; empty if there are none.
  var traits: Range<Int> = 0..<0
  /// The part of `bytes` with the advertising id, trailing comma included; empty where none may be.
  var advertising: Range<Int> = 0..<0
  var identifierHole = -1
  var anonymousHole = -1
  var previousHole = -1
  var sessionHole = -1
  var pageviewHole = -1
  /// The screen view that it begins or leaves, or -1.
  var pageview: Int32 = -1

  public var place = Place.held
  /// The running exchange or the retry that holds it: counts as in flight.
  public var isInFlight = false
  /// The lawful reason for its loss; nil while there is none.
  public var loss: LossReason?
  /// When the loss happened, or the message went out of sight.
  var lossInstant: Instant?
  /// The world's own delays leave open whether the loss happened.
  var isDoubtful = false
  /// It may have been evicted, since the queue may have been full.
  var mayBeEvicted = false
  /// It left the SDK without any lawful reason, where.
  var unlawful: UnlawfulLoss?
  /// The collector accepted it.
  public var isDelivered = false
  /// The app heard that it is settled.
  var isSettled = false
  /// The first and the newest request that held it; -1 before.
  public var firstExchange: Int64 = -1
  public var lastExchange: Int64 = -1
  /// In how many requests it reached the collector and was accepted.
  public var acceptedArrivals = 0
  /// The newest record in the journal, or -1.
  public var journalRecord: Int = -1
  /// A lawful loss that was taken back when the message was found or sent again; it holds if
  /// nothing better comes of it.
  var formerLoss: LossReason?
  /// The process in which the loss happened.
  var lossProcess: Int32 = -1
  /// From when it ages.
  var aging = AgingStamp()
  /// It had left the queue and was found on disk again, its removal not being durable: it keeps no
  /// place in the order.
  var cameBack = false
  /// Running time of its process when it came to the disk, in nanoseconds.
  var appendedRunning: Int64 = 0
  /// When the last process ended that had it, no barrier needed to cover it yet.
  var mayBeUnsynced = false
  /// A file that held it was damaged; a process may have read it before, after, or at another place
  /// where it was written anew.
  var wasInDamagedFile = false
  /// The newest process that failed to read a file that held it, or saw it damaged.
  var troubledProcess: Int32 = -1
  /// The process that may keep it from its requests until the mark of its attempt can be written
  /// or -1.
  var heldBackProcess: Int32 = -1
  /// The SDK took it off the disk while it waited to be sent.
  var isTakenOff = false
  /// The process whose revoke had to bring it back from disk into memory, or -1.
  var readBackProcess: Int32 = -1

  public var isSighted: Bool { firstExchange >= 0 }

  /// A revoke had to bring it back from disk into memory.
  var isReadAtRevoke: Bool { readBackProcess >= 0 }

  /// That process could not read a file in which it lay (B06).
  var isUnreadAtRevoke: Bool { isReadAtRevoke && troubledProcess == readBackProcess }
}

/// The instant from which a message ages, on the clocks that A-03 names.
struct AgingStamp {
  /// Anchored time.
  var milliseconds: Int64 = 0
  var boot: UInt64 = 0
  /// The clock that runs in sleep.
  var continuous: Int64 = 0
}

/// Where a message went out of sight although nothing allowed it.
enum UnlawfulLoss: UInt8 {
  case notOnDiskAtProcessEnd
  case goneFromDisk
  case notDurable
}
