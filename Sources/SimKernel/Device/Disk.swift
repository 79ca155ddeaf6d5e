/// One file on the simulated disk.
public struct DiskFile: Sendable {
  public var path: String
  public var bytes: [UInt8]
  /// Reads and writes are refused: locked, or owned by somebody else. The file is there all the
  /// same.
  public var isDenied: Bool = false
  /// What a power loss may take of it.
  var unsynced = UnsyncedContent()
}

/// What one step of the file system came to.
public struct DiskResult: Sendable {
  public var outcome: DiskOutcome
  /// How many of the given bytes reached the file.
  public var writtenCount: Int = 0
  /// Where the written bytes begin.
  public var offset: Int = 0

  public init(_ outcome: DiskOutcome, writtenCount: Int = 0, offset: Int = 0) {
    self.outcome = outcome
    self.writtenCount = writtenCount
    self.offset = offset
  }
}

/// What befalls a step from outside.
public enum DiskStrike: Sendable {
  /// The process dies in the step, after so many bytes of a write, or after or before an atomic
  /// step.
  case death(afterBytes: Int, atomicStepDone: Bool)
  /// The step fails after so many bytes.
  case failure(DiskOutcome, afterBytes: Int)
}

/// The file system of the app's container.
///
/// A rename is atomic, a plain write is not. What reached the disk survives the death of the
/// process; a power loss takes what no barrier covered (`Disk+PowerLoss`). Paths are relative, with
/// `/` between parts.
public struct Disk: Sendable {
  /// Sorted by path.
  public internal(set) var files: [DiskFile] = []
  public internal(set) var directories: [String] = []
  /// Directories and files that are kept out of backups.
  public internal(set) var excludedFromBackup: [String] = []
  /// Nobody has unlocked the device since its boot: nothing may be read or changed.
  public var isProtected = false
  /// Names that came, went or moved since the last barrier that covers them, oldest first.
  var nameChanges: [NameChange] = []
  /// How many more bytes fit; nil is no bound.
  public var roomBytes: Int?

  public init() {}

  // MARK: Looking

  /// The place of a file in `files`.
  public func index(of path: String) -> Int? {
    let place = insertionPoint(path)
    return place < files.count && files[place].path == path ? place : nil
  }

  /// Whether there is a directory of this path.
  public func contains(directory: String) -> Bool { directories.contains(directory) }

