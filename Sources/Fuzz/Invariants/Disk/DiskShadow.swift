import FuzzHistory
import SimKernel

/// The files of the SDK as they are on disk, rebuilt byte by byte from the facts.
public final class DiskShadow {
  /// One file and its content.
  public struct File {
    public var path: ByteSlice
    public var content: [UInt8]
    /// Whether the world ever damaged it.
    public var wasDamaged = false
  }

  let arena: UnsafeRawBufferPointer
  public private(set) var files: [File] = []

  init(arena: UnsafeRawBufferPointer, storageDirectory: String) {
    self.arena = arena
  }

  func take(_ record: Record) {}
}
