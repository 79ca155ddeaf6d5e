import CommandSupport
import FuzzInvariants
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

  @Test func editsNameWhatTheyBreak() throws {
    let folder = TemporaryFolder()
    try folder.write(
      """
      static let early = RecordedEdit(
        name: "too early", invariant: "INV-47", requirements: ["ATT-06", "ATT-07"], cause: "x"
      ) { _, _ in nil }
      static let late = RecordedEdit(name: "too late", invariant: "INV-47") { _, _ in nil }
      """, as: "Tests/Fuzz/Invariants/Recorded/SomeEdits.swift")
    let edits = RecordedEdits(packageRoot: folder.path)
    #expect(edits.breaking("ATT-06") == ["INV-47: too early"])
    #expect(edits.breaking("ATT-07") == ["INV-47: too early"])
    #expect(edits.breaking("ATT-08").isEmpty)
    #expect(edits.unspecific("INV-47") == ["INV-47: too late"])
    #expect(edits.strangers { _ in ["ATT-06"] } == ["too early: ATT-07"])
  }

  @Test func editsBreakWhatTheirInvariantStandsFor() throws {
    let edits = RecordedEdits(packageRoot: try PackageRoot.find(named: nil))
    let strangers = edits.strangers { id in
      Judge.catalogue.first { $0.id == id }?.requirements ?? []
    }
    #expect(strangers == [])
    #expect(edits.breaking("PRV-06") != [])
  }
}
