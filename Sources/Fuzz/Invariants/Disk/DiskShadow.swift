import FuzzHistory
import SimKernel

/// The files of the SDK as they are on disk, rebuilt byte by byte from the facts, with what our own
/// reader finds in the journal.
public final class DiskShadow {
  /// One file and its content.
  public struct File {
    /// FNV-1a 64 of the path.
    public var pathHash: UInt64
    public var path: ByteSlice
    public var content: [UInt8]
    /// The place of its journal in `journals`; -1 for other files.
    var journal: Int = -1
    /// The process whose newest look into it failed, or -1.
    var hiddenFrom: Int32 = -1
  }

  /// A failed attempt to change a file below the SDK's folder.
  public struct Failure {
    public var instant: Instant
    public var process: Int32
    public var outcome: DiskOutcome
  }

  let arena: UnsafeRawBufferPointer
  public internal(set) var files: [File] = []
  /// Messages found in the journal, in the order found; those of replaced content stay as `isGone`.
  public internal(set) var records: [JournalRecord] = []
  /// The newest failure to write in the journal or the folders above; nil if there was none.
  public private(set) var lastWriteFailure: Failure?
  /// When a message was last appended whole.
  public private(set) var lastAppend: Instant?
  /// The newest failure to read or list the journal.
  public private(set) var lastReadFailure: Failure?
  /// The newest failure to write the decision, its spare, or the folder they lie in.
  public private(set) var lastDecisionFailure: Failure?
  /// The newest failure to remove something, or to list what there is to remove.
  public private(set) var lastWipeFailure: Failure?
  /// The range of `records` that the newest fact added.
  public internal(set) var newRecords: Range<Int> = 0..<0
  /// The newest failure of a step on a crash record or their folder.
  public private(set) var lastCrashFailure: Failure?
  /// How often the SDK has removed the whole queue, or tried to.
  public private(set) var wipes = 0
  /// How often the world has damaged a file of the queue.
  public private(set) var journalDamages = 0
  /// When something was last appended to a file that the world had garbled while the process ran:
  /// its length stays, so that nothing tells who adds to it.
  public private(set) var lastGarbledAppend: Instant?
  /// How often a change of the SDK's files or a look at the queue has failed, or the world has
  /// damaged a file of the queue: what was due to be written then may come later.
  public private(set) var journalTroubles = 0
  /// Messages that could be read, and that the SDK takes off the disk with the newest fact, or
  /// tries to: places in `records`.
  public internal(set) var takenOff: [Int] = []
  /// Messages in the file that the newest fact damages, or that the SDK failed to read or measure:
  /// places in `records`.
  public private(set) var troubled: [Int] = []
  /// Messages whose removals stand in a file that the SDK failed to read with the newest fact:
  /// places in `records`.
  public private(set) var unreadRemovals: [Int] = []
  /// The newest fact adds to a file behind garbage that was there when the process was launched: no
  /// reader gets so far.
  public private(set) var isBehindGarbage = false
  /// The running process failed to list the queue.
  public private(set) var isListTroubled = false

  var journals: [JournalFile] = []
  /// By number and id, the newest record of a message; and by number alone.
  var latest = HashIndex()
  var bySequence = HashIndex()
  /// The paths of the queue's files that the world garbled.
  private var garbled: [UInt64] = []
  let folder: [UInt8]
  let queueFolder: [UInt8]
  let crashFolder: [UInt8]
  let installPath: UInt64
  let decisionPath: UInt64
  let sparePath: UInt64
  let sessionPath: UInt64
  private var launchInstant = Instant.start

  init(arena: UnsafeRawBufferPointer, storageDirectory: String) {
    self.arena = arena
    folder = Array((storageDirectory + "/").utf8)
    queueFolder = Array((storageDirectory + "/queue").utf8)
    crashFolder = Array((storageDirectory + "/crash").utf8)
    installPath = hashIdentifier(Array((storageDirectory + "/install.json").utf8))
    decisionPath = hashIdentifier(Array((storageDirectory + "/consent.json").utf8))
    sparePath = hashIdentifier(Array((storageDirectory + "/consent.spare").utf8))
    sessionPath = hashIdentifier(Array((storageDirectory + "/session.json").utf8))
    records.reserveCapacity(512)
  }

  // MARK: Taking facts

