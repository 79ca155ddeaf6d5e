import Foundation

/// A file that appears whole under its name or not at all.
///
/// It is written beside its place under a temporary name and renamed by `finish()`. A file that is
/// dropped before leaves nothing behind.
public final class AtomicFile {
  private let path: String
  private let temporary: String
  private var descriptor: Int32
  private var buffer: [UInt8] = []

  /// Opens the temporary file.
  /// - Throws: `InputError` when the folder is missing or not writable.
  public init(path: String) throws {
    self.path = path
    temporary = "\(path).\(getpid()).part"
    descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    if descriptor < 0 { throw AtomicFile.failure(path) }
    buffer.reserveCapacity(1 << 16)
  }

  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
    unlink(temporary)
  }

  /// Appends text.
  public func write(_ text: String) throws {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= 1 << 16 { try flush() }
  }

  /// Appends bytes.
  public func write(_ bytes: [UInt8]) throws {
    buffer.append(contentsOf: bytes)
    if buffer.count >= 1 << 16 { try flush() }
  }

  /// Gives the file its name.
  public func finish() throws {
    try flush()
    guard close(descriptor) == 0 else { throw AtomicFile.failure(path) }
    descriptor = -1
    guard rename(temporary, path) == 0 else {
      let error = AtomicFile.failure(path)
      unlink(temporary)
      throw error
    }
  }

  /// Appends bytes and gives the file its name.
  public func finish(_ bytes: [UInt8]) throws {
    try write(bytes)
    try finish()
  }

  /// Writes a whole file.
  public static func write(_ bytes: [UInt8], to path: String) throws {
    try AtomicFile(path: path).finish(bytes)
  }

  /// Writes a whole file.
  public static func write(_ text: String, to path: String) throws {
    try write(Array(text.utf8), to: path)
  }

  private func flush() throws {
    var offset = 0
    while offset < buffer.count {
      let count = buffer.withUnsafeBytes {
        Foundation.write(descriptor, $0.baseAddress! + offset, buffer.count - offset)
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw AtomicFile.failure(path)
      }
      offset += count
    }
    buffer.removeAll(keepingCapacity: true)
  }

  private static func failure(_ path: String) -> InputError {
    let reason = String(cString: strerror(errno))
    return InputError(
      file: path, problem: "cannot be written (\(reason))",
      mend: "give a place in an existing folder that you may write to")
  }
}
