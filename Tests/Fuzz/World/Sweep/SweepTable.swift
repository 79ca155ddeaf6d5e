/// Counts the cases of a sweep.
struct SweepTable {
  private struct Row: Equatable {
    var subject: SweepSubject
    var death: SweepDeath
    var launch: SweepLaunch
  }

  private var counts: [(row: Row, progress: SweepProgress, count: Int)] = []

  mutating func count(
    _ subject: SweepSubject, _ death: SweepDeath, _ launch: SweepLaunch, _ progress: SweepProgress
  ) {
    let row = Row(subject: subject, death: death, launch: launch)
    if let place = counts.firstIndex(where: { $0.row == row && $0.progress == progress }) {
      counts[place].count += 1
    } else {
      counts.append((row, progress, 1))
    }
  }

  func cases(
    _ subject: SweepSubject, _ death: SweepDeath, _ launch: SweepLaunch,
    _ progress: SweepProgress? = nil
  ) -> Int {
    let row = Row(subject: subject, death: death, launch: launch)
    return counts.filter { $0.row == row && (progress == nil || $0.progress == progress) }
      .reduce(0) { $0 + $1.count }
  }

  var total: Int { counts.reduce(0) { $0 + $1.count } }

  var text: String {
    var lines = ["subject · death · launched · before + inside + after = cases"]
    for subject in SweepSubject.allCases {
      for death in SweepDeath.allCases {
        for launch in SweepLaunch.allCases {
          let parts = SweepProgress.allCases.map { cases(subject, death, launch, $0) }
          lines.append(
            "\(subject.rawValue) · \(death.rawValue) · \(launch.rawValue) · "
              + parts.map(String.init).joined(separator: " + ")
              + " = \(parts.reduce(0, +))")
        }
      }
    }
    lines.append("in all \(total) cases")
    return lines.joined(separator: "\n")
  }
}
