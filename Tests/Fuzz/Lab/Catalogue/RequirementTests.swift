import CommandSupport
import Testing

@testable import Fuzz

@Suite struct RequirementCatalogueTests {
  @Test func thereAreAsManyAsWereWritten() {
    let all = RequirementCatalogue.all
    #expect(all.count == 566)
    #expect(Set(all.map(\.id)).count == 566)
    #expect(all.count { $0.level == .should } == 33)
    #expect(all.count { $0.level == .may } == 8)
    #expect(all.first { $0.id == "LIF-05" }?.level == .must)
    #expect(all.first { $0.id == "RUN-46" }?.level == .may)
  }

  /// Every requirement that an invariant names exists.
  @Test func invariantsNameRequirementsThatExist() throws {
    let coverage = try RequirementCoverage(package: nil)
    #expect(coverage.entries.contains { !$0.invariants.isEmpty })
  }

  @Test func testsAreFoundByTheIdsInThem() throws {
    let folder = TemporaryFolder()
    try folder.write(
      """
      @Suite struct QueueTests {
        /// Removal (TRN-13).
        @Test func removes() {
          #expect(a == 1)
        }

        @Test("bound, \\"hard\\" (TRN-25)") func bound() {
          check("OPT-10")
        }

        // SHA-256 and UTF-8 are no requirements.
        @Test func other() {}
      }
      """, as: "Tests/SDK/QueueTests.swift")
    let tests = RequirementTests(packageRoot: folder.path)
    #expect(tests.naming("TRN-13") == ["SDK/QueueTests: removes"])
    #expect(tests.naming("OPT-10").count == 1)
    #expect(tests.naming("TRN-25") == tests.naming("OPT-10"))
    #expect(tests.naming("TRN-01").isEmpty)
  }
}
