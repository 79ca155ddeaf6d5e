import SDK

/// A file system in memory. Directories are not kept: every path may be written.
final class MemoryStorage: StoragePort {
  private let files = Locked<[String: [UInt8]]>([:])

  func list(_ directory: String) throws(StorageError) -> [String] {
    let prefix = directory.isEmpty ? "" : directory + "/"
    let names = files.access { files in
      files.keys.filter { $0.hasPrefix(prefix) }
        .map { String($0.dropFirst(prefix.count).prefix { $0 != "/" }) }
    }
    var distinct: [String] = []
    for name in names.sorted() where distinct.last != name { distinct.append(name) }
    return distinct
  }

  func size(_ path: String) throws(StorageError) -> Int { try file(path).count }

  func read(_ path: String, offset: Int, count: Int) throws(StorageError) -> [UInt8] {
    Array(try file(path).dropFirst(offset).prefix(count))
  }

  func write(_ path: String, _ bytes: [UInt8]) throws(StorageError) {
    files.access { $0[path] = bytes }
  }

  func append(_ path: String, _ bytes: [UInt8]) throws(StorageError) {
    files.access { $0[path, default: []] += bytes }
  }

  func overwrite(_ path: String, offset: Int, _ bytes: [UInt8]) throws(StorageError) {
    var content = try file(path)
    if content.count < offset + bytes.count {
      content += [UInt8](repeating: 0, count: offset + bytes.count - content.count)
    }
    content.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    files.access { $0[path] = content }
  }

  func truncate(_ path: String, to count: Int) throws(StorageError) {
    let content = Array(try file(path).prefix(count))
    files.access { $0[path] = content }
  }

  func barrier(_ path: String) throws(StorageError) {}

  func rename(_ path: String, to target: String) throws(StorageError) {
    let content = try file(path)
    files.access {
      $0[path] = nil
      $0[target] = content
    }
  }

  func remove(_ path: String) throws(StorageError) {
    files.access { files in
      for name in files.keys where name == path || name.hasPrefix(path + "/") { files[name] = nil }
    }
  }

  func createDirectory(_ path: String) throws(StorageError) {}

  func excludeFromBackup(_ path: String) throws(StorageError) {}

  private func file(_ path: String) throws(StorageError) -> [UInt8] {
    guard let content = files.access({ $0[path] }) else { throw .notFound }
    return content
  }
}
