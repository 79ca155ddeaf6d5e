import FuzzInvariants
import SimKernel

/// A finding as text for a person.
enum FindingText {
  /// Invariant, instant, sentence, and what happened before it (LAB-27).
  static func lines(_ finding: Finding, narration: Narration) -> [String] {
    var lines = [
      "\(finding.invariant) at \(Figures.seconds(finding.instant - .start)) s"
        + (finding.process < 0 ? "" : ", process \(finding.process)"),
      "  \(finding.message)",
      "  requirements \(finding.requirements.joined(separator: ", "))",
      "  signature    \(finding.signature)",
    ]
    let before = narration.lines(before: finding, count: 6)
    if !before.isEmpty { lines.append("  before it:") }
    return lines + before.map { "    \($0.trueTime)  \($0.text)" }
  }

  /// `1 finding`, `2 findings`.
  static func count(_ count: Int) -> String { count == 1 ? "1 finding" : "\(count) findings" }
}
