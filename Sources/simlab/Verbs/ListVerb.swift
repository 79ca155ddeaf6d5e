import Fuzz
import FuzzInvariants
import SimKernel

/// `simlab list`: the catalogues.
enum ListVerb: Verb {
  private static let catalogues = [
    "profiles", "faults", "invariants", "requirements", "marks", "defects",
  ]

  static let description = VerbDescription(
    name: "list",
    abstract: "Shows a catalogue: profiles, faults, invariants, requirements, marks or defects.",
    usage: "CATALOGUE [options]",
    operands: OperandDescription(
      name: "CATALOGUE", least: 1, most: 1,
      help: "profiles, faults, invariants, requirements, marks or defects."),
    options: [
      OptionDescription("json", nil, "Prints one JSON array and nothing else."),
      OptionDescription(
        "from", "DIR",
        "With requirements or invariants: how often antecedents held in a campaign."),
      OptionDescription("table", "FILE", "With invariants and --from: writes a Markdown table."),
      OptionDescription("package", "DIR", "The package to read tests and planted defects from."),
    ],
    examples: [
      "simlab list invariants", "simlab list requirements --json",
      "simlab list invariants --from campaign --table reports/antecedents.md",
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let name = arguments.operands[0]
    guard catalogues.contains(name) else {
      let nearest = Nearest.word(to: name, among: catalogues) ?? ""
      throw arguments.failure("unknown catalogue '\(name)'; the nearest is '\(nearest)'")
    }
    if arguments.has("from"), name != "requirements", name != "invariants" {
      throw arguments.failure("--from goes with requirements or invariants")
    }
    if let file = arguments["table"] {
      guard name == "invariants", let campaign = arguments["from"] else {
        throw arguments.failure("--table goes with invariants and --from")
      }
      let table = try AntecedentTable(campaign: campaign, package: arguments["package"])
      let command = (["simlab list invariants"] + arguments.typed).joined(separator: " ")
      try AtomicFile.write(table.markdown(command: command), to: file)
    }
    let listing = try CatalogueListing(
      name, package: arguments["package"], campaign: arguments["from"])
    Console.out(arguments.has("json") ? listing.json : listing.text)
    return .nothingFound
  }
}
