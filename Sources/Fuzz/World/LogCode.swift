import SDK

/// A short stable number for each kind of diagnostic, as histories hold it.
public enum LogCode: UInt8, CaseIterable, Sendable {
  case other = 0
  case loadIgnored
  case invalidHost
  case emptyWriteKey
  case configFailed
  case configApplied
  case callRefused
  case messageQueued
  case messageDropped
  case batchSent
  case batchAnswered
  case batchFailed
  case batchSplit
  case retryScheduled
  case writeKeyRefused
  case serverRejected
  case serverWarning
  case unreadableAnswer
  case storageFailed
  case userIdentifierLooksPersonal
  case consentNotStored

  init(_ diagnostic: Diagnostic) {
    switch diagnostic {
    case .loadIgnored: self = .loadIgnored
    case .invalidHost: self = .invalidHost
    case .emptyWriteKey: self = .emptyWriteKey
    case .configFailed: self = .configFailed
    case .configApplied: self = .configApplied
    case .callRefused: self = .callRefused
    case .messageQueued: self = .messageQueued
    case .messageDropped: self = .messageDropped
    case .batchSent: self = .batchSent
    case .batchAnswered: self = .batchAnswered
    case .batchFailed: self = .batchFailed
    case .batchSplit: self = .batchSplit
    case .retryScheduled: self = .retryScheduled
    case .writeKeyRefused: self = .writeKeyRefused
    case .serverRejected: self = .serverRejected
    case .serverWarning: self = .serverWarning
    case .unreadableAnswer: self = .unreadableAnswer
    case .storageFailed: self = .storageFailed
    case .userIdentifierLooksPersonal: self = .userIdentifierLooksPersonal
    case .consentNotStored: self = .consentNotStored
    default: self = .other
    }
  }
}
