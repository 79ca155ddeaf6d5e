import CommandSupport
import Foundation
import FuzzHistory
import Testing

@testable import Fuzz

/// `simlab defects` on a package of one small file that plays the command: planting, building,
/// hunting and reducing for real.
@Suite struct DefectHuntTests {
  private let folder = TemporaryFolder()

  /// Its worker finds something wherever twice the seed is not what `answer` says.
  private static let command = """
    import Glibc

    func answer(_ seed: Int) -> Int {
      let factor = 2
      return seed * factor
    }

    func report(_ seed: Int) -> String {
      let finding = #"{"invariant":"INV-01","signature":"wrong answer"}"#
      let found = answer(seed) == seed * 2 ? "" : finding
      return #"{"seed":\\#(seed),"profile":"default","verdict":"pass","trace_hash":"0","#
        + #""findings":[\\#(found)]}"#
    }

    // A line is a seed with its profile, or a scenario that says which seed it came from.
    while let line = readLine() {
      let digits = line.drop { !$0.isNumber }
      if line.hasPrefix("{"), let origin = line.firstRange(of: #""seed": "#) {
        print(report(Int(line[origin.upperBound...].prefix { $0.isNumber }) ?? 0))
      } else {
        print(report(Int(digits.prefix { $0.isNumber }) ?? 0))
      }
      fflush(nil)
    }

    """

  private static let defects = """
    [
      { "id": "a-statement", "area": "LAB", "requirement": "LAB-24", "sentence": "Thrice.",
        "file": "Sources/simlab/main.swift", "kind": "statement",
        "anchor": "return seed * factor", "replacement": "return seed * 3",
        "invariants": ["INV-01"] },
      { "id": "an-expression", "area": "LAB", "requirement": "LAB-24", "sentence": "Seven.",
        "file": "Sources/simlab/main.swift", "kind": "expression",
        "anchor": "let factor = 2", "part": "2", "replacement": "seed > 3 ? 7 : 2",
        "invariants": ["INV-02"] },
      { "id": "harmless", "area": "LAB", "requirement": "LAB-24", "sentence": "The same.",
        "file": "Sources/simlab/main.swift", "kind": "statement",
        "anchor": "return seed * factor", "replacement": "return factor * seed" },
      { "id": "the-declaration", "area": "LAB", "requirement": "LAB-24", "sentence": "A default.",
        "file": "Sources/simlab/main.swift", "kind": "declaration",
        "anchor": "func answer(_ seed: Int) -> Int {",
        "replacement": "func answer(_ seed: Int, _ more: Int = 1) -> Int {\\n  if more == 1 { return 5 }" }
    ]
    """

  private func write(defects: String) throws {
    try folder.write(Self.command, as: "Sources/simlab/main.swift")
    try folder.write(
      """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(
        name: "simlab",
        targets: [.executableTarget(name: "simlab", path: "Sources/simlab")])

      """, as: "Package.swift")
    try folder.write(defects, as: "Tests/Planted/LAB/all.json")
  }

  private func removeCopy() throws {
    try FileManager.default.removeItem(atPath: PlantedCopy(of: folder.path).folder)
  }

