import Foundation
import Testing

/// A broken rule, at a place.
struct Violation: Hashable, CustomStringConvertible {
  var path: String
  /// From 1; 0 is the file as a whole.
  var line: Int
  var message: String

  var description: String { line == 0 ? "\(path): \(message)" : "\(path):\(line): \(message)" }
}

/// The files of this repository.
enum Repository {
  /// The folder with the manifest, found from where this file lies.
  static let root: URL = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Every Swift file below `Sources` and `Tests`, and the manifest.
  static let swiftFiles: [SourceFile] =
    (paths(below: "Sources") + paths(below: "Tests") + ["Package.swift"])
    .filter { $0.hasSuffix(".swift") }
    .map { SourceFile(path: $0, text: text($0)) }

  /// The Swift files of the product, the simulation, the lab and the command.
  static var sources: [SourceFile] { swiftFiles.filter { $0.path.hasPrefix("Sources/") } }

  /// The paths of all files below a folder, sorted; hidden ones are left out.
  static func paths(below folder: String) -> [String] {
    let url = root.appendingPathComponent(folder)
    let walker = FileManager.default.enumerator(
      at: url, includingPropertiesForKeys: [.isRegularFileKey], options: [.skipsHiddenFiles])
    var found: [String] = []
    while let file = walker?.nextObject() as? URL {
      let isFile = try? file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile
      if isFile == true { found.append(String(file.path.dropFirst(root.path.count + 1))) }
    }
    return found.sorted()
  }

  static func text(_ path: String) -> String {
    let data = FileManager.default.contents(atPath: root.appendingPathComponent(path).path)
    return String(decoding: data ?? Data(), as: UTF8.self)
  }

  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
  }
}

/// Fails with all violations, one a line, when there are any.
func expectNone(_ violations: [Violation], sourceLocation: SourceLocation = #_sourceLocation) {
  if violations.isEmpty { return }
  let list = violations.map(\.description).joined(separator: "\n")
  Issue.record(
    "\(violations.count) places break this rule:\n\(list)", sourceLocation: sourceLocation)
}

/// A bad snippet as a file at a path of the rule's concern.
func planted(_ text: String, at path: String = "Sources/SimKernel/Planted.swift") -> SourceFile {
  SourceFile(path: path, text: text)
}
