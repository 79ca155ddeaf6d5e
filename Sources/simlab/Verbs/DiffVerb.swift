import Foundation
import Fuzz
import FuzzHistory
import FuzzScenario
import FuzzWorld

/// `simlab diff`: the first event in which two runs part.
enum DiffVerb: Verb {
  static let description = VerbDescription(
    name: "diff",
    abstract: "Shows the first event in which two runs differ, with what stood before it.",
    usage: "A B [--profile P] [--context N] [--json]",
    operands: OperandDescription(
      name: "A B", least: 2, most: 2,
      help: "Two seeds (42, or 42:disk with its profile), scenario files or trace files."),
    options: [
      OptionDescription("profile", "P", "The profile of seeds that name none (default: default)."),
      OptionDescription("context", "N", "How many common events are shown (default: 8)."),
      OptionDescription("json", nil, "Prints one JSON object and nothing else."),
    ],
    examples: ["simlab diff 1 2", "simlab diff 42:disk 42:default", "simlab diff a.trace b.trace"],
    notes: [
      "Exit code 0: the runs are equal. 1: they differ. 3: they differ and are of one scenario."
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let context = try arguments.int("context", in: 0...10_000) ?? 8
    let left = try DiffSide(arguments.operands[0], arguments)
    let right = try DiffSide(arguments.operands[1], arguments)
    let difference = try TraceDiff.between(left.path, right.path, context: context)
    let names = (left.name, right.name)
    guard let difference else {
      let equal = JSONValue.object([JSONEntry("equal", .bool(true))])
      Console.line(
        arguments.has("json") ? equal.line : "EQUAL \(names.0) and \(names.1): event for event")
      return .nothingFound
    }
    if arguments.has("json") {
      Console.line(difference.json(leftName: names.0, rightName: names.1).line)
    } else {
      let command = "simlab diff " + arguments.operands.joined(separator: " ")
      Console.line("\(names.0) against \(names.1)  (again: \(command))")
      for line in difference.lines(leftName: names.0, rightName: names.1) { Console.line(line) }
      Console.line("DIFFERENT \(names.0) and \(names.1)  (again: \(command))")
    }
    return left.scenario != nil && left.scenario == right.scenario ? .nonDeterminism : .finding
  }
}

/// One side of a comparison: a trace file, given or made by a run.
private final class DiffSide {
  let name: String
  let path: String
  /// What was run; nil for a given trace.
  let scenario: Scenario?

  /// Reads an operand and runs it where it names a scenario.
  init(_ operand: String, _ arguments: Arguments) throws {
    name = try DiffSide.name(of: operand, arguments)
    if let scenario = try DiffSide.scenario(operand, arguments) {
      self.scenario = scenario
      path =
        FileManager.default.temporaryDirectory.path
        + "/simlab-diff-\(getpid())-\(ProcessClock.nanoseconds()).trace"
      let file = try TraceFile(path: path, scenario: scenario)
      var options = RunOptions()
      options.sink = file.sink
      _ = World(scenario, options: options).run()
      try file.finish()
    } else {
      scenario = nil
      path = operand
    }
  }

  deinit {
    if scenario != nil { unlink(path) }
  }

  private static func name(of operand: String, _ arguments: Arguments) throws -> String {
    guard let seed = try seed(operand, arguments) else { return operand }
    return "seed \(seed.number) \(seed.profile)"
  }

  private static func scenario(_ operand: String, _ arguments: Arguments) throws -> Scenario? {
    if let seed = try seed(operand, arguments) {
      return ScenarioSource.generate(seed: seed.number, profile: seed.profile)
    }
    return try TraceFile.isTrace(operand) ? nil : ScenarioSource.read(operand)
  }

  private static func seed(_ operand: String, _ arguments: Arguments) throws
    -> (number: UInt64, profile: String)?
  {
    let parts = operand.split(separator: ":", maxSplits: 1)
    guard let first = parts.first, let number = UInt64(first) else { return nil }
    guard number <= Scenario.largestSeed else {
      throw arguments.failure(
        "'\(operand)': a seed is a whole number from 0 to \(Scenario.largestSeed)")
    }
    if parts.count == 2 {
      return (number, try arguments.checkProfile(String(parts[1])))
    }
    return (number, try arguments.profile())
  }
}
