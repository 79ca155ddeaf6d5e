import Fuzz
import FuzzHistory
import FuzzScenario
import FuzzWorld

/// What `run` and `replay` have in common: run a scenario and say what came of it.
struct RunOutput {
  static let options: [OptionDescription] = [
    OptionDescription("json", nil, "Prints one JSON object on one line and nothing else."),
    OptionDescription("narrate", nil, "Tells the run as a timeline."),
    OptionDescription("trace", "FILE", "Writes every event as JSON lines."),
    OptionDescription(
      "history", "FILE", "Writes the history, for 'simlab judge' to judge it again."),
    OptionDescription("html", "FILE", "Writes one self-contained page."),
  ]

  private let json: Bool
  private let narrate: Bool
  private let trace: String?
  private let history: String?
  private let page: String?

  init(_ arguments: Arguments) throws {
    json = arguments.has("json")
    narrate = arguments.has("narrate")
    trace = arguments["trace"]
    history = arguments["history"]
    page = arguments["html"]
    if json && narrate { throw arguments.failure("--json and --narrate exclude each other") }
  }

  /// Runs and judges a scenario, prints what came of it and writes the files asked for.
  /// - Parameters:
  ///   - subject: what it is called.
  ///   - command: what to type to see it again.
  func run(_ scenario: Scenario, subject: String, command: String) throws -> ExitStatus {
    CrashNote.arm("FAILED \(subject): the process that ran it died  (again: \(command))")
    // All files are opened first: a run of minutes must not end with a path that cannot be written.
    let traceFile = try trace.map { try TraceFile(path: $0, scenario: scenario) }
    let historyFile = try history.map { try AtomicFile(path: $0) }
    let pageFile = try page.map { try AtomicFile(path: $0) }
    if !json { print(RunText.head(of: scenario, subject: subject, command: command)) }
    var options = RunOptions()
    options.sink = traceFile?.sink
    options.narrated = narrate || page != nil
    let run = CompletedRun(running: scenario, options: options)
    try traceFile?.finish()
    try historyFile?.finish(HistoryFile.encode(run.result.history))
    let text = RunText(run, subject: subject, command: command)
    try pageFile?.finish(Array(RunPage(text).html.utf8))
    if json {
      Console.line(run.report.json.line)
    } else {
      if narrate {
        Console.line()
        Console.out(Narration(run.result.history, findings: run.findings).text)
      }
      print(text.summary + [text.verdict])
    }
    return run.findings.isEmpty ? .nothingFound : .finding
  }

  private func print(_ lines: [String]) { Console.out(lines.joined(separator: "\n") + "\n") }
}
