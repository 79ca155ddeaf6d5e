import FuzzHistory
import FuzzInvariants
import SimKernel
import Testing

@Suite("INV-14 Halves of a batch")
struct INV14Tests {
  private func split(_ ids: [String], then lists: [([String], UInt16)]) -> WireHistory {
    let builder = WireHistory()
    builder.launch()
    builder.wait(.minutes(1))
    builder.load()
    builder.exchange(ids, 413)
    for (list, status) in lists {
      builder.exchange(list, status)
      if status >= 500 { builder.wait(.seconds(10)) }
    }
    return builder
  }

  private func starts(_ builder: WireHistory) -> [Int] {
    builder.history.records.indices.filter {
      if case .requestStarted(_, .collector, _, _, _, _, _, _, _, _, _) =
        builder.history.records[$0].fact
      {
        return true
      }
      return false
    }
  }

  @Test("halves in order, and halves of halves")
  func healthy() {
    expectHealthy(
      split(["a", "b", "c"], then: [(["a"], 200), (["b", "c"], 200)]), antecedent: "INV-14")
    expectHealthy(
      split(["a", "b", "c"], then: [(["a", "b"], 200), (["c"], 200)]), antecedent: "INV-14")
    expectHealthy(
      split(
        ["a", "b", "c", "d"],
        then: [(["a", "b"], 413), (["a"], 200), (["b"], 413), (["c", "d"], 200), (["e"], 200)]),
      antecedent: "INV-14")
  }

  @Test("a first half that fails comes again before the second")
  func failedHalf() {
    expectHealthy(
      split(["a", "b"], then: [(["a"], 503), (["a"], 200), (["b"], 200)]), antecedent: "INV-14")
    expectHealthy(
      split(["a", "b"], then: [(["a"], 400), (["b"], 200)]), antecedent: "INV-14")
  }

  @Test(
    "what is no half is found",
    arguments: [
      ["a", "b", "c", "d"], ["a"], ["a", "b", "c"], ["c", "d"], ["b", "a"], ["x", "y"],
    ])
  func wrongFirst(list: [String]) {
    let builder = split(["a", "b", "c", "d"], then: [(list, 200)])
    expectFinding(
      "INV-14 what follows a 413 is not half of the batch", at: starts(builder)[1], builder)
  }

  @Test("a second half that is not the rest is found", arguments: [["c"], ["c", "d", "e"], ["e"]])
  func wrongSecond(list: [String]) {
    let builder = split(["a", "b", "c", "d"], then: [(["a", "b"], 200), (list, 200)])
    let judgement = judgeWire(builder)
    #expect(
      judgement.findings.map(\.signature).contains(
        "INV-14 what follows a 413 is not half of the batch"))
    #expect(
      judgement.findings.first?.instant == builder.history.records[starts(builder)[2]].instant)
  }
}
