import Foundation

/// Finds which tests name which requirement, by reading the test sources of a package.
public struct RequirementTests {
  private var names: [(id: String, test: String)] = []
  /// Tests that also show their own rule fire, on a text with something wrong planted in it.
  private var selfProving: [String] = []

  /// Reads every Swift file below `Tests`. A test owns the ids in its body and in the comment or
  /// attribute before it; names are `Folder/File: test`.
  public init(packageRoot: String) {
    let root = packageRoot + "/Tests"
    guard let walker = FileManager.default.enumerator(atPath: root) else { return }
    var files: [String] = []
    while let path = walker.nextObject() as? String {
      if path.hasSuffix(".swift") { files.append(path) }
    }
    for file in files.sorted() {
      guard let source = try? String(contentsOfFile: root + "/" + file, encoding: .utf8) else {
        continue
      }
      read(source, file: String(file.dropLast(6)))
    }
  }

  /// The tests that name a requirement and show in themselves what turns them red.
  public func selfProving(_ id: String) -> [String] {
    naming(id).filter { selfProving.contains($0) }
  }

  /// The tests that name a requirement.
  public func naming(_ id: String) -> [String] { names.filter { $0.id == id }.map(\.test) }

  private mutating func read(_ source: String, file: String) {
    var waiting: [String] = []
    var test: String?
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      if let begun = RequirementTests.testName(in: line) {
        test = begun
        for id in waiting { add(id, file: file, test: begun) }
        waiting = []
      } else if line.hasPrefix("  }") || line.hasPrefix("}") {
        test = nil
      }
      if let test, line.contains("= planted(") { selfProving.append("\(file): \(test)") }
      for id in RequirementTests.ids(in: line) {
        if let test { add(id, file: file, test: test) } else { waiting.append(id) }
      }
    }
  }

  private mutating func add(_ id: String, file: String, test: String) {
    let name = "\(file): \(test)"
    if !names.contains(where: { $0.id == id && $0.test == name }) { names.append((id, name)) }
  }

  private static func testName(in line: Substring) -> String? {
    guard line.contains("@Test") else { return nil }
    let parts = line.split(separator: "\"")
    if parts.count >= 2, parts[0].hasSuffix("(") { return String(parts[1]) }
    guard let function = line.range(of: "func ") else { return "test" }
    return String(line[function.upperBound...].prefix { $0 != "(" })
  }

  /// Words like `TRN-07` in a line.
  static func ids(in line: Substring) -> [String] {
    let words = line.split { !($0.isLetter || $0.isNumber || $0 == "-") }
    return words.map(String.init).filter { word in
      guard let dash = word.firstIndex(of: "-") else { return false }
      let area = word[..<dash]
      let number = word[word.index(after: dash)...]
      return (2...3).contains(area.count) && area.allSatisfy(\.isUppercase)
        && number.count == 2 && number.allSatisfy(\.isNumber)
    }
  }
}
