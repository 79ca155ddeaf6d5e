import Fuzz

/// `simlab judge`: the invariants over stored histories, without a device.
enum JudgeVerb: Verb {
  static let description = VerbDescription(
    name: "judge",
    abstract: "Judges stored histories again, without running a device.",
    usage: "HISTORY… [--json]",
    operands: OperandDescription(
      name: "HISTORY…", least: 1, most: .max,
      help: "Files that 'simlab run --history FILE' wrote, or folders of them."),
    options: [
      OptionDescription("json", nil, "Prints one JSON object a history, one a line.")
    ],
    examples: ["simlab judge run42.history", "simlab judge histories/ --json"])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let files = try InputFile.expand(arguments.operands, endings: [".history", ".jsonl"])
    var found = false
    for file in files {
      CrashNote.arm("FAILED \(file): judging it died  (again: simlab judge \(file))")
      let judged = try JudgedHistory(reading: file)
      Console.line(
        arguments.has("json") ? judged.json.line : judged.lines.joined(separator: "\n"))
      if !judged.findings.isEmpty { found = true }
    }
    return found ? .finding : .nothingFound
  }
}
