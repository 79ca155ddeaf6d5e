@testable import SDK

/// Files in memory that fail as told, and remember every step.
final class MemoryStorage: StoragePort, @unchecked Sendable {
  struct Step: Hashable {
    var operation: String
    var path: String
  }

  var files: [String: [UInt8]] = [:]
  var directories: Set<String> = []
  var excluded: Set<String> = []
  var steps: [Step] = []
  /// How many bytes were read, and given to be written.
  private(set) var bytesRead = 0
  private(set) var bytesWritten = 0
  /// Asked before each step; an error makes it fail without effect.
  var failure: ((Step) -> StorageError?)?
  /// How many more bytes fit; nil is no bound.
  var room: Int?
  /// After so many steps the process is dead: nothing has an effect any more.
  var dieAtStep: Int?
  /// How much of the bytes of the step in which the process dies reach the file.
  var bytesOfLastStep = 0
  var isDead: Bool { dieAtStep.map { steps.count > $0 } ?? false }
  var onStep: (() -> Void)?

  private func step(_ operation: String, _ path: String) throws(StorageError) {
    onStep?()
    let step = Step(operation: operation, path: path)
    steps.append(step)
    if let error = failure?(step) { throw error }
    if isDead { throw .inputOutput }
  }

  /// Whether the current step is the one in which the process dies.
  private var isDying: Bool { dieAtStep.map { steps.count == $0 } ?? false }

  func list(_ directory: String) throws(StorageError) -> [String] {
    try step("list", directory)
    guard directories.contains(directory) else { throw .notFound }
    let inside = Array(files.keys) + Array(directories)
    let names = inside.filter { $0.hasPrefix(directory + "/") }
      .map { String($0.dropFirst(directory.count + 1)) }.filter { !$0.contains("/") }
    return names.sorted()
  }

  func size(_ path: String) throws(StorageError) -> Int {
    try step("size", path)
    guard let bytes = files[path] else { throw .notFound }
    return bytes.count
  }

  func read(_ path: String, offset: Int, count: Int) throws(StorageError) -> [UInt8] {
    try step("read", path)
    guard let bytes = files[path] else { throw .notFound }
    let found = Array(bytes.dropFirst(offset).prefix(count))
    bytesRead += found.count
    return found
  }

  func write(_ path: String, _ bytes: [UInt8]) throws(StorageError) {
    try step("write", path)
    bytesWritten += bytes.count
    if isDying {
      files[path] = Array(bytes.prefix(bytesOfLastStep))
      return
    }
    try put(path, [], bytes)
  }

  func append(_ path: String, _ bytes: [UInt8]) throws(StorageError) {
    try step("append", path)
    bytesWritten += bytes.count
    if isDying {
      files[path] = (files[path] ?? []) + bytes.prefix(bytesOfLastStep)
      return
    }
    try put(path, files[path] ?? [], bytes)
  }

  private func put(_ path: String, _ old: [UInt8], _ new: [UInt8]) throws(StorageError) {
    if let room, new.count > room {
      files[path] = old + new.prefix(room)
      self.room = 0
      throw .noSpace
    }
    if let room { self.room = room - new.count }
    files[path] = old + new
  }

  func overwrite(_ path: String, offset: Int, _ bytes: [UInt8]) throws(StorageError) {
    try step("overwrite", path)
    bytesWritten += bytes.count
    if isDying { return }
    guard var old = files[path] else { throw .notFound }
    if old.count < offset + bytes.count {
      let growth = offset + bytes.count - old.count
      if let room, growth > room { throw .noSpace }
      room = room.map { $0 - growth }
      old += [UInt8](repeating: 0, count: offset + bytes.count - old.count)
    }
    old.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
    files[path] = old
  }

  func truncate(_ path: String, to count: Int) throws(StorageError) {
    try step("truncate", path)
    guard let old = files[path] else { throw .notFound }
    if !isDying { files[path] = Array(old.prefix(count)) }
  }

  func barrier(_ path: String) throws(StorageError) {
    try step("barrier", path)
    if files[path] == nil { throw .notFound }
  }

  func rename(_ path: String, to target: String) throws(StorageError) {
    try step("rename", path)
    guard let bytes = files[path] else { throw .notFound }
    if isDying { return }
    files[path] = nil
    files[target] = bytes
  }

  func remove(_ path: String) throws(StorageError) {
    try step("remove", path)
    let inside = files.keys.filter { $0 == path || $0.hasPrefix(path + "/") }
    guard !inside.isEmpty || directories.contains(path) else { throw .notFound }
    if isDying { return }
    for path in inside { files[path] = nil }
    directories = directories.filter { $0 != path && !$0.hasPrefix(path + "/") }
  }

  func createDirectory(_ path: String) throws(StorageError) {
    try step("createDirectory", path)
    if isDying { return }
    var parts: [Substring] = []
    for part in path.split(separator: "/") {
      parts.append(part)
      directories.insert(parts.joined(separator: "/"))
    }
  }

  func excludeFromBackup(_ path: String) throws(StorageError) {
    try step("excludeFromBackup", path)
    if !isDying { excluded.insert(path) }
  }
}
