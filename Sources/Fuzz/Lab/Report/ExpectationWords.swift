import FuzzScenario

/// Expectations of a scenario in words.
enum ExpectationWords {
  /// What is expected, without a verb.
  static func text(_ expectation: Expectation) -> String {
    switch expectation {
    case .stored(let selection, let times, let by):
      let moment = by.map { " by \(Figures.span($0))" } ?? ""
      return "\(what(selection)) stored \(times)×\(moment)"
    case .lost(let reason, let times): return "\(times) lost by \(reason)"
    case .requests(let traffic): return "\(traffic.host) reached \(count(traffic))"
    case .attempts(let traffic): return "\(traffic.host) tried \(count(traffic))"
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

  private static func count(_ traffic: Expectation.Traffic) -> String {
    var text: String
    switch (traffic.atLeast, traffic.atMost) {
    case (let least, .max): text = "\(least)× or more"
    case (let least, let most) where least == most: text = "\(least)×"
    case (let least, let most): text = "\(least) to \(most)×"
    }
    if let from = traffic.from { text += " from \(Figures.span(from))" }
    if let until = traffic.until { text += " until \(Figures.span(until))" }
    return text
  }
}
