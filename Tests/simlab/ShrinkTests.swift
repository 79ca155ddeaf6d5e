import CommandSupport
import FuzzHistory
import Testing

/// `shrink` on a scenario whose finding does not depend on what the SDK does.
@Suite struct ShrinkTests {
  private let folder = TemporaryFolder()

  /// Makes a generated scenario fail by an expectation that nothing can meet.
  private func failing(seed: String) throws -> String {
    let path = folder.file("whole.json")
    _ = try BuiltCommand.run("run", "--seed", seed, "--json", "--save", path)
    let text = folder.text("whole.json")
    let expectation = #""expect": [{"expect": "stored", "name": "nobody", "times": 2}],"#
    return try folder.write(
      text.replacing("\"version\": 1,", with: "\"version\": 1,\n  \(expectation)"),
      as: "failing.json")
  }

  @Test func nothingIsLeftThatIsNotNeeded() throws {
    let failing = try failing(seed: "2")
    let small = folder.file("small.json")
    let outcome = try BuiltCommand.run(
      "shrink", failing, "--signature", "EXPECT: stored messages named nobody", "--out", small,
      "--json")
    #expect(outcome.code == 1, "\(outcome.errors)")
    let result = try JSONValue.parse(Array(outcome.output.utf8))
    #expect(result["actions"]?.integer == 0)
    #expect(result["faults"]?.integer == 0)
    #expect(result["minimal"]?.bool == true)
    #expect((result["runs"]?.integer ?? 0) > 1)
    // The result fails in the same way, and nothing more can be taken from it.
    let replay = try BuiltCommand.run("replay", small, "--json")
    #expect(replay.code == 1)
    #expect(replay.output.contains("EXPECT: stored messages named nobody"))
    let again = try BuiltCommand.run("shrink", small, "--out", folder.file("again.json"))
    #expect(again.code == 1)
    #expect(folder.text("again.json").contains("\"expect\""))
  }

  @Test func theNumberOfWorkersChangesNothing() throws {
    let failing = try failing(seed: "5")
    for jobs in ["1", "3"] {
      _ = try BuiltCommand.run(
        "shrink", failing, "--jobs", jobs, "--signature", "EXPECT: stored messages named nobody",
        "--out", folder.file(jobs))
    }
    #expect(folder.text("1") == folder.text("3"))
    #expect(!folder.text("1").isEmpty)
  }

  @Test func aScenarioThatPassesCannotBeReduced() throws {
    let path = try folder.write("{\"version\": 1, \"start\": null}", as: "quiet.json")
    let outcome = try BuiltCommand.run("shrink", path)
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("nothing is found"))
  }
}
