import FuzzHistory
import FuzzInvariants
import SimKernel
import Testing

/// All rules of the transport, fresh.
func wireInvariants() -> [Invariant] {
  [
    INV04(), INV05(), INV07(), INV08(), INV09(), INV12(), INV14(), INV15(), INV16(), INV28(),
    INV31(),
  ]
}

/// Judges a history by the rules of the transport.
func judgeWire(_ builder: WireHistory) -> Judgement {
  Judge.judge(builder.history, with: wireInvariants())
}

/// Nothing is wrong, and the rule had something to judge.
func expectHealthy(
  _ builder: WireHistory, antecedent id: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let judgement = judgeWire(builder)
  for finding in judgement.findings {
    Issue.record("\(finding.signature): \(finding.message)", sourceLocation: sourceLocation)
  }
  #expect(
    judgement.antecedents[id, default: 0] > 0, "\(id) had nothing to judge",
    sourceLocation: sourceLocation)
}

/// Exactly this cause is found, at the instant of this record.
func expectFinding(
  _ signature: String, at index: Int, _ builder: WireHistory,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let findings = judgeWire(builder).findings
  #expect(findings.map(\.signature) == [signature], sourceLocation: sourceLocation)
  guard let finding = findings.first else { return }
  let record = builder.history.records[index]
  #expect(finding.instant == record.instant, sourceLocation: sourceLocation)
  #expect(finding.message.hasSuffix("."), sourceLocation: sourceLocation)
}

/// The cause is found at an instant that is no record's.
func expectFinding(
  _ signature: String, between earliest: Instant, and latest: Instant, _ builder: WireHistory,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let findings = judgeWire(builder).findings
  #expect(findings.map(\.signature) == [signature], sourceLocation: sourceLocation)
  guard let finding = findings.first else { return }
  #expect(finding.instant >= earliest, sourceLocation: sourceLocation)
  #expect(finding.instant <= latest, sourceLocation: sourceLocation)
}
