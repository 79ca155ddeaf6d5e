import Fuzz
import FuzzScenario

/// `simlab run`: one seed, lived and judged.
enum RunVerb: Verb {
  static let description = VerbDescription(
    name: "run",
    abstract: "Generates the scenario of a seed, runs it and judges it.",
    usage: "--seed N [options]",
    operands: nil,
    options: [
      OptionDescription("seed", "N", "The seed, 0 to 9007199254740991."),
      OptionDescription("profile", "P", "The profile that it is drawn from (default: default)."),
      OptionDescription("days", "D", "How long the scenario lasts, 1 to 400 simulated days."),
    ] + RunOutput.options + [
      OptionDescription("save", "FILE", "Writes the scenario as a file that can be replayed.")
    ],
    examples: [
      "simlab run --seed 42",
      "simlab run --seed 42 --profile disk --narrate",
      "simlab run --seed=42 --json",
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    guard let seed = try arguments.seed() else {
      throw arguments.failure("--seed is missing: --seed N")
    }
    let profile = try arguments.profile()
    let days = try arguments.int("days", in: 1...400)
    let scenario = ScenarioSource.generate(seed: seed, profile: profile, days: days)
    if let path = arguments["save"] { try AtomicFile.write(scenario.fileText, to: path) }
    var command = "simlab run --seed \(seed) --profile \(profile)"
    if let days { command += " --days \(days)" }
    return try RunOutput(arguments).run(
      scenario, subject: "seed \(seed) \(profile)", command: command)
  }
}
