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
  /// The device is shut down in good order.
  case shutdown
  /// It held a file lock in a shared container while it was suspended.
  case lockHeld
}

/// What kills the process from inside.
public enum CrashKind: UInt8, Sendable, CaseIterable {
  /// An exception that nobody catches; the runtime then aborts the process.
  case exception
  case abort
  case segmentationFault
  case busError
  case illegalInstruction
  case floatingPointException
  /// Also what a trap of the Swift runtime comes to.
  case trap

  /// As the system's headers write it; nil for an exception.
  public var signalName: String? {
    switch self {
    case .exception: return nil
    case .abort: return "SIGABRT"
    case .segmentationFault: return "SIGSEGV"
    case .busError: return "SIGBUS"
    case .illegalInstruction: return "SIGILL"
    case .floatingPointException: return "SIGFPE"
    case .trap: return "SIGTRAP"
    }
  }
}

/// Whose handler of crashes runs.
public enum CrashReporter: UInt8, Sendable, CaseIterable {
  /// It was there before the SDK was loaded.
  case earlier
  case sdk
  /// It came after the SDK, and calls whom it found there.
  case later
}

/// How another copy of the app comes onto the device.
public enum InstallKind: UInt8, Sendable, CaseIterable {
  /// Another version over the old one; all data stay.
  case update
  /// An older version over a newer one; all data stay.
  case downgrade
  /// The app was deleted with its data and comes back.
  case reinstall
  /// The system put the app away to save space and fetched it again; all data stay.
  case offload
  /// Another device, set up from a backup: what was excluded from backups is not there.
  case restore
}

/// Who tells the app that it enters the foreground, and in which order.
public enum AppStyle: String, Sendable, CaseIterable {
  /// One delegate for the whole app: a cold start becomes active without entering the foreground.
  case delegate
  /// Scenes: at a cold start the app is in the background until its first scene enters the
  /// foreground.
  case scenes
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

  /// Whether the step is more than a look: it changes files, or what outlives a power loss.
  public var isChange: Bool {
    switch self {
    case .list, .size, .read: false
    default: true
    }
  }
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

/// What happened to the lock of a container that app and extension share.
public enum StorageLockEvent: UInt8, Sendable, CaseIterable {
  /// The process has it.
  case taken
  /// The process asked for it in vain.
  case refused
  /// The process has given it back.
  case released
  /// An extension has it, for a while.
  case takenByExtension
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
