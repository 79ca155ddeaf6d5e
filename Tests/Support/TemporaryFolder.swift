import Foundation

/// A folder for one test, gone with it.
public final class TemporaryFolder {
  public let path: String

  public init() {
    let name = "simlab-test-\(ProcessInfo.processInfo.globallyUniqueString)"
    path = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in it.
  public func file(_ name: String) -> String { path + "/" + name }

  /// Makes a file in it, and the folders on the way.
  @discardableResult
  public func write(_ text: String, as name: String) throws -> String {
    let path = file(name)
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  public func emptyFile(_ name: String) throws -> String { try write("", as: name) }

  /// What a file in it holds; nothing if there is none.
  public func text(_ name: String) -> String {
    String(decoding: FileManager.default.contents(atPath: file(name)) ?? Data(), as: UTF8.self)
  }

  /// The names of what lies in it.
  public var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}
