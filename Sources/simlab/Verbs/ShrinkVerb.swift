import Fuzz
import FuzzHistory
import FuzzScenario

/// `simlab shrink`: a failing scenario made as small as it gets.
enum ShrinkVerb: Verb {
  static let description = VerbDescription(
    name: "shrink",
    abstract: "Reduces a failing scenario while the same finding comes out.",
    usage: "(--seed N [--profile P] | FILE) [options]",
    operands: OperandDescription(name: "FILE", least: 0, most: 1, help: "A scenario file."),
    options: [
      OptionDescription("seed", "N", "Reduces the scenario of this seed."),
      OptionDescription("profile", "P", "The profile of the seed (default: default)."),
      OptionDescription(
        "signature", "S", "Keeps this finding (default: the first that comes out)."),
      OptionDescription("out", "FILE", "Writes the reduced scenario there; else it is printed."),
      OptionDescription("minutes", "M", "Ends after M minutes with what it has."),
      OptionDescription("jobs", "J", "Candidates tried at a time (default: one a processor)."),
      OptionDescription("json", nil, "Prints one JSON object and nothing else."),
    ],
    examples: [
      "simlab shrink --seed 42 --profile disk --out failing.json",
      "simlab shrink failing.json --out smaller.json --minutes 2",
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let (scenario, subject) = try scenario(arguments)
    let minutes = try arguments.int("minutes", in: 1...10_000).map { Double($0) }
    let jobs = try arguments.int("jobs", in: 1...256) ?? Machine.processors
    let file = try arguments["out"].map { try AtomicFile(path: $0) }
    let isJSON = arguments.has("json")
    let command = (["simlab shrink"] + arguments.operands + arguments.typed)
      .joined(separator: " ")
    Interruption.catchSignals()
    if !isJSON { Console.line("\(subject)  (again: \(command))") }
    let shrinker = try Shrinker(jobs: jobs, minutes: minutes, progress: Progress())
    let findings = try shrinker.findings(of: scenario)
    let wanted = arguments["signature"]
    guard let finding = findings.first(where: { wanted == nil || $0.signature == wanted }) else {
      throw InputError(
        file: subject,
        problem: findings.isEmpty
          ? "nothing is found in it, so there is nothing to reduce"
          : "'\(wanted ?? "")' does not come out; \(findings.count) other findings do",
        mend: "see what does with 'simlab run' or 'simlab replay'")
    }
    let result = try shrinker.shrink(scenario, finding: finding)
    let text = result.scenario.fileText
    try file?.finish(Array(text.utf8))
    if isJSON {
      Console.line(result.json(path: arguments["out"]).line)
    } else {
      for line in result.lines(from: scenario) { Console.line(line) }
      if let path = arguments["out"] {
        Console.line("REDUCED \(subject)  (again: simlab replay \(path))")
      } else {
        Console.out(text)
        Console.line("REDUCED \(subject)  (again: \(command))")
      }
    }
    return .finding
  }

  private static func scenario(_ arguments: Arguments) throws -> (Scenario, String) {
    if let file = arguments.operands.first {
      if arguments.has("seed") || arguments.has("profile") {
        throw arguments.failure("give a file or a seed, not both")
      }
      return (try ScenarioSource.read(file), file)
    }
    guard let seed = try arguments.seed() else {
      throw arguments.failure("name a scenario file or --seed N")
    }
    let profile = try arguments.profile()
    return (ScenarioSource.generate(seed: seed, profile: profile), "seed \(seed) \(profile)")
  }
}
