import Foundation
import FuzzScenario
import Testing

@testable import Fuzz

/// The scenarios in `seeds/`: each passes, says what it is for, and is named by a planted defect.
@Suite struct StoredScenarioTests {
  private static let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(5)
    .joined(separator: "/").replacingOccurrences(of: "//", with: "/")

  static let files: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: root + "/seeds")) ?? [])
    .filter { $0.hasSuffix(".json") }.sorted()

  private static func read(_ file: String) throws -> Scenario {
    try ScenarioSource.read(root + "/seeds/" + file)
  }

  @Test func thereAreStoredScenarios() {
    #expect(!Self.files.isEmpty)
  }

  @Test(arguments: files)
  func passes(file: String) throws {
    let run = CompletedRun(running: try Self.read(file))
    #expect(run.findings.map(\.message) == [])
    #expect(run.report.verdict == .pass)
  }

  /// With SIMLAB_REWRITE_SNAPSHOTS=1 the files are rewritten.
  @Test(arguments: files)
  func isWrittenAsTheLabWritesIt(file: String) throws {
    let text = try Self.read(file).fileText
    if ProcessInfo.processInfo.environment["SIMLAB_REWRITE_SNAPSHOTS"] == "1" {
      try text.write(toFile: Self.root + "/seeds/" + file, atomically: true, encoding: .utf8)
    }
    let written = try String(contentsOfFile: Self.root + "/seeds/" + file, encoding: .utf8)
    #expect(written == text)
  }

  @Test(arguments: files)
  func saysWhatItIsForAndWhatMustCome(file: String) throws {
    let scenario = try Self.read(file)
    #expect(!scenario.name.isEmpty)
    #expect(scenario.why.count >= 40)
    #expect(scenario.expect.contains { $0 != .quiet })
  }

  @Test func eachIsNamedByAPlantedDefect() throws {
    let defects = try PlantedDefect.all(in: Self.root)
    let named = defects.flatMap(\.scenarios)
    #expect(Self.files.filter { !named.contains("seeds/" + $0) } == [])
    #expect(named.filter { !Self.files.contains(String($0.dropFirst("seeds/".count))) } == [])
  }

  @Test func thePageOfPublicFaultsNamesEach() throws {
    let page = try String(contentsOfFile: Self.root + "/docs/public-faults.md", encoding: .utf8)
    #expect(Self.named(in: page) == Self.files.filter { !$0.hasPrefix("story-") })
    for line in page.components(separatedBy: "\n") where line.hasPrefix("| B") {
      let id = line.dropFirst(2).prefix { $0 != " " }
      #expect(
        Self.named(in: line).allSatisfy { $0.hasPrefix(id + "-") },
        "\(id) names its own scenarios only")
    }
  }

  @Test func thePageOfStoriesTellsEach() throws {
    let page = try String(contentsOfFile: Self.root + "/docs/stories.md", encoding: .utf8)
    let stories = Self.files.filter { $0.hasPrefix("story-") }
    #expect(Self.named(in: page) == stories.map { "seeds/" + $0 })
  }

  /// The scenarios that a page names in code marks.
  private static func named(in page: String) -> [String] {
    page.components(separatedBy: "`").filter { $0.hasSuffix(".json") }.sorted()
  }
}
