/// What of a file's content no barrier has covered yet.
///
/// As long as bytes were only added, what is durable is a prefix of the file; anything else keeps
/// the durable content and every change since.
struct UnsyncedContent: Sendable {
  enum Change: Sendable {
    case empty
    case put(offset: Int, [UInt8])
    case cut(Int)

    /// How many states the flash can be caught in by this change.
    var stepCount: Int {
      if case .put(_, let bytes) = self { return bytes.count }
      return 1
    }
  }

  /// How many bytes are durable while `base` is nil.
  var durableCount = 0
  /// The durable content, once something else than an addition has come since.
  var base: [UInt8]?
  var changes: [Change] = []

  /// All there is has become durable.
  mutating func settle(count: Int) {
    durableCount = count
    base = nil
    changes = []
  }

  /// Notes a change that is no mere addition, or any after such a one.
  /// - Parameter bytes: the content before it.
  mutating func willChange(_ bytes: [UInt8], _ change: Change) {
    if base == nil {
      base = Array(bytes.prefix(durableCount))
      if bytes.count > durableCount {
        changes = [.put(offset: durableCount, Array(bytes.suffix(bytes.count - durableCount)))]
      }
    }
    changes.append(change)
  }

  /// What is left of `bytes`: all, only what is durable, or anything between.
  func survivor(of bytes: [UInt8], _ draw: inout RandomStream) -> [UInt8] {
    guard let base else {
      let unsynced = bytes.count - durableCount
      return unsynced <= 0 ? bytes : Array(bytes.prefix(durableCount + kept(of: unsynced, &draw)))
    }
    var left = kept(of: changes.reduce(0) { $0 + $1.stepCount }, &draw)
    var content = base
    for change in changes where left > 0 {
      apply(change, to: &content, atMost: left)
      left -= change.stepCount
    }
    return content
  }

  private func kept(of count: Int, _ draw: inout RandomStream) -> Int {
    switch draw.below(4) {
    case 0: return 0
    case 1: return count
    default: return draw.int(0...count)
    }
  }

  private func apply(_ change: Change, to content: inout [UInt8], atMost count: Int) {
    switch change {
    case .empty: content = []
    case .cut(let length): content = Array(content.prefix(length))
    case .put(let offset, let bytes):
      let start = min(offset, content.count)
      let part = bytes.prefix(count)
      content.replaceSubrange(start..<min(start + part.count, content.count), with: part)
    }
  }
}

/// Files and directories that were removed together.
struct RemovedTree: Sendable {
  var path: String
  var files: [DiskFile]
  var directories: [String] = []
  var exclusions: [String] = []
}

/// A name that came, went or moved; it happened whole or not at all.
struct NameChange: Sendable {
  enum Kind: Sendable {
    case created(String)
    case renamed(from: String, to: String, replaced: DiskFile?)
    case removed(RemovedTree)
    case directory(String)
    case exclusion(String)
  }

  var kind: Kind

  var paths: [String] {
    switch kind {
    case .created(let path), .directory(let path), .exclusion(let path): return [path]
    case .renamed(let from, let to, _): return [from, to]
    case .removed(let tree): return [tree.path] + tree.directories + tree.files.map(\.path)
    }
  }

  /// Tells changes of one name apart, for their draws.
  var code: UInt64 {
    switch kind {
    case .created: return 1
    case .renamed: return 2
    case .removed: return 3
    case .directory: return 4
    case .exclusion: return 5
    }
  }

  var isExclusion: Bool {
    if case .exclusion = kind { return true }
    return false
  }

  /// Whether a later change of this path can not have happened without this one.
  func isNeeded(byPath later: String) -> Bool {
    switch kind {
    case .created(let path), .directory(let path), .exclusion(let path):
      return NameChange.isAt(later, path)
    case .renamed(let from, let to, _):
      return NameChange.isAt(later, from) || NameChange.isAt(later, to)
    case .removed: return paths.contains { NameChange.isAt(later, $0) }
    }
  }

  /// Whether a path is another one or lies in it.
  private static func isAt(_ path: String, _ other: String) -> Bool {
    let count = other.utf8.count
    let own = path.utf8.count
    if own <= count { return own == count && path == other }
    let end = path.utf8.index(path.utf8.startIndex, offsetBy: count)
    return path.utf8[end] == UInt8(ascii: "/") && path.hasPrefix(other)
  }

  /// Whether a later change can not have happened without this one. A directory goes only when all
  /// in it has gone.
  func isNeeded(by later: NameChange) -> Bool {
    if case .removed(let tree) = later.kind, !tree.directories.isEmpty {
      let prefix = tree.path + "/"
      if paths.contains(where: { $0.hasPrefix(prefix) }) { return true }
    }
    return later.paths.contains { isNeeded(byPath: $0) }
  }
}

/// What a power loss did to one file or directory.
public struct DiskLoss: Sendable {
  public var path: String
  /// The content that is left; nil if nothing of this name is there any more.
  public var content: [UInt8]?
  /// How many bytes fewer or more than before.
  public var byteCount: Int
  public var isDirectory = false
}

extension Disk {
  /// More than a process leaves open; beyond it the system has written the oldest back by itself.
  private static let mostNameChanges = 64
  private static let contentStream = StreamName("disk.power_loss.content")
  private static let nameStream = StreamName("disk.power_loss.name")

