/// Everything of one client on disk. Confined to the SDK's queue.
final class Store {
  /// What is known of `install.json`.
  enum Install: Equatable {
    case absent
    case known(InstallRecord)
    /// It could not be read, which does not mean that it is absent (B06): it is not replaced by ids
    /// that this process made up.
    case unreadable
  }

  private let storage: any StoragePort
  private let directory: String
  let journal: Journal
  private(set) var install = Install.absent
  /// The record that `install.json` should hold.
  private var wanted: InstallRecord?
  private var hasDirectories = false
  /// Nothing is known to lie on disk.
  private(set) var isPristine = true
  /// What a wipe has still to remove.
  private var doomed: [String] = []
  /// A wipe was asked for and is not finished.
  var isWipePending: Bool { !doomed.isEmpty }

  init(storage: any StoragePort, directory: String) {
    self.storage = storage
    self.directory = directory
    journal = Journal(storage: storage, directory: directory + "/queue")
  }

  private var installPath: String { directory + "/install.json" }
  private var newInstallPath: String { installPath + ".new" }

  /// Reads the ids of the install, again if they could not be read before.
  /// - Returns: why they could not be read.
  func loadInstall() -> StorageError? {
    do {
      let bytes = try storage.readPatiently(
        installPath, offset: 0, count: InstallRecord.mostBytes + 1)
      isPristine = false
      install = InstallRecord.parse(bytes).map { .known($0) } ?? .absent
      return nil
    } catch .notFound {
      install = .absent
      return nil
    } catch {
      isPristine = false
      install = .unreadable
      return error
    }
  }

  /// Reads the headers of the queue.
  func loadJournal(queuedAt: Int64) throws(StorageError) -> LoadedJournal {
    do {
      let loaded = try journal.load(queuedAt: queuedAt)
      if loaded.exists { isPristine = false }
      return loaded
    } catch {
      isPristine = false
      throw error
    }
  }

  /// Asks for ids to be stored with the next commit.
  func keep(_ record: InstallRecord) {
    var record = record
    // No message with such an id could be sent; the record must stay one that can be read.
    if let userId = record.userId, userId.utf8.count > MessageEncoder.mostBytes / 4 {
      record.userId = nil
    }
    wanted = install == .known(record) ? nil : record
  }

  /// Whether `commit` has something to do.
  func hasWork(isStoring: Bool) -> Bool {
    isWipePending || wanted != nil || journal.hasWork(mayAddFile: isStoring)
  }

  /// Asks for everything to be removed.
  func wipe() {
    wanted = nil
    journal.forget()
    install = .absent
    hasDirectories = false
    if !isPristine { doomed = [installPath, newInstallPath, journal.directory] }
  }

  /// Writes what is to be written.
  /// - Parameter isStoring: whether anything new may be stored.
  /// - Returns: why something is left to be written.
  func commit(_ queue: inout MessageQueue, isStoring: Bool) -> StorageError? {
    let leftover = removeDoomed()
    // What lies in a directory that cannot even be listed is not known: nothing is put beside it.
    if doomed.contains(journal.directory) { return leftover }
    guard hasWork(isStoring: isStoring) else { return leftover }
    guard isStoring else { return journal.commit(&queue, mayAddFile: false) ?? leftover }
    if wanted != nil || journal.hasRecords, let error = makeDirectories() { return error }
    let failure = writeInstall()
    return journal.commit(&queue, mayAddFile: true) ?? failure ?? leftover
  }

  /// Goes on with a wipe. Where the queue's directory cannot be removed as a whole, for one file
  /// that is denied, its files go one by one: that one must not save the others.
  private func removeDoomed() -> StorageError? {
    if doomed.isEmpty { return nil }
    var failure: StorageError?
    var left: [String] = []
    for path in doomed {
      guard let error = remove(path) else { continue }
      failure = error
      guard path == journal.directory, let names = try? storage.list(path) else {
        left.append(path)
        continue
      }
      left += names.map { path + "/" + $0 }.filter { remove($0) != nil }
    }
    doomed = left
    if doomed.isEmpty && !hasDirectories { isPristine = true }
    return failure
  }

  /// Removes a file or directory; one that is not there is no error.
  private func remove(_ path: String) -> StorageError? {
    do {
      try storage.remove(path)
    } catch {
      return error == .notFound ? nil : error
    }
    return nil
  }

  private func makeDirectories() -> StorageError? {
    if hasDirectories { return nil }
    do {
      try storage.createDirectory(journal.directory)
      isPristine = false
      // Before there is anything in it, and on the folder: an item's own mark is lost when the item
      // is replaced (CON-27).
      try storage.excludeFromBackup(directory)
    } catch {
      return error
    }
    hasDirectories = true
    return nil
  }

  /// Replaces the install record: a death at any step leaves the old one or the new one.
  private func writeInstall() -> StorageError? {
    guard let record = wanted else { return nil }
    do {
      if install == .unreadable { return try writeOverUnreadable(record) }
      try replaceInstall(record)
    } catch {
      return error
    }
    wanted = nil
    return nil
  }

  private func replaceInstall(_ record: InstallRecord) throws(StorageError) {
    try storage.write(newInstallPath, record.encode())
    try storage.barrier(newInstallPath)
    try storage.rename(newInstallPath, to: installPath)
    doomed.removeAll { $0 == installPath || $0 == newInstallPath }
    install = .known(record)
  }

  /// A record that could not be read at the start: once it can be, its anonymous id stays.
  private func writeOverUnreadable(_ record: InstallRecord) throws(StorageError) -> StorageError? {
    if let error = loadInstall() { return error }
    var record = record
    if case .known(let stored) = install { record.anonymousId = stored.anonymousId }
    try replaceInstall(record)
    wanted = nil
    return nil
  }
}
