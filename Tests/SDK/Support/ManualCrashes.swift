@testable import SDK

/// What tells a process of its death: a test lets it throw or be struck, and the file that was
/// opened takes what the handler writes.
final class ManualCrashes: CrashPort, @unchecked Sendable {
  private let storage: MemoryStorage
  private var handler: (any CrashHandler)?
  private(set) var openFile: String?

  init(storage: MemoryStorage) { self.storage = storage }

  var isAvailable: Bool { true }

  func install(_ handler: any CrashHandler, onOwnStack: Bool) { self.handler = handler }

  func open(_ path: String) throws(StorageError) {
    guard storage.files[path] != nil else { throw .notFound }
    openFile = path
  }

  func close() { openFile = nil }

  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let openFile, let old = storage.files[openFile] else { return false }
    storage.files[openFile] = Array(bytes) + old.dropFirst(bytes.count)
    return true
  }

  func runEarlierHandlers() {}

  /// An exception that nobody catches.
  func raise(_ exception: RawException) { handler?.handle(exception) }

  /// A fatal signal strikes.
  func strike(_ signal: RawSignal) { handler?.handle(signal) }

  /// The process is gone, and what it had open.
  func endProcess() {
    handler = nil
    openFile = nil
  }
}
