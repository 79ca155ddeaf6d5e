import SimKernel

/// The first record in which two histories differ, by what the records say: where their bytes lie
/// in the arenas does not matter.
public struct HistoryDifference {
  /// The place of the record, from 0.
  public var place: Int
  /// The record of either history; nil where it has ended before.
  public var left: Record?
  public var right: Record?

  /// Compares two histories record by record.
  /// - Returns: nil if they tell the same.
  public static func between(_ left: History, _ right: History) -> HistoryDifference? {
    let count = max(left.records.count, right.records.count)
    for place in 0..<count {
      let first = place < left.records.count ? left.records[place] : nil
      let second = place < right.records.count ? right.records[place] : nil
      if let first, let second, same(first, left, second, right) { continue }
      return HistoryDifference(place: place, left: first, right: second)
    }
    return nil
  }

  private static func same(
    _ first: Record, _ left: History, _ second: Record, _ right: History
  ) -> Bool {
    guard first.instant == second.instant, first.process == second.process,
      first.fact.kind == second.fact.kind
    else { return false }
    if case .callBegan(let call, _, _, _, _) = first.fact,
      case .callBegan(let other, _, _, _, _) = second.fact,
      left.calls[Int(call)] != right.calls[Int(other)]
    {
      return false
    }
    return FactWriter(history: left).entries(first.fact)
      == FactWriter(history: right).entries(second.fact)
  }
}
