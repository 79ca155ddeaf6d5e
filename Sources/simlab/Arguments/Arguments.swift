import Fuzz
import FuzzScenario

/// The parsed words after a verb.
struct Arguments {
  let verb: VerbDescription
  private var values: [(name: String, value: String)] = []
  private(set) var operands: [String] = []
  private(set) var wantsHelp: Bool = false

  /// Parses words by the description of a verb.
  /// - Throws: `UsageError` for what is unknown, repeated, missing or too much.
  init(_ words: [String], for verb: VerbDescription) throws {
    self.verb = verb
    var index = 0
    var onlyOperands = false
    while index < words.count {
      let word = words[index]
      index += 1
      if onlyOperands || !word.hasPrefix("-") || word == "-" {
        operands.append(word)
      } else if word == "--" {
        onlyOperands = true
      } else if word == "--help" || word == "-h" {
        wantsHelp = true
      } else {
        try parseOption(word, words: words, index: &index)
      }
    }
    if !wantsHelp { try checkOperands() }
  }

  private mutating func parseOption(_ word: String, words: [String], index: inout Int) throws {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0].drop { $0 == "-" })
    guard word.hasPrefix("--"), let option = verb.options.first(where: { $0.name == name }) else {
      throw unknown(String(parts[0]), name: name)
    }
    if values.contains(where: { $0.name == name }) {
      throw failure("--\(name) is given twice; give it once")
    }
    guard let placeholder = option.value else {
      if parts.count > 1 { throw failure("--\(name) is a switch and takes no value") }
      values.append((name, ""))
      return
    }
    if parts.count > 1 {
      values.append((name, String(parts[1])))
    } else if index < words.count, !words[index].hasPrefix("--") {
      values.append((name, words[index]))
      index += 1
    } else {
      throw failure("--\(name) needs a value: --\(name) \(placeholder)")
    }
  }

  private func unknown(_ word: String, name: String) -> UsageError {
    let names = verb.options.map(\.name) + ["help"]
    let nearest = Nearest.word(to: name, among: names) ?? "help"
    return failure("unknown option \(word); the nearest is --\(nearest)")
  }

  private func checkOperands() throws {
    let most = verb.operands?.most ?? 0
    let least = verb.operands?.least ?? 0
    if operands.count > most {
      throw failure("'\(operands[most])' is one word too many")
    }
    if operands.count < least {
      let name = verb.operands?.name ?? ""
      throw failure("\(name) is missing")
    }
  }

  /// An error that names the verb and where to read on.
  func failure(_ message: String) -> UsageError {
    UsageError("simlab \(verb.name): \(message) (see 'simlab \(verb.name) --help')")
  }

  /// The options as they could be typed again.
  var typed: [String] {
    values.map { name, value in
      verb.options.contains { $0.name == name && $0.value == nil }
        ? "--\(name)" : "--\(name) \(value)"
    }
  }

  func has(_ name: String) -> Bool { values.contains { $0.name == name } }

  subscript(name: String) -> String? { values.first { $0.name == name }?.value }

  /// A whole number in a range.
  func number(_ name: String, in range: ClosedRange<UInt64>) throws -> UInt64? {
    guard let text = self[name] else { return nil }
    guard let value = UInt64(text), range.contains(value) else {
      throw failure(
        "--\(name): '\(text)' is not a whole number from \(range.lowerBound) to "
          + "\(range.upperBound)")
    }
    return value
  }

  /// A whole number in a range.
  func int(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
    try number(name, in: UInt64(range.lowerBound)...UInt64(range.upperBound)).map { Int($0) }
  }

  /// The seed of `--seed`.
  func seed() throws -> UInt64? { try number("seed", in: 0...Scenario.largestSeed) }

  /// A word that must be one of a few; an error names the nearest.
  func choice(_ name: String, among candidates: [String]) throws -> String? {
    guard let text = self[name] else { return nil }
    return try check(text, of: "--\(name)", among: candidates)
  }

  /// The profile of `--profile`, or `default`.
  func profile() throws -> String {
    try choice("profile", among: ScenarioSource.profileNames) ?? "default"
  }

  /// The name of a profile that stands in an operand.
  func checkProfile(_ text: String) throws -> String {
    try check(text, of: "profile", among: ScenarioSource.profileNames)
  }

  /// Words separated by commas, each one of a few, each at most once.
  func choices(_ name: String, among candidates: [String]) throws -> [String]? {
    guard let text = self[name] else { return nil }
    let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    var chosen: [String] = []
    for word in words {
      let word = try check(word, of: "--\(name)", among: candidates)
      if chosen.contains(word) { throw failure("--\(name): '\(word)' is named twice") }
      chosen.append(word)
    }
    return chosen
  }

  private func check(_ text: String, of what: String, among candidates: [String]) throws -> String {
    if candidates.contains(text) { return text }
    let nearest = Nearest.word(to: text, among: candidates) ?? ""
    throw failure("\(what): unknown '\(text)'; the nearest is '\(nearest)'")
  }
}
