import FuzzHistory
import FuzzInvariants
import SimKernel
import Testing

@Suite("Recorded histories with one edit")
struct RecordedEditTests {
  @Test("the seeds record healthy histories")
  func healthy() {
    let count = RecordedHistory.seeds.reduce(0) { $0 + $1.seeds.count }
    #expect(RecordedHistory.recorded.count == count)
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

  @Test("every invariant of the catalogue has an edit")
  func catalogue() {
    // INV-89 compares two runs and has a test of its own.
    let edited = RecordedEdit.all.map(\.invariant) + ["INV-89"]
    #expect(Judge.catalogue.map(\.id).filter { !edited.contains($0) } == [])
    #expect(edited.filter { id in !Judge.catalogue.contains { $0.id == id } } == [])
  }

  @Test("exactly the named invariant fires, at the edit", arguments: RecordedEdit.all)
  func edit(edit: RecordedEdit) throws {
    #expect(edit.also.count <= 2)
    var places = 0
    var fired: [String] = []
    let histories =
      edit.isPrivate ? RecordedHistory.privateHistories : RecordedHistory.recorded
    for recorded in histories where places < 3 {
      let history = recorded.copy()
      guard let place = edit.apply(recorded, history) else { continue }
      places += 1
      let findings = Judge.judge(history).findings
      fired += findings.map(\.invariant)
      let named = findings.filter { finding in
        finding.invariant == edit.invariant
          && edit.cause.map { finding.signature == edit.invariant + " " + $0 } ?? true
      }
      let instant = history.records[place].instant
      #expect(
        named.first?.instant == instant,
        "\(edit.name), \(recorded.name): \(findings.map(\.message))")
      let allowed = [edit.invariant] + edit.also.map(\.invariant)
      let others = findings.filter { !allowed.contains($0.invariant) }
      #expect(others.isEmpty, "\(edit.name), \(recorded.name): \(others.map(\.signature))")
    }
    #expect(places > 0, "no recorded history has a place for this: \(edit.name)")
    for other in edit.also {
      #expect(fired.contains(other.invariant), "\(edit.name): \(other.invariant) never fires")
    }
  }

  @Test("two runs that differ in one record part there", arguments: RunEdit.all)
  func runs(edit: RunEdit) throws {
    for recorded in RecordedHistory.recorded.prefix(2) {
      let other = recorded.copy()
      #expect(INV89.compare(histories: (recorded.history, other)) == nil)
      let place = try #require(edit.apply(other))
      let finding = try #require(INV89.compare(histories: (recorded.history, other)))
      #expect(finding.invariant == "INV-89")
      #expect(finding.message.contains("part at record \(place):"), "\(finding.message)")
      let record = place < recorded.history.records.count ? recorded.history : other
      #expect(finding.instant == record.records[place].instant)
    }
  }
}
