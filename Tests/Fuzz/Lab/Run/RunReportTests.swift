import FuzzHistory
import FuzzInvariants
import FuzzScenario
import Testing

@testable import Fuzz

@Suite struct RunReportTests {
  private func report() -> RunReport {
    var report = RunReport()
    report.seed = 42
    report.profile = "disk"
    report.name = "a \"name\"\nof two lines"
    report.verdict = .fail
    report.traceHash = "00000000000000ab"
    report.events = 8_123
    report.simulatedSeconds = 172_800.5
    report.cpuMilliseconds = 9.25
    report.launches = 14
    report.apiCalls = 412
    report.faults = Tally(["network.reset_after": 3])
    report.messages.accepted = 371
    report.messages.dropped = Tally(["consent_revoked": 6])
    report.replay.maxBytesPerMinute = 48_211
    report.findings = [
      RunReport.ReportedFinding(
        invariant: "INV-41", requirements: ["LIF-05"], atSeconds: 81.25, process: 2,
        message: "wrong", signature: "INV-41 wrong")
    ]
    report.marks = Tally(["queue.split_413": 2])
    report.antecedents = Tally(["INV-41": 14])
    report.crashHashes = [
      CrashHash(crash: .max, stackHash: "ba7816bf8f01cfea414140de5dae2223", process: 4)
    ]
    return report
  }

  @Test func whatIsWrittenIsReadBack() throws {
    let report = report()
    let json = try JSONValue.parse(Array(report.json.line.utf8))
    let copy = try #require(RunReport(json: json))
    #expect(copy.json == report.json)
    #expect(copy.findings == report.findings)
    #expect(copy.messages == report.messages)
    #expect(copy.crashHashes == report.crashHashes)
    #expect(copy.replay == report.replay)
  }

  /// The keys that others read, in their order (LAB-02).
  @Test func theDocumentedKeysStand() {
    let keys = report().json.object?.map(\.key) ?? []
    #expect(
      keys == [
        "seed", "profile", "name", "verdict", "trace_hash", "events", "simulated_seconds",
        "cpu_milliseconds", "launches", "api_calls", "faults", "messages", "replay", "findings",
        "marks", "antecedents", "crash_hashes",
      ])
    #expect(!report().json.line.contains("\n"))
  }

  @Test func timeAloneDoesNotMakeAnotherRun() {
    var other = report()
    other.cpuMilliseconds = 1
    #expect(report().isSameRun(as: other))
    other.traceHash = "00000000000000ac"
    #expect(!report().isSameRun(as: other))
    other = report()
    other.findings = []
    #expect(!report().isSameRun(as: other))
  }

  /// One seed, one report, whatever ran before in the process (LAB-01, LAB-02, LAB-14).
  @Test func aSeedGivesOneReport() {
    let scenario = ScenarioSource.generate(seed: 5, profile: "default")
    let first = CompletedRun(running: scenario).report
    _ = CompletedRun(running: ScenarioSource.generate(seed: 6, profile: "server"))
    let second = CompletedRun(running: scenario).report
    #expect(first.isSameRun(as: second))
    #expect(first.events > 100)
    #expect(first.apiCalls > 0)
    #expect(first.seed == 5)
  }
}
