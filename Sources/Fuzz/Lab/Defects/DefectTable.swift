/// The results of a hunt as Markdown.
public struct DefectTable {
  private let results: [DefectHunt.Result]
  private let command: String

  /// - Parameter command: what made the results.
  public init(_ results: [DefectHunt.Result], command: String) {
    self.results = results
    self.command = command
  }

  /// A page with a row a defect and a row an invariant.
  public var markdown: String {
    let caught = results.count { $0.isCaught }
    var lines = [
      "# Planted defects", "",
      "Build \(BuildIdentity.current).", "",
      "Made by `\(command)`: \(caught) of \(results.count) caught, each by a signature that the same",
      "seeds do not show without it. *Runs* is how many it took; *left* is how many actions the",
      "reduced scenario has (`+` where time ended the reduction).", "",
      "| defect | requirement | what is wrong | caught by | runs | shown by | left |",
      "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for result in results { lines.append(row(result)) }
    lines += ["", "| invariant | fires on |", "| --- | --- |"]
    for invariant in invariants {
      let ids = results.filter { $0.fired.contains(invariant) }.map(\.defect.id)
      lines.append("| \(invariant) | \(ids.joined(separator: ", ")) |")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func row(_ result: DefectHunt.Result) -> String {
    let defect = result.defect
    let by = result.isCaught ? result.fired.joined(separator: ", ") : "**not caught**"
    let place = result.caught == nil ? "" : result.place
    let left = result.shrunkActions.map { "\($0)\(result.isMinimal ? "" : "+")" } ?? ""
    return "| \(defect.id) | \(defect.requirement) | \(defect.sentence) | \(by) | \(result.seeds)"
      + " | \(place) | \(left) |"
  }

  private var invariants: [String] {
    var all: [String] = []
    for result in results {
      for invariant in result.fired where !all.contains(invariant) { all.append(invariant) }
    }
    return all.sorted()
  }
}
