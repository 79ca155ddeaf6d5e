/// Why a file operation failed.
public enum StorageError: Error, Hashable, Sendable {
  /// No such file or directory.
  case notFound
  /// The file is protected and the device was not unlocked yet, or access is denied (B06, B07).
  /// The file is not absent and not damaged.
  case notPermitted
  /// No space left on the device; a part of the bytes may have been written.
  case noSpace
  /// A transient or permanent input/output error; a part of the bytes may have been written.
  case inputOutput
}

/// The file system under the app's container (CON-26 to CON-29).
///
/// Paths are relative to the container, with `/` between parts. Every file and directory is created
/// with the protection class "complete until first user authentication". Never called on the main
/// thread and never inside a public call. Offers no modification dates and no free space.
public protocol StoragePort: AnyObject, Sendable {
  /// The names of the files and directories in a directory, sorted by their bytes.
  func list(_ directory: String) throws(StorageError) -> [String]
  /// The size of a file in bytes.
  func size(_ path: String) throws(StorageError) -> Int
  /// Reads `count` bytes from `offset`; fewer where the file ends earlier.
  func read(_ path: String, offset: Int, count: Int) throws(StorageError) -> [UInt8]
  /// Creates or replaces a file with these bytes. Not atomic: a death may leave a part.
  func write(_ path: String, _ bytes: [UInt8]) throws(StorageError)
  /// Adds bytes at the end of a file and creates it where it is missing. Not atomic.
  func append(_ path: String, _ bytes: [UInt8]) throws(StorageError)
  /// Writes bytes over existing ones at `offset`, without changing the size beyond its need.
  func overwrite(_ path: String, offset: Int, _ bytes: [UInt8]) throws(StorageError)
  /// Cuts a file to `count` bytes.
  func truncate(_ path: String, to count: Int) throws(StorageError)
  /// Makes the file's content and name durable against power loss (`F_FULLFSYNC`).
  func barrier(_ path: String) throws(StorageError)
  /// Moves a file over another, atomically.
  func rename(_ path: String, to target: String) throws(StorageError)
  /// Removes a file, or a directory with all in it.
  func remove(_ path: String) throws(StorageError)
  /// Creates a directory and those above it; no error if it exists.
  func createDirectory(_ path: String) throws(StorageError)
  /// Keeps a file or directory out of backups.
  func excludeFromBackup(_ path: String) throws(StorageError)
}
