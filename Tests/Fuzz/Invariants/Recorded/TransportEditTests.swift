import FuzzHistory
import FuzzInvariants
import SimKernel
import Testing

@Suite("Recorded histories with one edit")
struct TransportEditTests {
  @Test("the seeds record healthy histories")
  func healthy() {
    #expect(RecordedHistory.recorded.count >= 24)
  }

  @Test("times on the wire are read and written alike")
  func times() {
    for text in [
      "2026-05-28T20:26:40.123Z", "2028-02-29T00:00:00.000Z", "2027-12-31T23:59:59.999Z",
    ] {
      #expect(Edited.timestamp(RecordedHistory.milliseconds(text)) == text)
    }
    #expect(RecordedHistory.milliseconds("2026-05-28T20:26:40.000Z") == 1_780_000_000_000)
  }

  @Test("exactly the named invariant fires, at the edit", arguments: TransportEdits.all.indices)
  func edit(index: Int) throws {
    let edit = TransportEdits.all[index]
    #expect(edit.also.count <= 2)
    var places = 0
    for recorded in RecordedHistory.recorded where places < 6 {
      let history = recorded.copy()
      guard let place = edit.apply(recorded, history) else { continue }
      places += 1
      let findings = Judge.judge(history).findings
      let named = findings.filter { $0.invariant == edit.invariant }
      let instant = history.records[place].instant
      #expect(
        named.first?.instant == instant,
        "\(edit.name), \(recorded.name): \(findings.map(\.message))")
      let allowed = [edit.invariant] + edit.also.map(\.invariant)
      let others = findings.filter { !allowed.contains($0.invariant) }
      #expect(others.isEmpty, "\(edit.name), \(recorded.name): \(others.map(\.signature))")
    }
    #expect(places > 0, "no recorded history has a place for this: \(edit.name)")
  }
}
