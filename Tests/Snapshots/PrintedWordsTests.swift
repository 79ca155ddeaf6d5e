import CommandSupport
import Foundation
import Testing

/// Everything that the command prints for people, word for word.
@Suite struct PrintedWordsTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Expected").path

  private let temporary = TemporaryFolder()

  /// Runs the command in a folder of its own and compares all it said.
  private func expect(
    _ arguments: [String], matches name: String, input: String = "", lines: Int? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let outcome = try BuiltCommand.start(arguments, input: input, folder: temporary.path).finish()
    var text = "$ simlab \(arguments.joined(separator: " "))\n" + outcome.output
    if let lines {
      text =
        text.split(separator: "\n", omittingEmptySubsequences: false).prefix(lines + 1)
        .joined(separator: "\n") + "\n"
    }
    if !outcome.errors.isEmpty { text += "(standard error)\n" + outcome.errors }
    text += "(exit code \(outcome.code))\n"
    let difference = try Snapshot(name, in: Self.folder).difference(from: stable(text))
    #expect(difference == nil, "\(difference?.description ?? "")", sourceLocation: sourceLocation)
  }

  /// The text without what another build or another catalogue would change.
  private func stable(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      if line.hasPrefix("build  ") { return "build    (this build)" }
      if line.hasPrefix("judged ") { return "judged   (so many of so many)" }
      guard let hash = line.range(of: "  hash ") else { return String(line) }
      return line[..<hash.upperBound] + "(16 digits)" + line[hash.upperBound...].dropFirst(16)
    }.joined(separator: "\n")
  }

  @Test func theHelpOfTheCommand() throws { try expect(["--help"], matches: "help") }

  @Test(arguments: [
    "run", "replay", "judge", "diff", "list", "fuzz", "shrink", "defects", "bench", "worker",
  ])
  func theHelpOfAVerb(verb: String) throws {
    try expect([verb, "--help"], matches: "help-\(verb)")
  }

  @Test func noVerb() throws { try expect([], matches: "no-verb") }
  @Test func anUnknownVerb() throws { try expect(["rum"], matches: "unknown-verb") }

  @Test func anUnknownOption() throws {
    try expect(["run", "--sed", "3"], matches: "unknown-option")
  }

  @Test func aRepeatedOption() throws {
    try expect(["run", "--seed", "3", "--seed=4"], matches: "repeated-option")
  }

  @Test func anUnknownProfile() throws {
    try expect(["run", "--seed", "3", "--profile", "dist"], matches: "unknown-profile")
  }

  @Test func aSeedOutOfRange() throws {
    try expect(["run", "--seed", "9007199254740992"], matches: "seed-out-of-range")
  }

  @Test func anUnknownCatalogue() throws {
    try expect(["list", "invariant"], matches: "unknown-catalogue")
  }

  @Test func aDamagedScenario() throws {
    try temporary.write("{\"version\": 1, \"actions\": [{\"at\": 3}]}", as: "damaged.json")
    try expect(["replay", "damaged.json"], matches: "damaged-scenario")
  }

  @Test func aScenarioOfTheFuture() throws {
    try temporary.write("{\"version\": 99}", as: "future.json")
    try expect(["replay", "future.json"], matches: "future-scenario")
  }

  @Test func aHistoryInPlaceOfAScenario() throws {
    try temporary.write("{\"format\":\"simlab history\",\"version\":1}\n", as: "run.history")
    try expect(["replay", "run.history"], matches: "history-as-scenario")
  }

  @Test func aHistoryCutInHalf() throws {
    let path = temporary.file("whole.history")
    _ = try BuiltCommand.run("run", "--seed", "1", "--json", "--history", path)
    let whole = temporary.text("whole.history").split(separator: "\n").prefix(3)
    try temporary.write(whole.joined(separator: "\n") + "\n", as: "cut.history")
    try expect(["judge", "cut.history"], matches: "cut-history")
  }

  @Test func aFinding() throws {
    try temporary.write(Self.quietScenario, as: "quiet.json")
    try expect(["replay", "quiet.json"], matches: "finding")
  }

  @Test func theHeadOfANarratedRun() throws {
    try temporary.write(Self.quietScenario, as: "quiet.json")
    try expect(["replay", "quiet.json", "--narrate"], matches: "narrated", lines: 26)
  }

  /// A device that does some things without the SDK, with a hope that must fail.
  private static let quietScenario = """
    {
      "version": 1,
      "name": "a device that nobody touches",
      "why": "Shows a finding without depending on what the SDK does.",
      "randomness": "0x7",
      "start": null,
      "actions": [
        {"id": 1, "at": "1s", "do": "foreground"},
        {"id": 2, "at": "10s", "do": "link", "to": "cellular"},
        {"id": 3, "at": "20s", "do": "step_wall_clock", "by": "3h"},
        {"id": 4, "at": "30s", "do": "background"},
        {"id": 5, "at": "2m", "do": "end", "cause": "memory_kill"}
      ],
      "expect": [{"expect": "stored", "name": "checkout", "times": 2}]
    }
    """
}
