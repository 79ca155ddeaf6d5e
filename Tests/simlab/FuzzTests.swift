import CommandSupport
import FuzzHistory
import Testing

/// `fuzz` and `worker`, as a person calls them.
@Suite struct FuzzTests {
  private let folder = TemporaryFolder()
  /// What may differ between two campaigns over the same seeds.
  private static let times = ["cpu_milliseconds", "cpu_seconds", "seconds", "seeds_per_second"]

  private func lines(_ text: String) throws -> [JSONValue] {
    try text.split(separator: "\n").map { try JSONValue.parse(Array($0.utf8)) }
  }

  private func withoutTimes(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let entries):
      return .object(
        entries.filter { !Self.times.contains($0.key) }
          .map { JSONEntry($0.key, withoutTimes($0.value)) })
    case .array(let elements): return .array(elements.map(withoutTimes))
    default: return value
    }
  }

  /// How many workers there are changes neither order nor content.
  @Test func resultsDoNotDependOnTheWorkers() throws {
    var results: [[JSONValue]] = []
    for jobs in ["1", "3"] {
      let outcome = try BuiltCommand.run(
        "fuzz", "--seeds", "0..11", "--profile", "all", "--jobs", jobs, "--no-shrink", "--json",
        "--out", folder.file(jobs))
      results.append(try lines(outcome.output).map(withoutTimes))
      let stored = try lines(folder.text(jobs + "/results.jsonl")).map(withoutTimes)
      #expect(stored == results.last)
    }
    #expect(results[0] == results[1])
    let summary = try #require(results[0].last)
    #expect(summary["summary"]?.bool == true)
    #expect(summary["complete"]?.bool == true)
    #expect(summary["seeds"]?.integer == Int64(results[0].count - 1))
    let seeds = results[0].dropLast().compactMap { $0["seed"]?.integer }
    #expect(seeds == seeds.sorted())
  }

  @Test func aSeedOfACampaignIsThatOfARun() throws {
    let campaign = try lines(
      BuiltCommand.run("fuzz", "--seeds", "3..4", "--no-shrink", "--json").output)
    let run = try lines(BuiltCommand.run("run", "--seed", "4", "--json").output)
    #expect(withoutTimes(campaign[1]) == withoutTimes(run[0]))
  }

  @Test func seedsRunTwiceAgree() throws {
    let outcome = try BuiltCommand.run(
      "fuzz", "--seeds", "0..9", "--no-shrink", "--check-determinism", "100", "--json", "--jobs",
      "2")
    let summary = try #require(try lines(outcome.output).last)
    #expect(summary["determinism_checked"]?.integer == 10)
    #expect(summary["determinism_failures"]?.integer == 0)
    #expect(outcome.code != 3)
  }

  /// Ctrl-C ends a campaign with the summary of what was found so far.
  @Test func ctrlCLeavesASummary() throws {
    let outcome = try BuiltCommand.runInterrupted(
      "fuzz", "--minutes", "5", "--jobs", "1", "--no-shrink", "--json", "--out", folder.path)
    let stored = try lines(folder.text("results.jsonl"))
    let summary = try #require(stored.last)
    #expect(summary["summary"]?.bool == true)
    #expect(summary["complete"]?.bool == false)
    #expect(summary["seeds"]?.integer == Int64(stored.count - 1))
    let found = (summary["findings"]?.integer ?? 0) > 0
    #expect(outcome.code == (found ? 1 : 2))
    #expect(try lines(outcome.output) == stored)
  }

  @Test func aWorkerAnswersLineByLine() throws {
    let outcome = try BuiltCommand.run(
      "worker", input: "5\n\n6 disk\nseven\n8 nope\n9007199254740992\n{\"version\": 1}\n")
    let answers = try lines(outcome.output)
    #expect(answers.count == 6)
    #expect(answers[0]["seed"]?.integer == 5)
    #expect(answers[0]["profile"]?.string == "default")
    #expect(answers[1]["profile"]?.string == "disk")
    for answer in answers[2...4] { #expect(answer["error"] != nil) }
    #expect(answers[5]["seed"] == .null)
    #expect(answers[5]["trace_hash"] != nil)
  }
}
