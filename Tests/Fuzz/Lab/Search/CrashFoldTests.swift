import FuzzHistory
import FuzzInvariants
import FuzzScenario
import Testing

@testable import Fuzz

/// INV-52 over the runs of a campaign: what makes the fold fire, and on which run.
@Suite struct CrashFoldTests {
  private func report(
    _ seed: UInt64, in profile: String = "default", _ hashes: [(UInt64, String)]
  ) -> RunReport {
    var report = RunReport()
    report.seed = seed
    report.profile = profile
    report.traceHash = "00000000000000ab"
    report.crashHashes = hashes.map { CrashHash(crash: $0.0, stackHash: $0.1, process: 3) }
    return report
  }

  /// What the fold says of each run: its findings, and whether it compared something.
  private func fold(_ reports: [RunReport]) -> [(findings: [String], hasCompared: Bool)] {
    var fold = CrashFold()
    return reports.map { report in
      var report = report
      let hasCompared = fold.take(&report)
      #expect(report.findings.isEmpty == (report.verdict == .pass))
      return (report.findings.map(\.message), hasCompared)
    }
  }

  @Test func equalCrashesWithOneHashAreFine() {
    let said = fold([
      report(1, [(7, "aa"), (8, "bb")]), report(2, []), report(3, [(9, "cc")]),
      report(4, [(8, "bb")]), report(1, in: "disk", [(7, "aa")]),
    ])
    #expect(said.allSatisfy { $0.findings.isEmpty })
    #expect(said.map(\.hasCompared) == [false, false, false, true, true])
  }

  @Test func theLaterRunIsToldAndNamesTheFirst() {
    let said = fold([
      report(1, [(7, "aa")]), report(2, in: "disk", [(7, "aa")]),
      report(3, [(8, "bb"), (7, "cc")]),
      report(4, [(7, "aa")]),
    ])
    #expect(said.map(\.findings.count) == [0, 0, 1, 0])
    #expect(
      said[2].findings == [
        "The crash of process 3 equals that of process 3 in seed 1 of default (simlab run --seed 1"
          + " --profile default), and they were sent with cc and aa."
      ])
  }

  /// Result lines of real runs, one hash of them edited: the fold fires there and nowhere else.
  @Test func anEditedLineIsFoundAlone() throws {
    let lines = (0..<6).map { seed in
      CompletedRun(running: ScenarioSource.generate(seed: seed, profile: "crashy")).report.json.line
    }
    func findings(_ lines: [String]) throws -> [[RunReport.ReportedFinding]] {
      var fold = CrashFold()
      return try lines.map { line in
        var report = try #require(RunReport(json: try JSONValue.parse(Array(line.utf8))))
        _ = fold.take(&report)
        return report.findings
      }
    }
    #expect(try findings(lines).allSatisfy { $0.isEmpty })
    // A crash that an earlier run had too.
    let hashes = try lines.map { line in
      try #require(RunReport(json: try JSONValue.parse(Array(line.utf8)))).crashHashes
    }
    let later = try #require(hashes.indices.dropFirst().last { !hashes[$0].isEmpty })
    let crash = try #require(
      hashes[later].first { crash in
        hashes[..<later].joined().contains { $0.crash == crash.crash }
      })
    var edited = lines
    edited[later] = lines[later].replacing(
      crash.stackHash, with: String(crash.stackHash.reversed()))
    #expect(edited[later] != lines[later])
    let found = try findings(edited)
    #expect(found.map(\.count) == hashes.indices.map { $0 == later ? 1 : 0 })
    #expect(found[later].map(\.signature) == [CrashFold.signature])
    #expect(found[later].map(\.requirements) == [["CRA-13", "CRA-14", "CRA-15", "CRA-16"]])
  }
}
