import Testing

/// Hash tables are walked in another order in each process, so raw ones stand only in listed files
/// (determinism rule 3); everything else uses `Lookup`, which cannot be walked.
enum HashTables {
  /// Where a raw `Dictionary` or `Set` may stand, and why. Walking one is forbidden there too.
  static let allowed: [(path: String, reason: String)] = [
    ("Sources/SimKernel/Kernel/Lookup.swift", "the wrapper itself"),
    ("Sources/SDK/Storage/Lookup.swift", "the wrapper itself"),
    ("Sources/SDK/Metrics/PostlipMetrics.swift", "the public signatures"),
    ("Sources/SDK/Metrics/PostlipMetricsClient.swift", "the public signatures"),
    ("Sources/SDK/Metrics/MetricsContext.swift", "what an app is given"),
    ("Sources/SDK/Metrics/ScreenPath.swift", "asks an app's properties for one key"),
    ("Sources/SDK/Encoding/ValueEncoder.swift", "an app's values, whose keys are sorted to write"),
    ("Sources/Fuzz/World/RunResult.swift", "counts by name, asked by name and sorted in reports"),
    ("Sources/Fuzz/Invariants/Framework/Finding.swift", "counts by name, sorted in reports"),
    ("Sources/Fuzz/World/HostValues.swift", "makes the dictionaries that a host app passes"),
    ("Sources/Fuzz/Lab/Report/Tally.swift", "counts by name, sorted as they come in"),
  ]

  /// Walks whose order is known or does not matter though the line does not show it: arrays of
  /// pairs, arrays named like a table, and what is sorted in the next line.
  static let orderedWalks: [(path: String, walk: String)] = [
    ("Sources/SDK/Encoding/ValueEncoder.swift", "in sortedMembers(object)"),
    ("Sources/SDK/Encoding/ValueEncoder.swift", "for member in object"),
    ("Sources/SDK/Storage/JournalWriting.swift", "in places"),
    ("Sources/SDK/Storage/JournalLoading.swift", "in found"),
    ("Sources/Fuzz/Lab/Defects/ScenarioProof.swift", "in defects where"),
    ("Sources/Fuzz/Lab/Report/Tally.swift", "counts.map { Entry("),
    ("Sources/Fuzz/Lab/Run/ScenarioSource.swift", "in others where"),
    ("Sources/Fuzz/World/HostValues.swift", "for entry in entries"),
    ("Sources/Fuzz/Lab/Defects/DefectHunt.swift", "in chosen"),
    ("Sources/Fuzz/Lab/Defects/PlantedSources.swift", "in site.defects"),
    ("Sources/Fuzz/Scenario/Generator/Profile.swift", "in Profile.base + changes"),
  ]

  private static let binds = ["Sources/SimKernel/", "Sources/SDK/", "Sources/Fuzz/"]

  static func isOrdered(_ line: String, in file: SourceFile) -> Bool {
    orderedWalks.contains { file.path == $0.path && line.contains($0.walk) }
  }

  static func check(_ file: SourceFile) -> [Violation] {
    guard binds.contains(where: file.path.hasPrefix) else { return [] }
    let isAllowed = allowed.contains { file.path == $0.path }
    return walks(in: file) + NamedTables.walks(in: file) + (isAllowed ? [] : tables(in: file))
  }

  private static func tables(in file: SourceFile) -> [Violation] {
    var violations: [Violation] = []
    for token in ["Set<", "Set(", "Dictionary<", "Dictionary(", "[:]", "NSDictionary", "NSSet"] {
      for place in file.occurrences(of: token) {
        violations.append(
          file.violation(place.line, "\(token) is a raw hash table: use Lookup, or list the file"))
      }
    }
    for (index, line) in file.code.enumerated() where holdsDictionaryType(line) {
      violations.append(
        file.violation(index + 1, "a raw dictionary type: use Lookup, or list the file"))
    }
    return violations
  }

  /// Whether a line holds `[Key: Value]` with a key type that begins with a capital letter.
  static func holdsDictionaryType(_ line: String) -> Bool {
    var parts = line.split(separator: "[", omittingEmptySubsequences: false).dropFirst()
    while let part = parts.popFirst() {
      guard let colon = part.firstIndex(of: ":") else { continue }
      let key = part[..<colon]
      guard let first = key.first, first.isUppercase else { continue }
      let isType = key.allSatisfy { $0.isLetter || $0.isNumber || "._<>?".contains($0) }
      if isType { return true }
    }
    return false
  }

  /// What makes the order of a walk known.
  private static let orders = [".sorted", ".enumerated(", "zip(", ".indices", "stride("]

  /// Walks over key and value pairs, keys or values whose order nothing fixes.
  private static func walks(in file: SourceFile) -> [Violation] {
    var violations: [Violation] = []
    for (index, line) in file.code.enumerated() {
      let isOrdered =
        orders.contains(where: line.contains)
        || HashTables.isOrdered(line, in: file)
      if !isOrdered && walksPairs(line) {
        violations.append(
          file.violation(index + 1, "walks over pairs in no fixed order: sort them first"))
      }
    }
    for token in [".keys", ".values"] {
      for place in file.occurrences(of: token) {
        let line = file.code[place.line - 1]
        if orders.contains(where: line.contains) || isField(place.rest) { continue }
        violations.append(
          file.violation(place.line, "\(token) of a hash table has no fixed order: sort it"))
      }
    }
    return violations
  }

