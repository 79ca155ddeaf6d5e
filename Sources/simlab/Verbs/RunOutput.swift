import Fuzz
import FuzzScenario
import FuzzWorld

/// What `run` and `replay` have in common: run a scenario and say what came of it.
struct RunOutput {
  static let options: [OptionDescription] = [
    OptionDescription("json", nil, "Prints one JSON object on one line and nothing else.")
  ]

  private let json: Bool

  init(_ arguments: Arguments) {
    json = arguments.has("json")
  }

  /// Runs and judges a scenario and prints what came of it.
  func run(_ scenario: Scenario, command: String) throws -> ExitStatus {
    if !json { print(RunText.head(of: scenario, command: command)) }
    let run = CompletedRun(running: scenario)
    if json {
      Console.line(run.report.json.line)
    } else {
      let text = RunText(run, command: command)
      print(text.summary + [text.verdict])
    }
    return run.findings.isEmpty ? .nothingFound : .finding
  }

  private func print(_ lines: [String]) { Console.out(lines.joined(separator: "\n") + "\n") }
}