  func take(_ record: Record) {
    newRecords = records.count..<records.count
    takenOff.removeAll(keepingCapacity: true)
    troubled.removeAll(keepingCapacity: true)
    unreadRemovals.removeAll(keepingCapacity: true)
    isBehindGarbage = false
    switch record.fact {
    case .launched: launch(record)
    case .disk(let operation, let outcome, _, _, let path, let target, let offset, let bytes):
      guard starts(path, with: folder.dropLast()) else { return }
      note(operation, outcome, path, record)
      apply(operation, outcome, path, target, Int(offset), bytes, record)
    case .fileDamaged(let path, let damage):
      if isQueue(path) {
        journalDamages += 1
        note(damage, hashIdentifier(arena.slice(path)))
        journalTroubles += 1
      }
      if let place = place(hashIdentifier(arena.slice(path))) {
        noteTrouble(place)
        forget(place)
      }
    case .fileLost(let path): remove(path)
    case .installed(let kind):
      if kind == .reinstall || kind == .restore { forgetEverything() }
    case .fileContent(let path, let bytes):
      guard starts(path, with: folder.dropLast()) else { return }
      let place = make(path)
      files[place].content.append(contentsOf: arena.slice(bytes))
      readOn(place, trustedFrom: .max, record)
    default: break
    }
  }

  /// The messages of a damaged file may be lost with it, and those that are added to a garbled one.
  private func note(_ damage: FileDamage, _ path: UInt64) {
    if let place = place(path), files[place].journal >= 0 {
      for index in journals[files[place].journal].messages { records[index].wasDamaged = true }
    }
    garbled.removeAll { $0 == path }
    if damage == .garbled { garbled.append(path) }
  }

  private func launch(_ record: Record) {
    launchInstant = record.instant
    // Who reads a file at its start finds the garbage.
    garbled.removeAll(keepingCapacity: true)
    isListTroubled = false
  }

  /// Remembers what failed and what worked.
  private func note(
    _ operation: DiskOperation, _ outcome: DiskOutcome, _ path: ByteSlice, _ record: Record
  ) {
    if operation == .read, isQueue(path), let place = place(hashIdentifier(arena.slice(path))) {
      files[place].hiddenFrom = outcome == .done ? -1 : record.process
    }
    if outcome == .done {
      if operation == .append, isQueue(path) {
        lastAppend = record.instant
        if !garbled.isEmpty, garbled.contains(hashIdentifier(arena.slice(path))) {
          lastGarbledAppend = record.instant
        }
      }
      return
    }
    if outcome == .died || outcome == .diedAfter { return }
    // What is to go is not there: that refuses nothing.
    if operation == .remove, outcome == .notFound { return }
    let failure = Failure(instant: record.instant, process: record.process, outcome: outcome)
    if isCrash(path), outcome != .notFound { lastCrashFailure = failure }
    switch operation {
    case .list, .size, .read:
      if operation == .list, outcome != .notFound { lastWipeFailure = failure }
      guard outcome != .notFound, isQueue(path) else { return }
      lastReadFailure = failure
      journalTroubles += 1
      if operation == .list {
        isListTroubled = true
      } else if let place = place(hashIdentifier(arena.slice(path))) {
        noteTrouble(place)
        files[place].hiddenFrom = record.process
        if files[place].journal >= 0 { unreadRemovals = journals[files[place].journal].removed }
      }
    // That is how the SDK finds that there is no spare.
    case .overwrite where outcome == .notFound && isDecisionOrSpare(path): break
    default:
      journalTroubles += 1
      if operation == .remove { lastWipeFailure = failure }
      if isDecisionOrSpare(path) || isFolder(path) { lastDecisionFailure = failure }
      // One file that may not be added to says nothing of the disk: another can be begun (B07).
      if operation == .append, outcome == .notPermitted, isQueue(path),
        place(hashIdentifier(arena.slice(path))) != nil
      {
        return
      }
      lastWriteFailure = failure
    }
  }

  private func apply(
    _ operation: DiskOperation, _ outcome: DiskOutcome, _ path: ByteSlice, _ target: ByteSlice,
    _ offset: Int, _ bytes: ByteSlice, _ record: Record
  ) {
    if operation == .remove {
      noteRemoval(path)
      if Int(path.count) == queueFolder.count, isQueue(path) { wipes += 1 }
    }
    if outcome == .notFound || outcome == .notPermitted { return }
    let hasHappened = outcome == .done || outcome == .diedAfter
    switch operation {
    case .list, .size, .read, .barrier, .createDirectory, .excludeFromBackup: break
    case .write:
      let place = make(path)
      empty(place)
      files[place].content.append(contentsOf: arena.slice(bytes))
      readOn(place, trustedFrom: .max, record)
    case .append:
      let place = make(path)
      let trustedFrom = files[place].content.count
      noteGarbage(place)
      files[place].content.append(contentsOf: arena.slice(bytes))
      readOn(place, trustedFrom: trustedFrom, record)
      if outcome == .noSpace || outcome == .inputOutput { noteHalf() }
    case .overwrite:
      // A failed write may have left an empty file.
      let place = make(path)
      overwrite(place, offset, bytes)
      reread(place, record)
    case .truncate:
      guard hasHappened, let place = self.place(hashIdentifier(arena.slice(path))) else { return }
      if offset < files[place].content.count {
        files[place].content.removeLast(files[place].content.count - offset)
        cut(place, record)
      }
    case .rename:
      if hasHappened { rename(path, to: target, record) }
    case .remove:
      if hasHappened { remove(path) }
    }
  }

