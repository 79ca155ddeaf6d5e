import CommandSupport
import FuzzHistory
import Testing

/// `list` and `bench`: shapes that others read.
@Suite struct CatalogueTests {
  @Test(arguments: [
    ("profiles", ["id", "description"]), ("faults", ["id", "description"]),
    ("marks", ["id", "description"]),
    ("invariants", ["id", "statement", "kind", "requirements", "antecedent"]),
    (
      "requirements",
      ["id", "level", "area", "invariants", "tests", "defects", "excluded"]
    ),
  ])
  func catalogues(name: String, keys: [String]) throws {
    let outcome = try BuiltCommand.run("list", name, "--json")
    #expect(outcome.code == 0)
    let entries = try #require(try JSONValue.parse(Array(outcome.output.utf8)).array)
    #expect(entries.count > 4)
    for entry in entries {
      for key in keys { #expect(entry[key] != nil, "\(key)") }
    }
    let text = try BuiltCommand.run("list", name)
    // Below the requirements stands a table of their areas.
    #expect(text.lines.count == entries.count || name == "requirements")
    for (entry, line) in zip(entries, text.lines) {
      #expect(line.hasPrefix(entry["id"]?.string ?? "?"))
    }
  }

  @Test func requirementsShowHowOftenTheyWereJudged() throws {
    let folder = TemporaryFolder()
    _ = try BuiltCommand.run("fuzz", "--seeds", "0..2", "--no-shrink", "--out", folder.path)
    let outcome = try BuiltCommand.run("list", "requirements", "--json", "--from", folder.path)
    let entries = try #require(try JSONValue.parse(Array(outcome.output.utf8)).array)
    let counts = entries.flatMap { $0["antecedents"]?.object ?? [] }.map(\.value.integer)
    #expect(counts.contains { ($0 ?? 0) > 0 })
    #expect(counts.allSatisfy { (0...3).contains($0 ?? -1) })
    try folder.write("{}", as: "results.jsonl")
    let cut = try BuiltCommand.run("list", "requirements", "--from", folder.path)
    #expect(cut.code == 64)
    #expect(cut.errors.contains("the campaign did not end"))
  }

  @Test func antecedentsAreTabledWithTheDefectsThatFire() throws {
    let folder = TemporaryFolder()
    _ = try BuiltCommand.run(
      "fuzz", "--seeds", "0..3", "--no-shrink", "--check-determinism", "100", "--out", folder.path)
    let page = folder.path + "/antecedents.md"
    let outcome = try BuiltCommand.run(
      "list", "invariants", "--json", "--from", folder.path, "--table", page)
    let entries = try #require(try JSONValue.parse(Array(outcome.output.utf8)).array)
    for entry in entries {
      let held = try #require(entry["held"]?.integer)
      #expect(held + (entry["missed"]?.integer ?? -1) == 4)
      if entry["kind"]?.string == "paired" { #expect(held == 4) }
      #expect(entry["defects"]?.array?.isEmpty == false, "\(entry)")
    }
    let text = folder.text("antecedents.md")
    #expect(text.contains("simlab fuzz --seeds 0..3 --profile default --check-determinism 100"))
    #expect(text.contains("| INV-89 |") && text.contains("| **rare** |"))
  }

  @Test func countsBelongToWhatIsCounted() throws {
    #expect(try BuiltCommand.run("list", "faults", "--from", "x").code == 64)
    #expect(try BuiltCommand.run("list", "invariants", "--table", "x").code == 64)
    #expect(
      try BuiltCommand.run("list", "requirements", "--from", "x", "--table", "x").code == 64)
  }

  @Test func theBenchmarkMeasuresWhatItSays() throws {
    let outcome = try BuiltCommand.run(
      "bench", "--profile", "calm,disk", "--seeds", "2", "--repetitions", "1", "--events", "20000",
      "--reductions", "1", "--json")
    #expect(outcome.code == 0, "\(outcome.errors)")
    let benchmark = try JSONValue.parse(Array(outcome.output.utf8))
    let reduced = try #require(benchmark["shrink"]?.array?.first)
    #expect((reduced["actions"]?.integer ?? 99) < 10)
    #expect((reduced["actions_before"]?.integer ?? 0) > 50)
    #expect(benchmark["kernel"]?.array?.compactMap { $0["pending"]?.integer } == [256, 4_096])
    let profiles = try #require(benchmark["profiles"]?.array)
    #expect(profiles.compactMap { $0["profile"]?.string } == ["calm", "disk"])
    for profile in profiles {
      #expect(profile["seeds"]?.integer == 2)
      for key in [
        "seeds_per_second", "p50_milliseconds", "p95_milliseconds",
        "device_hours_per_core_second", "peak_bytes",
      ] {
        #expect(profile[key] != nil, "\(key)")
      }
      #expect((profile["peak_bytes"]?.integer ?? 0) > 1_000_000)
    }
  }
}
