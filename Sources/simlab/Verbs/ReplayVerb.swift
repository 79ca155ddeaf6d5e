import Fuzz
import FuzzScenario

/// `simlab replay`: stored scenarios, lived and judged.
enum ReplayVerb: Verb {
  static let description = VerbDescription(
    name: "replay",
    abstract: "Runs stored scenarios and judges them.",
    usage: "FILE… [options]",
    operands: OperandDescription(
      name: "FILE…", least: 1, most: .max, help: "Scenario files, or folders of them."),
    options: RunOutput.options,
    examples: ["simlab replay seeds/", "simlab replay failing.json --narrate"],
    notes: ["With --json there is one line a scenario. Files are written for one scenario alone."])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let files = try InputFile.expand(arguments.operands, endings: [".json"])
    let output = try RunOutput(arguments)
    if files.count > 1,
      let option = ["trace", "history", "html"].first(where: { arguments.has($0) })
    {
      throw arguments.failure("--\(option) is for one scenario, and \(files.count) are named")
    }
    // All are read before one is run: a damaged file is told at once.
    let scenarios = try files.map { try ScenarioSource.read($0) }
    var failed: [String] = []
    for (file, scenario) in zip(files, scenarios) {
      let subject = scenario.name.isEmpty ? file : scenario.name
      let command = "simlab replay \(file)"
      if try output.run(scenario, subject: subject, command: command) == .finding {
        failed.append(file)
      }
    }
    if files.count > 1, !arguments.has("json") {
      Console.line()
      Console.line(
        failed.isEmpty
          ? "PASSED \(files.count) scenarios"
          : "FAILED \(failed.count) of \(files.count) scenarios  (again: simlab replay "
            + failed.joined(separator: " ") + ")")
    }
    return failed.isEmpty ? .nothingFound : .finding
  }
}
