import Fuzz

/// `simlab worker`: runs what its standard input names. Used by campaigns.
enum WorkerVerb: Verb {
  static let isListed = false

  static let description = VerbDescription(
    name: "worker",
    abstract: "Reads seeds on standard input and writes one line of JSON for each.",
    usage: "",
    operands: nil,
    options: [],
    examples: ["echo '42 default' | simlab worker"])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    Worker { Console.line($0) }.run()
    return .nothingFound
  }
}
