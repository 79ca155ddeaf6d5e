@testable import SDK

/// The lock of a shared container that a test hands to others and back.
final class ManualLock: StorageLockPort, @unchecked Sendable {
  var isShared = false
  /// Another process holds it.
  var isElsewhere = false {
    didSet { if isElsewhere { wasElsewhere = true } }
  }
  private var wasElsewhere = false
  private(set) var isHeld = false
  private(set) var asked = 0

  func tryLock() -> StorageLockAnswer {
    asked += 1
    if isElsewhere { return .refused }
    defer { wasElsewhere = false }
    let isFirst = !hasHeld
    isHeld = true
    hasHeld = true
    return wasElsewhere && !isFirst ? .grantedAfterAnother : .granted
  }
  private var hasHeld = false

  func unlock() { isHeld = false }

  /// The process is gone.
  func endProcess() {
    isHeld = false
    hasHeld = false
  }
}
