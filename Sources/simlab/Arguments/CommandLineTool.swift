import Foundation
import Fuzz

/// One thing the command can do.
protocol Verb {
  static var description: VerbDescription { get }
  /// Internal verbs are not listed in help.
  static var isListed: Bool { get }
  static func run(_ arguments: Arguments) throws -> ExitStatus
}

extension Verb {
  static var isListed: Bool { true }
}

/// Finds the verb, runs it, and turns errors into one line and an exit code.
struct CommandLineTool {
  let verbs: [any Verb.Type]

  func run(_ words: [String]) -> ExitStatus {
    do {
      guard let name = words.first else {
        throw UsageError("simlab: a verb is missing, such as 'run' (see 'simlab --help')")
      }
      if ["--help", "-h", "help"].contains(name) {
        Console.out(help)
        return .nothingFound
      }
      guard let verb = verbs.first(where: { $0.description.name == name }) else {
        throw unknown(name)
      }
      let arguments = try Arguments(Array(words.dropFirst()), for: verb.description)
      if arguments.wantsHelp {
        Console.out(verb.description.help)
        return .nothingFound
      }
      return try verb.run(arguments)
    } catch let error as UsageError {
      Console.note(error.description)
      return .wrongInput
    } catch let error as InputError {
      Console.note("simlab: \(error)")
      return .wrongInput
    } catch {
      Console.note("simlab: the lab failed: \(error)")
      return .labFailure
    }
  }

  private var listed: [VerbDescription] {
    verbs.filter { $0.isListed }.map { $0.description }
  }

  private func unknown(_ name: String) -> UsageError {
    let names = listed.map(\.name)
    let nearest = Nearest.word(to: name, among: names) ?? "run"
    let what = name.hasPrefix("-") ? "a verb stands first, not" : "unknown verb"
    return UsageError(
      "simlab: \(what) '\(name)'; the nearest is '\(nearest)' (see 'simlab --help')")
  }

  /// The text of `simlab --help`.
  var help: String {
    var lines = ["simlab: a device lives one seed with the SDK aboard, and its history is judged."]
    lines.append(contentsOf: ["", "usage: simlab <verb> [options]", ""])
    lines.append(contentsOf: Columns.text(listed.map { ($0.name, $0.abstract) }))
    lines.append("")
    lines.append("exit codes: 0 nothing found, 1 at least one finding, 2 incomplete or unknown,")
    lines.append("  3 the same seed gave two histories, 64 wrong usage or unreadable input,")
    lines.append("  70 the lab itself failed")
    lines.append(contentsOf: ["", "examples:"])
    lines.append("  simlab run --seed 42")
    lines.append("  simlab run --help")
    return lines.joined(separator: "\n") + "\n"
  }
}
