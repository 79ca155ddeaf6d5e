import FuzzHistory
import SimKernel

/// Who holds the lock of a container that the app shares with its extensions.
public struct StorageLockTable {
  /// The process of the app that holds it, or -1.
  public private(set) var holder: Int32 = -1
  /// The process of the app that had it last, or -1.
  private var keeper: Int32 = -1
  /// An extension has had it since `keeper` gave it back.
  private var isBroken = false
  /// The newest record says that a process has not, or not any more, what it knew of the files.
  public private(set) var tookKnowledge = false
  /// The newest record gave a process the lock that it had not had, or had given back.
  public private(set) var isNewGrant = false

  public init() {}

  mutating func take(_ record: Record) {
    tookKnowledge = false
    isNewGrant = false
    switch record.fact {
    case .storageLock(.takenByExtension): isBroken = true
    case .storageLock(.refused): tookKnowledge = true
    case .storageLock(.released): if holder == record.process { holder = -1 }
    case .storageLock(.taken):
      isNewGrant = holder != record.process
      tookKnowledge = keeper == record.process && isBroken
      holder = record.process
      keeper = record.process
      isBroken = false
    case .ended:
      if holder == record.process { holder = -1 }
      if keeper == record.process { keeper = -1 }
    default: break
    }
  }
}
