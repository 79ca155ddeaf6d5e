/// What the SDK has to say to a developer (OPT-06, OPT-30): typed, without properties, traits,
/// tokens.
public enum Diagnostic: Hashable, Sendable {
  /// Why a call was refused.
  public enum Refusal: UInt8, Sendable {
    case reservedEventName
    case emptyName
    case emptyIdentifier
    case aliasToItself
    case nothingToIdentify
    case neverStarted
  }
  /// Why a message left the queue without delivery.
  public enum Drop: UInt8, Sendable {
    case tooLarge
    case duplicateInQueue
    case holdOverflow
    case consentRevoked
    case queueBound
    case expired
    case refusedByServer
    case traitsLost
    case fileFault
  }

  case loadIgnored
  case invalidHost
  case emptyWriteKey
  case noPlatform
  case configFailed
  case configApplied
  case callRefused(Refusal)
  case messageIdentifierIgnored
  case userIdentifierLooksPersonal
  /// The app decided on consent before the first unlock: only a withdrawal is stored, and only once
  /// files can be read (S-33, A-07).
  case consentNotStored
  case propertyLeftOut(key: String)
  case messageQueued(id: String, bytes: Int)
  case messageDropped(id: String, Drop)
  case batchSent(messages: Int, bytes: Int, attempt: UInt32)
  case batchAnswered(status: Int, messages: Int)
  case batchFailed(HTTPFailure, messages: Int)
  case batchSplit(messages: Int)
  case retryScheduled(afterMilliseconds: Int64)
  case writeKeyRefused
  case serverRejected(id: String)
  case serverWarning
  case unreadableAnswer
  case storageFailed(StorageError)
  /// Another process has the folder of a shared group, or has had it since: this one runs from
  /// memory.
  case storageElsewhere
  /// Records of the journal that could not be used.
  case journalDamaged(records: Int)

  /// Whether it is logged also with `debug` off (OPT-30, S-20, S-21).
  public var needsAttention: Bool {
    switch self {
    case .invalidHost, .emptyWriteKey, .noPlatform, .writeKeyRefused, .userIdentifierLooksPersonal,
      .consentNotStored:
      return true
    default:
      return false
    }
  }
}

/// Where diagnostics go; subsystem `com.postlip.metrics` on Apple systems.
public protocol LogPort: AnyObject, Sendable {
  func log(_ diagnostic: Diagnostic)
}
