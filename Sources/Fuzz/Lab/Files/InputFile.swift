import Foundation

/// Reads files that a person names.
public enum InputFile {
  /// The bytes of a file.
  /// - Throws: `InputError` with the reason.
  public static func read(_ path: String) throws -> [UInt8] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw InputError(file: path, problem: "does not exist", mend: "check the path")
    }
    if isFolder.boolValue {
      throw InputError(file: path, problem: "is a folder", mend: "name a file in it")
    }
    // Read as a stream, so that pipes can be named too.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(path) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = block.withUnsafeMutableBytes {
        Foundation.read(descriptor, $0.baseAddress, $0.count)
      }
      if count == 0 { return bytes }
      if count > 0 {
        bytes.append(contentsOf: block[..<count])
      } else if errno != EINTR {
        throw unreadable(path)
      }
    }
  }

  private static func unreadable(_ path: String) -> InputError {
    InputError(
      file: path, problem: "cannot be read (\(String(cString: strerror(errno))))",
      mend: "check that you may read it")
  }

  /// The files themselves, and for each folder the files in it with one of the endings, by name.
  public static func expand(_ paths: [String], endings: [String]) throws -> [String] {
    var files: [String] = []
    for path in paths {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        throw InputError(file: path, problem: "does not exist", mend: "check the path")
      }
      if !isFolder.boolValue {
        files.append(path)
        continue
      }
      let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      let matching = names.filter { name in endings.contains { name.hasSuffix($0) } }.sorted()
      if matching.isEmpty {
        throw InputError(
          file: path, problem: "holds no file ending in \(endings.joined(separator: " or "))",
          mend: "name a folder with stored files")
      }
      let folder = path.hasSuffix("/") ? path : path + "/"
      files.append(contentsOf: matching.map { folder + $0 })
    }
    return files
  }
}