  // MARK: Files

  func place(_ hash: UInt64) -> Int? { files.firstIndex { $0.pathHash == hash } }

  private func make(_ path: ByteSlice) -> Int {
    let hash = hashIdentifier(arena.slice(path))
    if let place = place(hash) { return place }
    var file = File(pathHash: hash, path: path, content: [])
    if isQueue(path) {
      file.journal = journals.count
      journals.append(JournalFile())
    }
    files.append(file)
    return files.count - 1
  }

  private func empty(_ place: Int) {
    files[place].content.removeAll(keepingCapacity: true)
    withdraw(place)
  }

  private func overwrite(_ place: Int, _ offset: Int, _ bytes: ByteSlice) {
    let new = arena.slice(bytes)
    let end = offset + new.count
    if files[place].content.count < end {
      files[place].content.append(
        contentsOf: repeatElement(0, count: end - files[place].content.count))
    }
    for index in 0..<new.count { files[place].content[offset + index] = new[index] }
  }

  private func rename(_ path: ByteSlice, to target: ByteSlice, _ record: Record) {
    guard let source = place(hashIdentifier(arena.slice(path))) else { return }
    var file = files[source]
    forget(source)
    if let old = place(hashIdentifier(arena.slice(target))) { forget(old) }
    file.path = target
    file.pathHash = hashIdentifier(arena.slice(target))
    file.journal = -1
    if isQueue(target) {
      file.journal = journals.count
      journals.append(JournalFile())
    }
    files.append(file)
    readOn(files.count - 1, trustedFrom: .max, record)
  }

  private func remove(_ path: ByteSlice) {
    for place in files.indices.reversed() where isPart(files[place].path, of: path) {
      let hash = files[place].pathHash
      garbled.removeAll { $0 == hash }
      forget(place)
    }
  }

  /// Whether a file is the one of a path, or lies in that folder.
  private func isPart(_ file: ByteSlice, of path: ByteSlice) -> Bool {
    let prefix = arena.slice(path)
    let other = arena.slice(file)
    guard other.count >= prefix.count else { return false }
    guard other.count == prefix.count || other[prefix.count] == 0x2f else { return false }
    return bytesEqual(UnsafeRawBufferPointer(rebasing: other[0..<prefix.count]), prefix)
  }

  /// The messages that go with a file, unless a later record holds them too.
  private func noteRemoval(_ path: ByteSlice) {
    for file in files where file.journal >= 0 && isPart(file.path, of: path) {
      for index in journals[file.journal].messages where records[index].removals == 0 {
        let newest = record(
          sequence: records[index].sequence, identifierHash: records[index].identifierHash)
        if newest == index, records[index].checksum != .wrong { takenOff.append(index) }
      }
    }
  }

  /// The app was deleted with its data, or comes back without them.
  private func forgetEverything() {
    for place in files.indices.reversed() { forget(place) }
  }

  /// The append that brought the newest records has failed: the process does not count on them.
  private func noteHalf() {
    for index in newRecords { records[index].isHalfWritten = true }
  }

  private func noteTrouble(_ place: Int) {
    if files[place].journal >= 0 { troubled = journals[files[place].journal].messages }
  }

  private func noteGarbage(_ place: Int) {
    guard files[place].journal >= 0,
      let since = journals[files[place].journal].cursor.givenUpInstant
    else { return }
    isBehindGarbage = since < launchInstant
  }

  private func forget(_ place: Int) {
    withdraw(place)
    files.remove(at: place)
  }

  func starts(_ path: ByteSlice, with prefix: some Collection<UInt8>) -> Bool {
    let bytes = arena.slice(path)
    guard bytes.count >= prefix.count else { return false }
    var at = 0
    for byte in prefix {
      if bytes[at] != byte { return false }
      at += 1
    }
    return true
  }
}

/// FNV-1a 64 of bytes in an array.
func hashIdentifier(_ bytes: [UInt8]) -> UInt64 { bytes.withUnsafeBytes { hashIdentifier($0) } }
