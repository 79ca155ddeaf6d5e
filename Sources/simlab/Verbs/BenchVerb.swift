import Fuzz

/// `simlab bench`: how fast the lab is.
enum BenchVerb: Verb {
  static let description = VerbDescription(
    name: "bench",
    abstract: "Measures the kernel and the speed of each profile.",
    usage: "[options]",
    operands: nil,
    options: [
      OptionDescription("profile", "P,…", "Profiles, or all (default: all)."),
      OptionDescription("seeds", "N", "The seeds 0 to N - 1 of each (default: 500)."),
      OptionDescription("repetitions", "R", "The median of R measurements counts (default: 3)."),
      OptionDescription("reductions", "N", "Reduces the scenarios of N seeds (default: 3)."),
      OptionDescription("events", "N", "Events of each run of the kernel (default: 4000000)."),
      OptionDescription(
        "memory", nil, "Compares memory after 1 000 and after 10 000 default seeds; takes long."),
      OptionDescription(
        "measure", "P", "Measures one profile once in this process; used by the benchmark itself."),
      OptionDescription("json", nil, "Prints one JSON object and nothing else."),
    ],
    examples: ["simlab bench", "simlab bench --profile default --seeds 2000 --json"],
    notes: ["Only a release build says anything: swift run -c release simlab bench."])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let names = ScenarioSource.profileNames
    let seeds = try arguments.int("seeds", in: 1...1_000_000)
    if let profile = try arguments.choice("measure", among: names) {
      Console.line(ProfileBenchmark.measure(profile: profile, seeds: seeds ?? 500).json.line)
      return .nothingFound
    }
    var plan = Benchmark.Plan()
    plan.seeds = seeds ?? plan.seeds
    plan.repetitions = try arguments.int("repetitions", in: 1...99) ?? plan.repetitions
    plan.kernelEvents = try arguments.int("events", in: 1...1_000_000_000) ?? plan.kernelEvents
    plan.reductions = try arguments.int("reductions", in: 0...100) ?? plan.reductions
    plan.measuresMemory = arguments.has("memory")
    plan.profiles =
      arguments["profile"] == "all"
      ? names : try arguments.choices("profile", among: names) ?? names
    let benchmark = try Benchmark(plan, progress: Progress())
    if arguments.has("json") {
      Console.line(benchmark.json.line)
    } else {
      for line in benchmark.lines { Console.line(line) }
    }
    return .nothingFound
  }
}
