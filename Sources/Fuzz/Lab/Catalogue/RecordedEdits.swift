import Foundation

/// The edits of recorded histories that show an invariant able to fire, read from the test sources.
public struct RecordedEdits {
  /// One edit, with the requirements that it breaks; none is any of its invariant's.
  private struct Entry {
    var invariant: String
    var requirements: [String]
    var name: String
  }

  private var entries: [Entry] = []

  /// Reads every edit below `Tests/Fuzz/Invariants`: a `name`, the `invariant` behind it, and
  /// `requirements` where it names some.
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
        let words = RecordedEdits.text(behind: "requirements: [", upTo: "]", in: part) ?? ""
        entries.append(
          Entry(
            invariant: invariant, requirements: RequirementTests.ids(in: words[...]), name: name))
      }
    }
  }

  /// The edits that break a requirement, each with the invariant that fires on it.
  public func breaking(_ requirement: String) -> [String] {
    entries.filter { $0.requirements.contains(requirement) }.map { "\($0.invariant): \($0.name)" }
  }

  /// The edits on which an invariant fires and that do not say what of it they break.
  public func unspecific(_ invariant: String) -> [String] {
    entries.filter { $0.invariant == invariant && $0.requirements.isEmpty }
      .map { "\($0.invariant): \($0.name)" }
  }

  /// Requirements that edits name although their invariant does not stand for them.
  public func strangers(_ requirements: (String) -> [String]) -> [String] {
    entries.flatMap { entry in
      entry.requirements.filter { !requirements(entry.invariant).contains($0) }
        .map { "\(entry.name): \($0)" }
    }
  }

  private static func text(
    behind label: String, upTo end: Character = "\"", in source: String
  ) -> String? {
    source.range(of: label).map { String(source[$0.upperBound...].prefix { $0 != end }) }
  }
}