  /// The names directly in a directory, sorted; nil if there is no such directory.
  public func names(in directory: String) -> [String]? {
    guard contains(directory: directory) else { return nil }
    let prefix = directory + "/"
    var names: [String] = []
    for file in files where file.path.hasPrefix(prefix) {
      let rest = file.path.dropFirst(prefix.count)
      if !rest.contains("/") { names.append(String(rest)) }
    }
    for other in directories where other.hasPrefix(prefix) {
      let rest = other.dropFirst(prefix.count)
      if !rest.contains("/") { names.append(String(rest)) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  // MARK: Changing

  /// Writes bytes at an offset; `offset` nil is the end, `replacing` empties the file first.
  public mutating func put(
    _ path: String, offset: Int?, bytes: [UInt8], replacing: Bool, strike: DiskStrike?
  ) -> DiskResult {
    if isProtected { return DiskResult(.notPermitted) }
    guard hasParent(of: path) else { return DiskResult(.notFound) }
    if case .failure(.notPermitted, _) = strike { return DiskResult(.notPermitted) }
    var place = insertionPoint(path)
    let exists = place < files.count && files[place].path == path
    if exists, files[place].isDenied { return DiskResult(.notPermitted) }
    if !exists {
      if offset != nil { return DiskResult(.notFound) }
      files.insert(DiskFile(path: path, bytes: []), at: place)
      place = insertionPoint(path)
      note(.created(path))
    } else if replacing {
      release(files[place].bytes.count)
      files[place].unsynced.willChange(files[place].bytes, .empty)
      files[place].bytes.removeAll(keepingCapacity: false)
    }
    let start = min(offset ?? files[place].bytes.count, files[place].bytes.count)
    var outcome = DiskOutcome.done
    var count = bytes.count
    switch strike {
    case .death(let afterBytes, _):
      count = min(count, afterBytes)
      outcome = .died
    case .failure(let failure, let afterBytes):
      count = min(count, afterBytes)
      outcome = failure
    case nil:
      break
    }
    let growth = max(0, start + count - files[place].bytes.count)
    if let room = roomBytes, growth > room {
      count -= growth - max(0, room)
      if outcome == .done { outcome = .noSpace }
    }
    count = max(0, count)
    let grown = max(0, start + count - files[place].bytes.count)
    if let room = roomBytes { roomBytes = room - grown }
    if start < files[place].bytes.count || files[place].unsynced.base != nil {
      files[place].unsynced.willChange(
        files[place].bytes, .put(offset: start, Array(bytes[0..<count])))
    }
    files[place].bytes.replaceSubrange(
      start..<min(start + count, files[place].bytes.count), with: bytes[0..<count])
    return DiskResult(outcome, writtenCount: count, offset: start)
  }

  /// Cuts a file to `count` bytes.
  public mutating func truncate(_ path: String, to count: Int, strike: DiskStrike?) -> DiskResult {
    if isProtected { return DiskResult(.notPermitted) }
    guard let place = index(of: path) else { return DiskResult(.notFound) }
    if files[place].isDenied { return DiskResult(.notPermitted) }
    if let stopped = stopped(by: strike) { return stopped }
    if count < files[place].bytes.count {
      release(files[place].bytes.count - count)
      files[place].unsynced.willChange(files[place].bytes, .cut(count))
      files[place].bytes.removeLast(files[place].bytes.count - count)
    }
    return DiskResult(endOutcome(strike), offset: count)
  }

  /// Moves a file over another.
  public mutating func rename(_ path: String, to target: String, strike: DiskStrike?) -> DiskResult
  {
    if isProtected { return DiskResult(.notPermitted) }
    guard let place = index(of: path), hasParent(of: target) else { return DiskResult(.notFound) }
    if files[place].isDenied { return DiskResult(.notPermitted) }
    if let old = index(of: target), files[old].isDenied { return DiskResult(.notPermitted) }
    if let stopped = stopped(by: strike) { return stopped }
    var file = files.remove(at: place)
    file.path = target
    let old = index(of: target)
    note(.renamed(from: path, to: target, replaced: old.map { files[$0] }))
    if let old {
      release(files[old].bytes.count)
      files[old] = file
    } else {
      files.insert(file, at: insertionPoint(target))
    }
    return DiskResult(endOutcome(strike))
  }

  /// Removes a file, or a directory with all in it.
  public mutating func remove(_ path: String, strike: DiskStrike?) -> DiskResult {
    if isProtected { return DiskResult(.notPermitted) }
    if let place = index(of: path) {
      if files[place].isDenied { return DiskResult(.notPermitted) }
      if let stopped = stopped(by: strike) { return stopped }
      release(files[place].bytes.count)
      note(.removed(RemovedTree(path: path, files: [files[place]])))
      files.remove(at: place)
      return DiskResult(endOutcome(strike))
    }
    guard contains(directory: path) else { return DiskResult(.notFound) }
    let prefix = path + "/"
    if files.contains(where: { $0.isDenied && $0.path.hasPrefix(prefix) }) {
      return DiskResult(.notPermitted)
    }
    if let stopped = stopped(by: strike) { return stopped }
    var tree = RemovedTree(path: path, files: files.filter { $0.path.hasPrefix(prefix) })
    for file in tree.files { release(file.bytes.count) }
    tree.directories = directories.filter { $0 == path || $0.hasPrefix(prefix) }
    tree.exclusions = excludedFromBackup.filter { $0 == path || $0.hasPrefix(prefix) }
    note(.removed(tree))
    files.removeAll { $0.path.hasPrefix(prefix) }
    directories.removeAll { $0 == path || $0.hasPrefix(prefix) }
    excludedFromBackup.removeAll { $0 == path || $0.hasPrefix(prefix) }
    return DiskResult(endOutcome(strike))
  }

  /// Creates a directory and those above it.
  public mutating func createDirectory(_ path: String, strike: DiskStrike?) -> DiskResult {
    if isProtected { return DiskResult(.notPermitted) }
    if let stopped = stopped(by: strike) { return stopped }
    var end = path.startIndex
    while end != path.endIndex {
      end = path[path.index(after: end)...].firstIndex(of: "/") ?? path.endIndex
      let part = String(path[..<end])
      if directories.contains(part) { continue }
      directories.append(part)
      note(.directory(part))
    }
    return DiskResult(endOutcome(strike))
  }

  /// Marks a file or directory as kept out of backups.
  public mutating func excludeFromBackup(_ path: String, strike: DiskStrike?) -> DiskResult {
    if isProtected { return DiskResult(.notPermitted) }
    guard contains(directory: path) || index(of: path) != nil else { return DiskResult(.notFound) }
    if let stopped = stopped(by: strike) { return stopped }
    if !excludedFromBackup.contains(path) {
      excludedFromBackup.append(path)
      note(.exclusion(path))
    }
    return DiskResult(endOutcome(strike))
  }

  // MARK: What the world does behind the app's back

  /// Takes a file away.
  public mutating func vanish(at place: Int) {
    release(files[place].bytes.count)
    let path = files.remove(at: place).path
    settleNames(of: path)
  }

  /// Replaces what a file holds, for good.
  public mutating func setBytes(_ bytes: [UInt8], at place: Int) {
    files[place].bytes = bytes
    files[place].unsynced.settle(count: bytes.count)
    settleNames(of: files[place].path)
  }

  /// The app was deleted with all its data.
  public mutating func removeEverything() {
    for file in files { release(file.bytes.count) }
    files = []
    directories = []
    excludedFromBackup = []
    nameChanges = []
  }

  /// Only what a backup holds is there; marks are gone with the folders that had them.
  public mutating func restoreFromBackup() {
    let excluded = excludedFromBackup
    func isExcluded(_ path: String) -> Bool {
      excluded.contains { path == $0 || path.hasPrefix($0 + "/") }
    }
    for file in files where isExcluded(file.path) { release(file.bytes.count) }
    files.removeAll { isExcluded($0.path) }
    directories.removeAll { isExcluded($0) }
    excludedFromBackup = []
    synchronizeAll()
    allowEverything()
  }

  /// Denies access to a file, or allows it again.
  public mutating func setDenied(_ denied: Bool, at place: Int) { files[place].isDenied = denied }

  /// Allows access to every file.
  public mutating func allowEverything() {
    for place in files.indices { files[place].isDenied = false }
  }

  // MARK: Helpers

  /// A step that is stopped before it has any effect.
  func stopped(by strike: DiskStrike?) -> DiskResult? {
    switch strike {
    case .failure(let outcome, _): return DiskResult(outcome)
    case .death(_, atomicStepDone: false): return DiskResult(.died)
    case .death(_, atomicStepDone: true), nil: return nil
    }
  }

  func endOutcome(_ strike: DiskStrike?) -> DiskOutcome {
    strike == nil ? .done : .diedAfter
  }

  mutating func release(_ count: Int) {
    if let room = roomBytes { roomBytes = room + count }
  }

  private func hasParent(of path: String) -> Bool {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return true }
    let parent = path[..<slash]
    let count = parent.utf8.count
    return directories.contains { $0.utf8.count == count && $0 == parent }
  }

  func insertionPoint(_ path: String) -> Int {
    var low = 0
    var high = files.count
    while low < high {
      let middle = (low + high) / 2
      if files[middle].path < path { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
