import CommandSupport
import FuzzHistory
import Testing

/// `run`, `replay`, `judge` and `diff`, as a person calls them.
@Suite struct RunTests {
  private let folder = TemporaryFolder()

  private func json(_ outcome: BuiltCommand.Outcome) throws -> JSONValue {
    try JSONValue.parse(Array(outcome.output.utf8))
  }

  /// One seed gives one output, in two fresh processes (LAB-02, LAB-14).
  @Test(arguments: ["calm", "default", "disk"]) func aSeedIsReproduced(profile: String) throws {
    let first = try BuiltCommand.run("run", "--seed", "11", "--profile", profile, "--narrate")
    let second = try BuiltCommand.run("run", "--seed", "11", "--profile", profile, "--narrate")
    #expect(first.output == second.output)
    #expect(first.errors.isEmpty)
    #expect(first.code == 0 || first.code == 1)
  }

  @Test func theOutputBeginsAndEndsWithTheSeed() throws {
    let outcome = try BuiltCommand.run("run", "--seed", "42")
    let command = "(again: simlab run --seed 42 --profile default)"
    #expect(outcome.lines.first == "seed 42 default  \(command)")
    let last = outcome.lines.last ?? ""
    #expect(last.hasPrefix(outcome.code == 0 ? "PASSED seed 42 default" : "FAILED seed 42 default"))
    #expect(last.contains("  hash "))
    if outcome.code != 0 { #expect(last.hasSuffix(command)) }
  }

  @Test func jsonIsOneDocument() throws {
    let outcome = try BuiltCommand.run("run", "--seed", "42", "--json")
    let report = try json(outcome)
    #expect(report["seed"]?.integer == 42)
    #expect(report["verdict"]?.string == (outcome.code == 0 ? "pass" : "fail"))
    #expect(report["trace_hash"]?.string?.count == 16)
    #expect(outcome.errors.isEmpty)
  }

  @Test func aSavedScenarioLivesTheSameRun() throws {
    let path = folder.file("saved.json")
    let run = try json(BuiltCommand.run("run", "--seed", "8", "--json", "--save", path))
    let replay = try json(BuiltCommand.run("replay", path, "--json"))
    #expect(run == replay || withoutTime(run) == withoutTime(replay))
    let equal = try BuiltCommand.run("diff", "8", path)
    #expect(equal.code == 0)
    #expect(equal.output.hasPrefix("EQUAL"))
  }

  @Test func aStoredHistoryIsJudgedTheSame() throws {
    let path = folder.file("run.history")
    let run = try json(BuiltCommand.run("run", "--seed", "8", "--json", "--history", path))
    let outcome = try BuiltCommand.run("judge", path, "--json")
    let judged = try json(outcome)
    #expect(judged["findings"] == run["findings"])
    #expect(judged["antecedents"] == run["antecedents"])
    #expect(judged["messages"] == run["messages"])
    #expect(judged["seed"]?.integer == 8)
  }

  @Test func watchingChangesNothing() throws {
    let plain = try json(BuiltCommand.run("run", "--seed", "9", "--json"))
    let watched = try json(
      BuiltCommand.run(
        "run", "--seed", "9", "--json", "--trace", folder.file("a"), "--history",
        folder.file("b"), "--html", folder.file("c"), "--save", folder.file("d")))
    #expect(withoutTime(plain) == withoutTime(watched))
    #expect(folder.names == ["a", "b", "c", "d"])
  }

  @Test func aTraceIsALineAnEvent() throws {
    let path = folder.file("trace")
    let run = try json(BuiltCommand.run("run", "--seed", "9", "--json", "--trace", path))
    let lines = folder.text("trace").split(separator: "\n")
    let events = Int(run["events"]?.integer ?? 0)
    #expect(lines.count > events)
    for (index, line) in lines.enumerated() {
      let entry = try JSONValue.parse(Array(line.utf8))
      if index == 0 { #expect(entry["seed"]?.integer == 9) }
      if index > 0 { #expect(entry["n"]?.integer == Int64(index - 1)) }
    }
  }

  /// The page needs nothing from outside.
  @Test func thePageStandsAlone() throws {
    _ = try BuiltCommand.run("run", "--seed", "9", "--html", folder.file("page.html"))
    let page = folder.text("page.html")
    #expect(page.hasPrefix("<!doctype html>"))
    #expect(page.hasSuffix("</html>\n"))
    for word in ["<script", "src=", "href=", "@import", "url("] {
      #expect(!page.contains(word), "\(word)")
    }
    #expect(page.contains("seed 9 default"))
  }

  @Test func filesAppearWholeOrNotAtAll() throws {
    let outcome = try BuiltCommand.run(
      "run", "--seed", "9", "--trace", folder.file("trace"), "--html", "/nowhere/at/all")
    #expect(outcome.code == 64)
    #expect(folder.names.isEmpty)
    #expect(outcome.errors.contains("/nowhere/at/all"))
  }

  @Test func twoSeedsPartAtAnEventThatIsNamed() throws {
    let outcome = try BuiltCommand.run("diff", "1", "2", "--json")
    let difference = try json(outcome)
    #expect(outcome.code == 1)
    #expect(difference["equal"]?.bool == false)
    let entry = try #require(difference["entry"]?.integer)
    let left = try #require(difference["left"]?["entries"]?.array?.first)
    let right = try #require(difference["right"]?["entries"]?.array?.first)
    #expect(left != right)
    #expect(left["n"]?.integer == entry)
    for (index, common) in (difference["both"]?.array ?? []).reversed().enumerated() {
      #expect(common["n"]?.integer == entry - 1 - Int64(index))
    }
    let text = try BuiltCommand.run("diff", "1", "2", "--context", "2")
    #expect(text.output.contains("first difference at entry \(entry)"))
  }

  @Test func oneRunIsEqualToItself() throws {
    let path = folder.file("trace")
    _ = try BuiltCommand.run("run", "--seed", "4", "--profile", "server", "--trace", path)
    for words in [["diff", "4:server", path], ["diff", "4", "4"], ["diff", path, path]] {
      #expect(try BuiltCommand.start(words).finish().code == 0)
    }
  }

  @Test func aDamagedTraceIsRefused() throws {
    let good = folder.file("good")
    _ = try BuiltCommand.run("run", "--seed", "4", "--trace", good)
    let lines = folder.text("good").split(separator: "\n").map(String.init)
    let bad = lines.prefix(5) + ["this is no entry"] + lines.dropFirst(6)
    let path = try folder.write(bad.joined(separator: "\n") + "\n", as: "bad")
    let outcome = try BuiltCommand.run("diff", good, path)
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("line 6"), "\(outcome.errors)")
  }

  private func withoutTime(_ report: JSONValue) -> [JSONEntry] {
    (report.object ?? []).filter { $0.key != "cpu_milliseconds" }
  }
}
