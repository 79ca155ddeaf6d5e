import Foundation

/// The edits of recorded histories that show an invariant able to fire, read from the test sources.
public struct RecordedEdits {
  private var entries: [(invariant: String, name: String)] = []

  /// Reads every edit below `Tests/Fuzz/Invariants`: a `name` and the `invariant` behind it.
  public init(packageRoot: String) {
    let root = packageRoot + "/Tests/Fuzz/Invariants"
    guard let walker = FileManager.default.enumerator(atPath: root) else { return }
    var files: [String] = []
    while let path = walker.nextObject() as? String {
      if path.hasSuffix("Edits.swift") { files.append(path) }
    }
    for file in files.sorted() {
      let source = (try? String(contentsOfFile: root + "/" + file, encoding: .utf8)) ?? ""
      for part in source.components(separatedBy: "RecordedEdit(").dropFirst() {
        guard let name = RecordedEdits.text(behind: "name: \"", in: part),
          let invariant = RecordedEdits.text(behind: "invariant: \"", in: part)
        else { continue }
        entries.append((invariant, name))
      }
    }
  }

  /// The names of the edits on which an invariant fires.
  public func naming(_ invariant: String) -> [String] {
    entries.filter { $0.invariant == invariant }.map(\.name)
  }

  private static func text(behind label: String, in source: String) -> String? {
    source.range(of: label).map { String(source[$0.upperBound...].prefix { $0 != "\"" }) }
  }
}