  @Test func eachDefectIsPlantedAndHunted() throws {
    try write(defects: Self.defects)
    defer { try? removeCopy() }
    let outcome = try BuiltCommand.run(
      "defects", "--package", folder.path, "--seeds-per-defect", "8", "--jobs", "2", "--json")
    #expect(outcome.code == 1, "\(outcome.errors)")
    let results = try #require(try JSONValue.parse(Array(outcome.output.utf8)).array)
    #expect(
      results.compactMap { $0["id"]?.string }
        == ["a-statement", "an-expression", "harmless", "the-declaration"])
    #expect(results.map { $0["caught"]?.bool } == [true, false, false, true])
    #expect(results.map { $0["seed"]?.integer } == [1, 4, nil, 0])
    #expect(results.map { $0["seeds"]?.integer } == [2, 8, 8, 1])
    // What no named invariant caught is told apart from what nothing caught.
    #expect(results[1]["fired"]?.array?.compactMap(\.string) == ["INV-01"])
    #expect(results[1]["silent"]?.array?.compactMap(\.string) == ["INV-02"])
    #expect(results[2]["fired"]?.array?.isEmpty == true)
    // Nothing in a scenario is needed but its origin.
    #expect(results.map { $0["shrunk_actions"]?.integer } == [0, 0, nil, 0])
    #expect(results[0]["invariant"]?.string == "INV-01")
    // The package itself is untouched.
    #expect(folder.text("Sources/simlab/main.swift") == Self.command)
    #expect(folder.names == ["Package.swift", "Sources", "Tests"])
  }

  @Test func storedScenariosAreProven() throws {
    try write(
      defects: Self.defects
        .replacing(#""id": "a-statement","#, with: #""id": "a", "scenarios": "seeds/1.json","#)
        .replacing(#""id": "an-expression","#, with: #""id": "b", "scenarios": "seeds/2.json","#))
    try folder.write(
      Self.command.replacing("INV-01", with: "EXPECT"), as: "Sources/simlab/main.swift")
    for seed in 1...3 {
      let origin = #""provenance": { "seed": \#(seed), "profile": "default" }"#
      try folder.write(#"{ "version": 1, \#(origin) }"#, as: "seeds/\(seed).json")
    }
    defer { try? removeCopy() }
    let outcome = try BuiltCommand.run(
      "defects", "--package", folder.path, "--scenarios", "--json")
    #expect(outcome.code == 1, "\(outcome.errors)")
    let results = try #require(try JSONValue.parse(Array(outcome.output.utf8)).array)
    #expect(
      results.compactMap { $0["scenario"]?.string }
        == ["seeds/1.json", "seeds/2.json", "seeds/3.json", "seeds/1.json", "seeds/2.json"])
    #expect(results.map { $0["defect"]?.string } == [nil, nil, nil, "a", "b"])
    // No defect names the third, and the second defect shows from seed 4 on only.
    #expect(results.map { $0["right"]?.bool } == [true, true, false, true, false])
  }

  @Test func aScenarioThatThereIsNotIsRefused() throws {
    try write(
      defects: Self.defects
        .replacing(#""id": "a-statement","#, with: #""id": "a", "scenarios": "seeds/1.json","#))
    try folder.write(#"{ "version": 1 }"#, as: "seeds/2.json")
    let outcome = try BuiltCommand.run("defects", "--package", folder.path, "--scenarios")
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("defect a: names the scenario seeds/1.json"))
  }

  @Test func aDefectThatDoesNotCompileIsNamed() throws {
    try write(
      defects: Self.defects.replacing("return factor * seed", with: "return noSuchThing"))
    defer { try? removeCopy() }
    let outcome = try BuiltCommand.run("defects", "--package", folder.path)
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("defect harmless"), "\(outcome.errors)")
    #expect(outcome.errors.contains("does not compile"))
  }

  @Test func aPackageWithoutDefectsIsRefused() throws {
    try write(defects: "[]")
    let outcome = try BuiltCommand.run("defects", "--package", folder.path)
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("holds no planted defect"))
    let other = try BuiltCommand.run("defects", "--package", folder.file("Sources"))
    #expect(other.code == 64)
    #expect(other.errors.contains("holds no Package.swift"))
  }

  @Test func theListShowsThem() throws {
    try write(defects: Self.defects)
    let outcome = try BuiltCommand.run("list", "defects", "--json", "--package", folder.path)
    let entries = try #require(try JSONValue.parse(Array(outcome.output.utf8)).array)
    #expect(entries.count == 4)
    #expect(entries.allSatisfy { $0["description"] != nil && $0["file"] != nil })
  }
}
