import FuzzHistory
import FuzzScenario
import SimKernel

/// What a scenario holds, in a few lines: the options that a seed drew.
public enum ScenarioWords {
  /// One row for each part that has something to say.
  /// - Parameter subject: what the scenario was called already.
  public static func lines(_ scenario: Scenario, subject: String) -> [String] {
    var rows: [(String, String)] = []
    if !scenario.name.isEmpty, scenario.name != subject { rows.append(("name", scenario.name)) }
    // What a generated scenario says of itself stands in the other rows.
    if !scenario.why.isEmpty, !scenario.why.hasPrefix("Generated.") {
      rows.append(("why", scenario.why))
    }
    rows.append(("drawn", device(scenario)))
    if let start = scenario.start {
      let options = CallWords.options(start.options)
      rows.append(("load", options.isEmpty ? "no options" : options.joined(separator: ", ")))
    }
    rows.append(("config", config(scenario.config)))
    rows.append(("attribution", attribution(scenario)))
    rows.append(("timing", timing(scenario.timing)))
    rows.append(("faults", faults(scenario.faults)))
    if !scenario.rules.isEmpty { rows.append(("rules", rules(scenario.rules))) }
    rows.append(("actions", actions(scenario.actions)))
    if !scenario.expect.isEmpty {
      rows.append(
        ("expect", scenario.expect.map { ExpectationWords.text($0) }.joined(separator: "; ")))
    }
    return rows.flatMap { Rows.lines($0, $1) }
  }

  private static func device(_ scenario: Scenario) -> String {
    let device = scenario.device
    return "\(Figures.span(scenario.duration)) on \(device.deviceModel) with "
      + "\(device.systemName) \(device.systemVersion), app \(scenario.appVersion) "
      + "(\(scenario.appBuild)), \(scenario.locale), \(scenario.timeZone), "
      + "link \(scenario.link)" + (scenario.isCalm ? ", calm" : "")
  }

  private static func attribution(_ scenario: Scenario) -> String {
    let source = scenario.attribution
    let token =
      source.isNever
      ? "a token that is never told"
      : (source.token.isEmpty ? "no token" : "a token") + " after \(source.delay) ms"
    return "\(scenario.distribution.rawValue), \(token), tracking "
      + FactWords.spaced(scenario.tracking)
  }

  private static func config(_ config: ConfigAnswer) -> String {
    var words: [String] = []
    if let mode = config.consentMode { words.append("consent \(CallWords.quoted(mode))") }
    if let minutes = config.sessionTimeoutMinutes { words.append("session \(minutes) min") }
    if let test = config.test { words.append("test \(test)") }
    if let flag = config.pageviews { words.append("pageviews \(flag)") }
    if let flag = config.pageleave { words.append("pageleave \(flag)") }
    if let flag = config.errors { words.append("errors \(flag)") }
    return words.isEmpty ? "says nothing" : words.joined(separator: ", ")
  }

  private static func timing(_ timing: Timing) -> String {
    if timing.isFixed { return "fixed delays" }
    return "hand-off \(range(timing.handOffMicroseconds)) µs, disk step "
      + "\(range(timing.diskStepMicroseconds)) µs, network \(range(timing.networkMilliseconds)) ms, "
      + "server \(range(timing.serverMilliseconds)) ms"
  }

  private static func range(_ range: ClosedRange<Int64>) -> String {
    "\(range.lowerBound)–\(range.upperBound)"
  }

  private static func faults(_ faults: [FaultSetting]) -> String {
    if faults.isEmpty { return "none" }
    return faults.map { fault in
      let name = FaultCatalogue.entry(fault.kind).name
      return "\(name) \(fault.chance.numerator)/\(fault.chance.denominator)" + window(fault)
    }.joined(separator: ", ")
  }

  private static func window(_ fault: FaultSetting) -> String {
    let from = fault.from.map { " from \(Figures.span($0))" } ?? ""
    return from + (fault.until.map { " until \(Figures.span($0))" } ?? "")
  }

  private static func rules(_ rules: [ServerRule]) -> String {
    "\(rules.count) scripted answers"
  }

  private static func actions(_ actions: [Action]) -> String {
    var tally = Tally()
    for action in actions { tally.add(ActionWords.family(action.kind)) }
    return "\(actions.count): \(tally.words)"
  }
}
