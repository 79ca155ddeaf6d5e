/// A record that waits for its event to be queued, and its file to go.
struct CrashReport: Sendable {
  var path: String
  var record: CrashRecord
  /// The number of its event, once that was queued.
  var sequence: UInt64?
  /// The file is gone, but a power loss may still bring it back.
  var isRemoved = false
}

/// The crash records on disk: ten places, each free, made ready for a process, or a record
/// (docs/disk.md: crash records). Confined to the SDK's queue.
final class CrashFiles {
  /// A crash loop leaves the first ten (S-57).
  static let mostFiles = 10
  /// Of more names that are none of ours, a launch takes no notice of the rest.
  private static let mostStrangers = 64

  private let storage: any StoragePort
  let directory: String
  private let parent: String
  /// The files that are there and are not this process's own.
  private var taken: [String] = []
  /// Those of them that could not be read yet: what they hold may have its event in the queue.
  private var unread: [String] = []
  /// The file made ready by an earlier process, which did not need it.
  private var unused: String?

  init(storage: any StoragePort, directory: String) {
    self.storage = storage
    parent = directory
    self.directory = directory + "/crash"
  }

  private static let names = (0..<mostFiles).map { "\($0).crash" }

  var hasUnread: Bool { !unread.isEmpty }

  /// Reads all records. What is none is removed: it must not be met at every launch (B94).
  func load() throws(StorageError) -> [CrashReport] {
    forget()
    var reports: [CrashReport] = []
    let found: [String]
    do {
      found = try storage.listPatiently(directory)
    } catch .notFound {
      return []
    }
    // However many names of others lie ahead of ours, none of our records may go unseen: its place
    // would be taken for a free one.
    for name in found.filter({ !Self.names.contains($0) }).prefix(Self.mostStrangers) {
      try? storage.remove(directory + "/" + name)
    }
    for name in found where Self.names.contains(name) {
      take(directory + "/" + name, into: &reports)
    }
    return reports
  }

  /// Tries once more what could not be read.
  func readAgain(into reports: inout [CrashReport]) {
    let paths = unread
    unread = []
    taken.removeAll { paths.contains($0) }
    for path in paths { take(path, into: &reports) }
  }

  private func take(_ path: String, into reports: inout [CrashReport]) {
    let content: CrashFormat.Content
    do {
      content = CrashFormat.read(
        try storage.readPatiently(
          path, offset: 0, count: CrashFormat.payloadOffset + CrashFormat.mostBytes))
    } catch .notFound {
      return
    } catch {
      // That it cannot be read now says nothing of what it holds.
      taken.append(path)
      unread.append(path)
      return
    }
    switch content {
    case .record(let record):
      if reports.contains(where: { $0.record.subject.messageId == record.subject.messageId }) {
        discard(path)
      } else {
        taken.append(path)
        reports.append(CrashReport(path: path, record: record))
      }
    case .unused:
      if unused == nil { unused = path } else { discard(path) }
    case .damaged: discard(path)
    }
  }

  private func discard(_ path: String) {
    do {
      try storage.remove(path)
    } catch {
      taken.append(path)
    }
  }

  /// Makes the file that this process would leave its record in.
  /// - Returns: its path; nil where all places are taken.
  func makeOwn() throws(StorageError) -> String? {
    if let unused { return unused }
    let free = Self.names.map { directory + "/" + $0 }.first { !taken.contains($0) }
    guard let path = free else { return nil }
    try storage.createDirectory(directory)
    try storage.write(path, [UInt8](repeating: 0, count: CrashFormat.preparedByteCount))
    unused = path
    return path
  }

  /// Removes a record, whose event is safe.
  func remove(_ path: String) throws(StorageError) {
    do {
      try storage.remove(path)
    } catch .notFound {}
    taken.removeAll { $0 == path }
  }

  /// Makes removals durable.
  func synchronize() throws(StorageError) {
    do {
      try storage.barrier(directory)
    } catch .notFound {}
  }

  /// Removes everything.
  func removeAll() throws(StorageError) {
    forget()
    do {
      _ = try storage.listPatiently(directory)
      try storage.remove(directory)
    } catch .notFound {}
    // A record that comes back would be sent after all.
    do {
      try storage.barrier(parent)
    } catch .notFound {}
  }

  /// Nothing is known of the files any more.
  func forget() {
    taken = []
    unread = []
    unused = nil
  }
}
