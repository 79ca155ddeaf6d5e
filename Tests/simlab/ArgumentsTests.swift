import CommandSupport
import Testing

/// What the command does with words it does not understand: one clear line, exit code 64, nothing
/// on standard output.
@Suite struct ArgumentsTests {
  private static let wrong: [[String]] = [
    ["rum"], ["--seed", "3"], ["run"], ["run", "--seed"], ["run", "--seed", "--json"],
    ["run", "--seed", "-1"], ["run", "--seed", "1.5"], ["run", "--seed", "9007199254740992"],
    ["run", "--seed", "1", "--seed", "1"], ["run", "--seed=1", "--json=yes"],
    ["run", "--seed", "1", "--profile", "nope"], ["run", "--seed", "1", "2"],
    ["run", "--seed", "1", "--days", "0"], ["run", "--seed", "1", "--json", "--narrate"],
    ["run", "-s", "1"], ["replay"], ["replay", "/nowhere/at/all.json"], ["judge"],
    ["diff", "1"], ["diff", "1", "2", "3"], ["diff", "1:nope", "2"], ["list"],
    ["list", "things"], ["fuzz", "--seeds", "9..1"], ["fuzz", "--seeds", "5"],
    ["fuzz", "--profile", "all,calm"], ["fuzz", "--profile", "calm,calm"],
    ["fuzz", "--shard", "5/4"], ["fuzz", "--shard", "1"], ["fuzz", "--jobs", "0"],
    ["fuzz", "--check-determinism", "101"], ["bench", "--seeds", "0"],
    ["run", "--seed", "1", "--trace", "/nowhere/at/all"],
    ["run", "--seed", "1", "--save", "/nowhere/at/all"],
  ]

  @Test(arguments: wrong) func wrongWordsAreRefused(words: [String]) throws {
    let outcome = try BuiltCommand.start(words).finish()
    #expect(outcome.code == 64)
    #expect(outcome.output.isEmpty)
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.count == 1, "\(outcome.errors)")
    #expect(outcome.errors.hasPrefix("simlab"))
  }

  @Test(arguments: [
    (["run", "--sed", "1"], "--seed"), (["run", "--profil", "calm"], "--profile"),
    (["fuz"], "'fuzz'"), (["run", "--seed", "1", "--profile", "dissk"], "'disk'"),
    (["list", "mark"], "'marks'"), (["fuzz", "--job", "1"], "--jobs"),
  ])
  func theNearestValidWordIsNamed(words: [String], nearest: String) throws {
    let outcome = try BuiltCommand.start(words).finish()
    #expect(outcome.errors.contains("the nearest is \(nearest)"), "\(outcome.errors)")
  }

  @Test func valuesFollowOrAreJoined() throws {
    let apart = try BuiltCommand.run("run", "--seed", "3", "--profile", "calm")
    let joined = try BuiltCommand.run("run", "--profile=calm", "--seed=3")
    #expect(apart.output == joined.output)
    #expect(apart.code == joined.code)
  }
}
