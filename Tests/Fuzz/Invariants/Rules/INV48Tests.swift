import FuzzHistory
import FuzzInvariants
import FuzzScenario
import SimKernel
import Testing

@Suite("INV-48: crashes are reported, not swallowed")
struct INV48Tests {
  @Test("an exception and its abort, each with the earlier reporter behind us")
  func healthy() {
    #expect(CrashRun.fired(CrashRun.record()) == [])
    let judgement = Judge.judge(CrashRun.record())
    #expect(judgement.antecedents["INV-48"] == 1)
  }

  @Test("an earlier reporter that hears nothing, or hears twice, is found")
  func order() throws {
    let history = CrashRun.record()
    let place = try #require(
      history.records.firstIndex { record in
        if case .crashHandlerRan(.earlier, isSignal: true) = record.fact { return true }
        return false
      })
    let record = history.records[place]
    history.insertRecord(record, at: place)
    #expect(CrashRun.fired(history) == ["INV-48"])
    history.removeRecord(at: place)
    history.removeRecord(at: place)
    #expect(CrashRun.fired(history) == ["INV-48"])
  }

  @Test("handlers that are installed again, and a port that a signal's handler enters, are found")
  func ports() throws {
    for fact in [Fact.crashHandlersInstalled, .portEnteredInHandler(.clock)] {
      let history = CrashRun.record()
      let place = try #require(
        history.records.firstIndex { record in
          if case .crashHandlerRan(.sdk, isSignal: true) = record.fact { return true }
          return false
        })
      var record = history.records[place]
      record.fact = fact
      history.insertRecord(record, at: place)
      #expect(CrashRun.fired(history) == ["INV-48"])
    }
  }
}
