import Foundation
import Fuzz
import FuzzHistory

/// `simlab defects`: whether the lab catches known defects.
enum DefectsVerb: Verb {
  static let description = VerbDescription(
    name: "defects",
    abstract: "Plants known defects in a copy of the sources and tells whether each is caught.",
    usage: "[--only ID,…] [options]",
    operands: nil,
    options: [
      OptionDescription("only", "ID,…", "Only these defects (see 'simlab list defects')."),
      OptionDescription(
        "seeds-per-defect", "K", "Runs at most K seeds for each (default: 300)."),
      OptionDescription(
        "profile", "P,…", "Profiles for defects that name none (default: default)."),
      OptionDescription("jobs", "J", "Workers at a time (default: one a processor)."),
      OptionDescription("package", "DIR", "The package (default: the nearest folder upwards)."),
      OptionDescription(
        "scenarios", nil,
        "Only shows that each stored scenario passes, and fails with the defects that name it."),
      OptionDescription("no-shrink", nil, "Does not reduce what catches a defect."),
      OptionDescription("out", "DIR", "Writes reduced scenarios there, one file a defect."),
      OptionDescription("table", "FILE", "Writes the results as a Markdown table."),
      OptionDescription("json", nil, "Prints one JSON array and nothing else."),
    ],
    examples: [
      "simlab defects", "simlab defects --only trn-removal-forgotten --seeds-per-defect 50",
      "simlab defects --scenarios",
    ],
    notes: [
      "A defect is caught when every invariant that it names fires, with a signature that the same",
      "seeds do not show without it.",
      "Planted defects are data in Tests/Planted/<area>/*.json. The copy lies in the folder for",
      "temporary files and is kept, so that a second run builds little.",
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    if arguments.has("scenarios") { return try proveScenarios(arguments) }
    var plan = DefectHunt.Plan()
    plan.jobs = try arguments.int("jobs", in: 1...256) ?? Machine.processors
    plan.seedsPerDefect = try arguments.number("seeds-per-defect", in: 1...1_000_000) ?? 300
    plan.profiles =
      try arguments.choices("profile", among: ScenarioSource.profileNames) ?? ["default"]
    plan.shrinks = !arguments.has("no-shrink")
    plan.out = arguments["out"]
    let table = try arguments["table"].map { try AtomicFile(path: $0) }
    if let only = arguments["only"] { plan.only = only.components(separatedBy: ",") }
    Interruption.catchSignals()
    let hunt = try DefectHunt(plan, package: arguments["package"], progress: Progress())
    let json = arguments.has("json")
    var results: [DefectHunt.Result] = []
    try hunt.run { result in
      results.append(result)
      if !json { Console.line(result.line) }
    }
    let missed = results.filter { !$0.isCaught }
    let command = (["simlab defects"] + arguments.typed).joined(separator: " ")
    try table?.finish(Array(DefectTable(results, command: command).markdown.utf8))
    if json {
      Console.line(JSONValue.listing(results.map(\.json)))
    } else if missed.isEmpty {
      Console.line("CAUGHT all \(results.count) defects")
    } else {
      Console.line("MISSED \(missed.count) of \(results.count) defects  (again: \(command))")
    }
    if Interruption.isRequested { return .incomplete }
    return missed.isEmpty ? .nothingFound : .finding
  }

  private static func proveScenarios(_ arguments: Arguments) throws -> ExitStatus {
    let others = ["only", "seeds-per-defect", "profile", "no-shrink", "out", "table"]
    if let other = others.first(where: { arguments.has($0) }) {
      throw arguments.failure("--\(other) has no meaning with --scenarios")
    }
    let jobs = try arguments.int("jobs", in: 1...256) ?? Machine.processors
    Interruption.catchSignals()
    let proof = try ScenarioProof(
      package: arguments["package"], jobs: jobs, progress: Progress())
    let json = arguments.has("json")
    var results: [ScenarioProof.Result] = []
    try proof.run { result in
      results.append(result)
      if !json { Console.line(result.line) }
    }
    let wrong = results.filter { !$0.isRight }
    if json {
      Console.line(JSONValue.listing(results.map(\.json)))
    } else if wrong.isEmpty {
      Console.line("PROVEN all \(results.filter { $0.defect == nil }.count) stored scenarios")
    } else {
      let command = (["simlab defects"] + arguments.typed).joined(separator: " ")
      Console.line("WRONG \(wrong.count) of \(results.count) runs  (again: \(command))")
    }
    if Interruption.isRequested { return .incomplete }
    return wrong.isEmpty ? .nothingFound : .finding
  }
}
