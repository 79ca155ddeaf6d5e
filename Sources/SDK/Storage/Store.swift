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

  let storage: any StoragePort
  let directory: String
  let journal: Journal
  /// What the user decided; it governs everything else in here (CON-12).
  let consent: ConsentFile
  private(set) var install = Install.absent
  /// The record that `install.json` should hold.
  private var wanted: InstallRecord?
  /// The id that the process made up while the stored one could not be read, and that one.
  private var standIn: (madeUp: String, stored: String)?
  private var hasFolder = false
  /// What `session.json` holds; nil where it is absent, damaged or could not be read.
  private(set) var session: SessionRecord?
  /// The record that `session.json` should hold.
  private var wantedSession: SessionRecord?
  /// No barrier covers the newest `session.json` yet.
  private var isSessionUnsynced = false
  var hasDirectories = false
  /// A wipe has left nothing on disk but the decision, and nothing was stored since. Only a wipe
  /// tells: a process that died may have left files that no other one reads.
  var isWiped = false
  /// The ids were replaced since the last barrier on them.
  private var needsInstallBarrier = false
  /// What a wipe has still to remove.
  var doomed: [String] = []
  /// Directories that a wipe empties file by file: what they lost is durable with a barrier of
  /// their own.
  var emptied: [String] = []
  /// What is doomed is everything.
  var isWiping = false
  /// A wipe was asked for and is not finished.
  var isWipePending: Bool { !doomed.isEmpty }

  init(storage: any StoragePort, directory: String) {
    self.storage = storage
    self.directory = directory
    journal = Journal(storage: storage, directory: directory + "/queue")
    consent = ConsentFile(storage: storage, directory: directory)
  }

  private var installPath: String { directory + "/install.json" }
  private var newInstallPath: String { installPath + ".new" }
  private var sessionPath: String { directory + "/session.json" }
  private var newSessionPath: String { sessionPath + ".new" }

  /// Reads the ids of the install, again if they could not be read before.
  /// - Returns: why they could not be read.
  func loadInstall() -> StorageError? {
    do {
      let bytes = try storage.readPatiently(
        installPath, offset: 0, count: InstallRecord.mostBytes + 1)
      // The process before may have ended ahead of its barrier.
      needsInstallBarrier = true
      install = InstallRecord.parse(bytes).map { .known($0) } ?? .absent
      return nil
    } catch .notFound {
      install = .absent
      return nil
    } catch {
      install = .unreadable
      return error
    }
  }

  /// Reads the session of the install.
  /// - Returns: why it could not be read.
  func loadSession() -> StorageError? {
    do {
      let bytes = try storage.readPatiently(
        sessionPath, offset: 0, count: SessionRecord.mostBytes + 1)
      session = SessionRecord.parse(bytes)
      // The process before may have ended ahead of its barrier.
      isSessionUnsynced = true
      return nil
    } catch .notFound {
      return nil
    } catch {
      return error
    }
  }

  /// Reads the headers of the queue.
  func loadJournal(queuedAt: Int64) throws(StorageError) -> LoadedJournal {
    try journal.load(queuedAt: queuedAt)
  }

  /// A record waits to be written.
  var isKeeping: Bool { wanted != nil }

  /// Asks for ids to be stored with the next commit.
  func keep(_ record: InstallRecord) {
    var record = record
    // No message with such an id could be sent; the record must stay one that can be read.
    if let userId = record.userId, userId.utf8.count > MessageEncoder.mostBytes / 4 {
      record.userId = nil
    }
    record = withStoredId(record)
    wanted = install == .known(record) ? nil : record
  }

  /// Asks for a session to be stored with the next commit.
  func keep(_ record: SessionRecord) { wantedSession = session == record ? nil : record }

  /// The stored session is not to go on: its record goes.
  func forgetSession() {
    session = nil
    if !doomed.contains(sessionPath) { doomed.append(sessionPath) }
  }

  /// A message with the start flag is about to be sent: a record that could not be told so must not
  /// outlive it, or the next process flags another one. To remove it takes no room.
  func forgetSessionWithoutFlag() {
    guard let wantedSession, wantedSession.isFlagged, let session, !session.isFlagged,
      session.id == wantedSession.id
    else { return }
    forgetSession()
  }

  /// Whether `commit` has something to do.
  func hasWork(isStoring: Bool) -> Bool {
    consent.hasWork || isWipePending || wanted != nil || wantedSession != nil
      || journal.hasWork(mayAddFile: isStoring)
  }

  /// Whether `synchronize` has something to do.
  var needsBarrier: Bool { isSessionUnsynced || needsInstallBarrier || journal.needsBarrier }

  /// Makes everything written so far durable against a power loss.
  /// - Returns: why something is not.
  func synchronize() -> StorageError? {
    var failure = journal.synchronize()
    if isSessionUnsynced {
      let error = makeDurable(sessionPath)
      isSessionUnsynced = error != nil
      failure = failure ?? error
    }
    if needsInstallBarrier {
      let error = makeDurable(installPath)
      needsInstallBarrier = error != nil
      failure = failure ?? error
    }
    return failure
  }

  /// Reads what the user decided. Where analytics was declined, all that may lie on disk beside the
  /// decision is to be removed before anything else is done.
  /// - Returns: why the decision could not be read.
  func loadDecision() -> StorageError? {
    let error = consent.load()
    if error == nil && consent.decision?.analytics == false { wipe() }
    return error
  }

  /// Whether `$first_open` was tried or waived, as far as the decision's file tells.
  var hasOpened: Bool { consent.hasOpened }

  /// Notes whether `$first_open` was tried or waived; written with the next commit, ahead of all
  /// else. A process that could not read the decision notes nothing.
  func setOpened(_ isOpened: Bool) {
    if consent.decision != nil { consent.setOpened(isOpened) }
  }

  /// Makes it durable that `$first_open` was tried; the spare keeps the room for that.
  /// - Returns: why it is not; then nothing is noted.
  func markOpened() -> StorageError? {
    setOpened(true)
    if let error = commitDecision() {
      if consent.hasChanges { setOpened(false) }
      return error
    }
    if hasDirectories { _ = consent.makeSpare() }
    return nil
  }

  /// Asks for everything but the decision to be removed.
  func wipe() {
    wanted = nil
    standIn = nil
    wantedSession = nil
    session = nil
    isSessionUnsynced = false
    journal.forget()
    install = .absent
    needsInstallBarrier = false
    hasDirectories = false
    if !isWiped {
      isWiping = true
      doomed = [directory]
    }
  }

  /// Another process has the folder, or has had it: nothing that was known or noted of the files
  /// stands, but a wipe that was asked for.
  func leave() {
    wanted = nil
    standIn = nil
    wantedSession = nil
    session = nil
    isSessionUnsynced = false
    journal.forget()
    install = .absent
    needsInstallBarrier = false
    hasFolder = false
    hasDirectories = false
    isWiped = false
    doomed = isWiping ? [directory] : []
    consent.forgetStored()
  }

  /// Writes what is to be written.
  /// - Parameter isStoring: whether anything new may be stored.
  /// - Returns: why something is left to be written.
  func commit(_ queue: inout MessageQueue, isStoring: Bool) -> StorageError? {
    // The decision is ahead of everything that it governs (S-42).
    var undecided = commitDecision()
    // Files that cannot be read yet are not touched either.
    if undecided != nil && consent.isLocked { return undecided }
    let isWipe = isWipePending
    let leftover = removeDoomed()
    // The wipe may have made the room that the decision lacked.
    if isWipe && undecided != nil { undecided = commitDecision() }
    if let undecided { return undecided }
    // What lies in a directory that cannot even be listed is not known: nothing is put beside it.
    if doomed.contains(directory) || doomed.contains(journal.directory) { return leftover }
    if isStoring && hasDirectories { _ = consent.makeSpare() }
    guard hasWork(isStoring: isStoring) else { return leftover }
    guard isStoring else { return journal.commit(&queue, mayAddFile: false) ?? leftover }
    if wanted != nil || wantedSession != nil || journal.hasRecords, let error = makeDirectories() {
      return error
    }
    let failure = writeInstall()
    // The messages first: a session that says it had its start flag must not outlive the message
    // that carries it.
    let journalFailure = journal.commit(&queue, mayAddFile: true)
    return writeSession() ?? journalFailure ?? failure ?? leftover
  }

  private func commitDecision() -> StorageError? {
    guard consent.hasWork else { return nil }
    return consent.prepare() ?? makeFolder() ?? consent.commit()
  }

  /// Makes a file and its name durable, or the names in a directory; what is not there needs none.
  func makeDurable(_ path: String) -> StorageError? {
    do {
      try storage.barrier(path)
    } catch {
      return error == .notFound ? nil : error
    }
    return nil
  }

  func makeDirectories() -> StorageError? {
    if hasDirectories { return nil }
    if let error = makeFolder() { return error }
    // With the first file that consent lets in. Nothing else waits for it.
    _ = consent.makeSpare()
    do {
      try storage.createDirectory(journal.directory)
    } catch {
      return error
    }
    isWiped = false
    hasDirectories = true
    return nil
  }

  private func makeFolder() -> StorageError? {
    if hasFolder { return nil }
    do {
      try storage.createDirectory(directory)
      // Before there is anything in it, and on the folder: an item's own mark is lost when the item
      // is replaced (CON-27).
      try storage.excludeFromBackup(directory)
    } catch {
      return error
    }
    hasFolder = true
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

  /// Replaces the session's record. Its content is durable before its name: else a power loss may
  /// leave an empty file in place of the old one. The name follows with the other barriers.
  private func writeSession() -> StorageError? {
    guard let record = wantedSession else { return nil }
    do {
      try storage.write(newSessionPath, record.encode())
      try storage.barrier(newSessionPath)
      try storage.rename(newSessionPath, to: sessionPath)
    } catch {
      return error
    }
    doomed.removeAll { $0 == sessionPath || $0 == newSessionPath }
    // Before the message with the start flag is sent, else the next process flags another one.
    let isMarker = session?.id != record.id || session?.isFlagged != record.isFlagged
    session = record
    wantedSession = nil
    isSessionUnsynced = !isMarker || makeDurable(sessionPath) != nil
    return nil
  }

  /// The record with the id of the install where the process goes by one that it made up.
  private func withStoredId(_ record: InstallRecord) -> InstallRecord {
    guard let standIn, record.anonymousId == standIn.madeUp else { return record }
    return InstallRecord(
      anonymousId: standIn.stored, userId: record.userId, marks: record.marks)
  }

  private func replaceInstall(_ record: InstallRecord) throws(StorageError) {
    try storage.write(newInstallPath, record.encode())
    try storage.barrier(newInstallPath)
    try storage.rename(newInstallPath, to: installPath)
    doomed.removeAll { $0 == installPath || $0 == newInstallPath }
    install = .known(record)
    needsInstallBarrier = true
  }

  /// A record that could not be read at the start: once it can be, its anonymous id stays.
  private func writeOverUnreadable(_ record: InstallRecord) throws(StorageError) -> StorageError? {
    if let error = loadInstall() { return error }
    var kept = record
    if case .known(let stored) = install {
      standIn = (record.anonymousId, stored.anonymousId)
      kept.marks = record.marks.merged(into: stored.marks)
    }
    // The write may fail, and by then the record is known: it is the stored id that is kept.
    kept = withStoredId(kept)
    wanted = kept
    try replaceInstall(kept)
    wanted = nil
    return nil
  }
}