  /// An array property may be called `keys` or `values`; it is then indexed, counted or assigned.
  private static func isField(_ rest: Substring) -> Bool {
    let rest = rest.drop { $0 == " " }
    return ["(", "[", ".append", ".count", ".isEmpty", ".last", ".removeLast", "= "].contains {
      rest.hasPrefix($0)
    }
  }

  private static func walksPairs(_ line: String) -> Bool {
    guard let range = line.firstRange(of: "for (") ?? line.firstRange(of: "for case (") else {
      return false
    }
    let rest = line[range.upperBound...]
    guard let close = rest.firstIndex(of: ")") else { return false }
    return rest[..<close].contains(",") && rest[close...].hasPrefix(") in ")
      && !rest[close...].hasPrefix(") in [")
  }
}

@Suite struct HashTablesTests {
  @Test func theSourcesHoldOnlyListedTables() {
    expectNone(Repository.sources.flatMap(HashTables.check))
  }

  /// The planted unordered iteration: caught, and pointed at by file and line.
  @Test func aPlantedUnorderedIterationIsPointedAt() {
    let file = planted(
      """
      struct Registry {
        var handlers: [String: Int] = [:]

        func names() -> [String] {
          var names: [String] = []
          for (name, _) in handlers {
            names.append(name)
          }
          return names
        }
      }
      """, at: "Sources/Fuzz/World/Registry.swift")
    let places = HashTables.check(file).map(\.description)
    #expect(
      places.contains(
        "Sources/Fuzz/World/Registry.swift:6: walks over pairs in no fixed order: sort them first"))
    #expect(
      places.contains(
        "Sources/Fuzz/World/Registry.swift:2: a raw dictionary type: use Lookup, or list the file"))
  }

  /// Also where a table is allowed, and where the walk shows no pairs.
  @Test(arguments: [
    "for name in names {", "for name in names where name > 1 {", "let a = names.map { $0 }",
    "names.forEach { use($0) }", "let a = Array(names)", "return names.first",
    "for (index, name) in names.enumerated() {", "let text = names.joined()",
  ])
  func aWalkOverANamedTableIsPointedAt(walk: String) {
    for declaration in [
      "var names: Set<Int> = []", "let names = Set(others)", "func f(_ names: [String: Int]) {",
      "var names: [UInt64: Int] = [:]", "private let names: [A: [B]]",
    ] {
      let path = "Sources/Fuzz/World/RunResult.swift"
      let file = planted("\(declaration)\n\(walk)\n", at: path)
      #expect(HashTables.check(file).map(\.line) == [2], "\(declaration)")
    }
  }

  @Test(arguments: [
    "for name in names.sorted() {", "let a = names[3]", "names.insert(4)", "names.contains(3)",
    "for name in others {", "let a = rename.map { $0 }", "names[3, default: 0] += 1",
  ])
  func otherUsesOfANamedTableAreNoAlarm(use: String) {
    let path = "Sources/Fuzz/World/RunResult.swift"
    #expect(HashTables.check(planted("var names: Set<Int> = []\n\(use)\n", at: path)).isEmpty)
  }

  @Test(arguments: [
    "let a = Set<Int>()", "let a: Set<UInt8> = []", "var a = Set(b)", "let a: [UInt64: Int]",
    "func f() -> [String: [Int]]", "var a: [Box.Key: Int]", "a = [:]",
    "let a = Dictionary(grouping: b) { $0 }", "for key in table.keys {", "table.values.map { $0 }",
    "for (a, b) in table {", "for (a, b) in Fuzz.tables[3] {",
  ])
  func eachFormFires(snippet: String) {
    let violations = HashTables.check(planted("\n" + snippet))
    #expect(!violations.isEmpty)
    #expect(violations.allSatisfy { $0.line == 2 })
  }

  @Test(arguments: [
    "let a: [Int] = [1]", "let a = b[c: d]", "f(x: [1], y: 2)",
    "for (index, item) in a.enumerated() {",
    "for (a, b) in zip(c, d) {", "for key in table.keys.sorted() {", "let a = \"[String: Int]\"",
    "// a Set<Int>", "let values = b.values[3]", "x ? [A.b] : c", "for (a, b) in [(1, 2)] {",
    "var table: Lookup<UInt64, Int>",
  ])
  func orderedFormsAreNoAlarm(snippet: String) {
    #expect(HashTables.check(planted(snippet)).isEmpty)
  }

  @Test func everyListedPlaceStillExists() {
    for (path, walk) in HashTables.orderedWalks {
      #expect(Repository.text(path).contains(walk), "\(path) has no walk \(walk)")
    }
    for (path, _) in HashTables.allowed { #expect(Repository.exists(path), "\(path) is gone") }
  }
}
