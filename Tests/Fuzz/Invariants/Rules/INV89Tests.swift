import Testing

@testable import FuzzInvariants

@Suite("INV-89: two runs of one scenario")
struct INV89Tests {
  @Test("equal runs are silent, others are told apart")
  func compare() {
    let verdict = Judgement()
    var other = Judgement()
    other.messages.delivered = 1
    #expect(INV89.compare(hashes: (1, 1), verdicts: (verdict, verdict)) == nil)
    #expect(
      INV89.compare(hashes: (1, 2), verdicts: (verdict, verdict))?.signature == "INV-89 two traces")
    #expect(
      INV89.compare(hashes: (1, 1), verdicts: (verdict, other))?.signature == "INV-89 two verdicts")
  }
}
