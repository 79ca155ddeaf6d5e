import FuzzHistory
import SimKernel

/// Determinism: compared by the lab over two runs, never inside one history.
public final class INV89: Invariant {
  static let info = InvariantInfo(
    id: "INV-89",
    statement: "Same build, seed and scenario give the same trace hash and verdict.",
    kind: .paired,
    requirements: ["LAB-01", "LAB-02", "LAB-14"],
    antecedent: "A scenario is run twice.")

  public init() { super.init(INV89.info, on: []) }

  /// Compares what happened in two runs of one scenario.
  /// - Returns: a finding at the first record in which they differ.
  public static func compare(histories: (History, History)) -> Finding? {
    guard let difference = HistoryDifference.between(histories.0, histories.1),
      let record = difference.left ?? difference.right
    else { return nil }
    func words(_ record: Record?) -> String {
      guard let record else { return "the end" }
      return "\(record.fact.kind) of process \(record.process) at"
        + " \(record.instant.nanoseconds) ns"
    }
    return Finding(
      invariant: info.id, requirements: info.requirements, instant: record.instant,
      process: record.process,
      message: "Two runs of one scenario part at record \(difference.place):"
        + " \(words(difference.left)), and \(words(difference.right)).",
      signature: "INV-89 two histories from \(record.fact.kind) on")
  }

  /// Compares two runs of one scenario.
  /// - Returns: a finding if they differ.
  public static func compare(
    hashes: (UInt64, UInt64), verdicts: (Judgement, Judgement)
  ) -> Finding? {
    let cause: String
    if hashes.0 != hashes.1 {
      cause = "two traces"
    } else if verdicts.0.findings != verdicts.1.findings
      || verdicts.0.messages != verdicts.1.messages
      || verdicts.0.antecedents != verdicts.1.antecedents
    {
      cause = "two verdicts"
    } else {
      return nil
    }
    return Finding(
      invariant: info.id, requirements: info.requirements, instant: .start, process: -1,
      message: "Two runs of one scenario gave \(cause): trace hashes"
        + " \(String(hashes.0, radix: 16)) and \(String(hashes.1, radix: 16)).",
      signature: "INV-89 \(cause)")
  }
}
