import FuzzScenario

/// Expectations of a scenario in words.
enum ExpectationWords {
  /// What is expected, without a verb.
  static func text(_ expectation: Expectation) -> String {
    switch expectation {
    case .stored(let selection, let times, let by):
      let moment = by.map { " by \(Figures.span($0))" } ?? ""
      return "\(what(selection)) stored \(times)×\(moment)"
    case .distinct(let member, let selection, let values):
      return "\(values) values of \(member) in \(what(selection))"
    case .lost(let reason, let times): return "\(times) lost by \(reason)"
    case .requests(let host, let frequency): return "\(host) reached \(words(frequency))"
    case .attempts(let host, let frequency): return "\(host) tried \(words(frequency))"
    case .diskChanges(let text, let frequency):
      return "\(CallWords.quoted(text)) changed on disk \(words(frequency))"
    case .order(let names): return "the order \(names.joined(separator: ", "))"
    case .quiet: return "quiet in the end"
    }
  }

  private static func what(_ selection: Expectation.Selection) -> String {
    switch selection {
    case .all: return "messages in all"
    case .named(let name): return CallWords.quoted(name)
    case .containing(let text): return "messages with \(CallWords.quoted(text))"
    }
  }

  private static func words(_ frequency: Expectation.Frequency) -> String {
    var text: String
    switch (frequency.atLeast, frequency.atMost) {
    case (let least, .max): text = "\(least)× or more"
    case (let least, let most) where least == most: text = "\(least)×"
    case (let least, let most): text = "\(least) to \(most)×"
    }
    if let from = frequency.from { text += " from \(Figures.span(from))" }
    if let until = frequency.until { text += " until \(Figures.span(until))" }
    return text
  }
}
