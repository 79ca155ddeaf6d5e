/// How far the requirements of each area are shown, in a table.
struct RequirementSummary {
  private let entries: [RequirementCoverage.Entry]

  init(_ entries: [RequirementCoverage.Entry]) { self.entries = entries }

  private static let columns = [
    "area", "must", "shown", "loosely", "open", "excluded", "collector", "backend", "app", "build",
    "player",
    "should", "may",
  ]

  /// A row an area and one for all. What is shown loosely has an edit on which its invariant fires,
  /// but nothing that is known to break this requirement.
  var text: String {
    var areas: [String] = []
    for entry in entries where !areas.contains(entry.requirement.area) {
      areas.append(entry.requirement.area)
    }
    var rows = [RequirementSummary.columns]
    for area in areas { rows.append(row(area, entries.filter { $0.requirement.area == area })) }
    rows.append(row("all", entries))
    let widths = RequirementSummary.columns.indices.map { column in
      rows.map { $0[column].count }.max() ?? 0
    }
    let lines = rows.map { row in
      zip(row, widths).map { cell, width in
        String(repeating: " ", count: width - cell.count) + cell
      }.joined(separator: "  ") + "\n"
    }
    return lines.joined()
  }

  private func row(_ name: String, _ entries: [RequirementCoverage.Entry]) -> [String] {
    let own = entries.filter { $0.requirement.actor == .sdk && $0.excluded == nil }
    let musts = own.filter { $0.requirement.level == .must }
    func count(_ actor: RequirementCatalogue.Actor) -> Int {
      entries.count { $0.requirement.actor == actor && $0.excluded == nil }
    }
    let numbers = [
      musts.count, musts.count { $0.isShown }, musts.count { $0.isShown && !$0.hasOwnProof },
      musts.count { !$0.isShown },
      entries.count { $0.excluded != nil }, count(.collector), count(.backend), count(.app),
      count(.build), count(.player), own.count { $0.requirement.level == .should },
      own.count { $0.requirement.level == .may },
    ]
    return [name] + numbers.map { "\($0)" }
  }
}