  mutating func note(_ kind: NameChange.Kind) {
    nameChanges.append(NameChange(kind: kind))
    if nameChanges.count > Disk.mostNameChanges { nameChanges.removeFirst() }
  }

  /// Makes content and name of a file durable, or the names in a directory.
  public mutating func barrier(_ path: String, strike: DiskStrike?) -> DiskResult {
    if isProtected { return DiskResult(.notPermitted) }
    let place = index(of: path)
    guard place != nil || contains(directory: path) else { return DiskResult(.notFound) }
    if let place, files[place].isDenied { return DiskResult(.notPermitted) }
    if let stopped = stopped(by: strike) { return stopped }
    if let place { files[place].unsynced.settle(count: files[place].bytes.count) }
    settleNames(of: path, inside: place == nil)
    return DiskResult(endOutcome(strike))
  }

  /// Makes everything durable, as an orderly shutdown does.
  public mutating func synchronizeAll() {
    for place in files.indices { files[place].unsynced.settle(count: files[place].bytes.count) }
    nameChanges = []
  }

  /// Names of a path, and all that they hang on, are durable from now on.
  /// - Parameter inside: also names directly in this directory.
  mutating func settleNames(of path: String, inside: Bool = false) {
    if nameChanges.isEmpty { return }
    var covered: [NameChange] = []
    for place in nameChanges.indices.reversed() {
      let isInside = inside && nameChanges[place].paths.contains { Disk.parent(of: $0) == path }
      guard
        isInside || nameChanges[place].isNeeded(byPath: path)
          || covered.contains(where: { nameChanges[place].isNeeded(by: $0) })
      else { continue }
      covered.append(nameChanges.remove(at: place))
    }
  }

  private static func parent(of path: String) -> Substring {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[..<$0] } ?? ""
  }

  /// The power is gone: of each file any prefix of what no barrier covered is left, and each change
  /// of a name may not have happened, with all that hangs on it.
  /// - Parameter key: names the moment.
  /// - Returns: what is not as it was, by path.
  public mutating func losePower(_ randomness: Randomness, key: UInt64) -> [DiskLoss] {
    let before = files
    let foldersBefore = (directories, excludedFromBackup)
    undoNames(randomness, key)
    for place in files.indices {
      let file = files[place]
      var draw = randomness.stream(Disk.contentStream, Disk.hash(file.path), key)
      let content = file.unsynced.survivor(of: file.bytes, &draw)
      files[place].bytes = content
      files[place].unsynced.settle(count: content.count)
    }
    nameChanges = []
    return folderLosses(from: foldersBefore.0, foldersBefore.1) + losses(from: before)
  }

  private mutating func undoNames(_ randomness: Randomness, _ key: UInt64) {
    var undone: [NameChange] = []
    for change in nameChanges {
      let paths = change.paths
      let isLost = randomness.happens(
        Ratio(1, 2), Disk.nameStream, Disk.hash(paths[paths.count - 1]), key << 3 | change.code)
      if isLost || undone.contains(where: { !$0.isExclusion && $0.isNeeded(by: change) }) {
        undone.append(change)
      }
    }
    for change in undone.reversed() { undo(change.kind) }
  }

  private mutating func undo(_ kind: NameChange.Kind) {
    switch kind {
    case .created(let path):
      if let place = index(of: path) { files.remove(at: place) }
    case .renamed(let from, let to, let replaced):
      guard let place = index(of: to) else { return }
      var file = files.remove(at: place)
      file.path = from
      restore(file)
      if let replaced { restore(replaced) }
    case .removed(let tree):
      directories += tree.directories.filter { !directories.contains($0) }
      excludedFromBackup += tree.exclusions.filter { !excludedFromBackup.contains($0) }
      for file in tree.files { restore(file) }
    case .directory(let path): directories.removeAll { $0 == path }
    case .exclusion(let path): excludedFromBackup.removeAll { $0 == path }
    }
  }

  private mutating func restore(_ file: DiskFile) {
    if let place = index(of: file.path) {
      files[place] = file
    } else {
      files.insert(file, at: insertionPoint(file.path))
    }
  }

  /// Directories that are not there any more, or are in backups again.
  private func folderLosses(from before: [String], _ exclusions: [String]) -> [DiskLoss] {
    let lost = before.filter { path in
      !directories.contains(path)
        || exclusions.contains(path) && !excludedFromBackup.contains(path)
    }
    return lost.map { DiskLoss(path: $0, content: nil, byteCount: 0, isDirectory: true) }
  }

  private mutating func losses(from before: [DiskFile]) -> [DiskLoss] {
    var losses: [DiskLoss] = []
    for file in before {
      guard let place = index(of: file.path) else {
        losses.append(DiskLoss(path: file.path, content: nil, byteCount: file.bytes.count))
        continue
      }
      let content = files[place].bytes
      if content == file.bytes { continue }
      losses.append(
        DiskLoss(
          path: file.path, content: content, byteCount: abs(file.bytes.count - content.count)))
    }
    for file in files where !before.contains(where: { $0.path == file.path }) {
      losses.append(
        DiskLoss(path: file.path, content: file.bytes, byteCount: file.bytes.count))
    }
    let total = files.reduce(0) { $0 + $1.bytes.count }
    release(before.reduce(0) { $0 + $1.bytes.count } - total)
    return losses
  }

  private static func hash(_ path: String) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in path.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash
  }
}
