/// How a process came to be.
public enum LaunchKind: UInt8, Sendable, CaseIterable {
  case foreground
  case background
  case prewarmed
}

/// Why a process ended.
public enum EndCause: UInt8, Sendable, CaseIterable {
  case userSwipe
  case memoryKill
  case crash
  case exit
  case backgroundOverrun
  case launchWatchdog
  case powerLoss
  /// The clean kill inside the calm.
  case calmKill
}

/// Where the app of a process stands.
public enum AppPhase: UInt8, Sendable, CaseIterable {
  case inactive
  case active
  case background
  case suspended
  case resumed
}

/// Which network the device has.
public enum LinkKind: UInt8, Sendable, CaseIterable {
  case none
  case wifi
  case cellular
  case captive
}

/// A step of the file system.
public enum DiskOperation: UInt8, Sendable, CaseIterable {
  case list
  case size
  case read
  case write
  case append
  case overwrite
  case truncate
  case barrier
  case rename
  case remove
  case createDirectory
  case excludeFromBackup
}

/// How a step of the file system ended.
public enum DiskOutcome: UInt8, Sendable, CaseIterable {
  case done
  case notFound
  case notPermitted
  case noSpace
  case inputOutput
  /// The process died in this step. Of a write `bytes` of the fact reached the file; a step that
  /// happens whole or not at all did not happen.
  case died
  /// The process died right after a step that happens whole or not at all had happened.
  case diedAfter
}

/// What the world did to a file behind the app's back.
public enum FileDamage: UInt8, Sendable, CaseIterable {
  case vanished
  case garbled
  case truncated
}

/// How a request ended for the app.
public enum ExchangeEnd: UInt8, Sendable, CaseIterable {
  case answer
  case timedOut
  case cannotFindHost
  case cannotConnect
  case connectionLost
  case secureConnectionFailed
  case notConnected
  case cancelled
}
