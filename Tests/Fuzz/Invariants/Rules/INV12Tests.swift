import FuzzHistory
import FuzzInvariants
import SimKernel
import Testing

@Suite("INV-12 The queue empties in the calm")
struct INV12Tests {
  private func start() -> WireHistory {
    let builder = WireHistory()
    builder.launch()
    builder.load()
    builder.makeFolder()
    builder.disk(
      .append, WireHistory.journal,
      bytes: JournalBytes.message(sequence: 1, id: "a", time: WireHistory.epoch))
    return builder
  }

  @Test("what is stored is delivered and removed")
  func healthy() {
    let builder = start()
    builder.add(.calmBegan, process: -1)
    builder.exchange(["a"], 200)
    builder.disk(.append, WireHistory.journal, bytes: JournalBytes.removal([1]))
    builder.add(.calmEnded(pending: .empty), process: -1)
    expectHealthy(builder, antecedent: "INV-12")
  }

  @Test("what stays in the journal is found")
  func stored() {
    let builder = start()
    builder.calm()
    expectFinding(
      "INV-12 messages lie in the journal at the end of the calm", at: builder.last, builder)
  }

  @Test("pending work is found")
  func pending() {
    let builder = WireHistory()
    builder.launch()
    builder.load()
    builder.calm(pending: "1 timers")
    expectFinding("INV-12 work is pending at the end of the calm", at: builder.last, builder)
  }

  @Test("a batch that is never sent again is found")
  func kept() {
    let builder = WireHistory()
    builder.launch()
    builder.load()
    builder.exchange(["a"], 429, headers: "Retry-After: 5")
    builder.wait(.seconds(1))
    builder.calm()
    let signatures = judgeWire(builder).findings.map(\.signature)
    #expect(signatures.contains("INV-12 a kept batch is never sent again"))
  }
}
