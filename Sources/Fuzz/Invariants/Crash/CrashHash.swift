import FuzzHistory
import SimKernel

/// The hash that a crash was sent with: what a campaign has to know of a history, to see that equal
/// crashes of all devices have one (INV-52).
public struct CrashHash: Hashable, Sendable {
  /// A digest of what makes two crashes equal.
  public var crash: UInt64
  /// As it was sent.
  public var stackHash: String
  /// Of the processes of one history that had this crash, the one whose event was sent first.
  public var process: Int32

  public init(crash: UInt64, stackHash: String, process: Int32) {
    self.crash = crash
    self.stackHash = stackHash
    self.process = process
  }
}

extension TraceHash {
  /// Takes in a list of texts; where one ends counts.
  mutating func combine(_ texts: [String]) {
    for text in texts {
      Array(text.utf8).withUnsafeBytes { combine(bytes: $0) }
      combine(UInt64(text.utf8.count))
    }
  }
}
