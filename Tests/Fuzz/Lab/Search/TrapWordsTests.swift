import Testing

@testable import Fuzz

@Suite struct TrapWordsTests {
  private let words = """
    Swift/ContiguousArrayBuffer.swift:690: Fatal error: Index out of range

    *** Signal 4: Backtracing from 0x7f43b1a8e2e1... done ***

    Thread 0 "simlab" crashed:

    0 0x00007f43b1a8e2e1 _assertionFailure(_:_:file:line:flags:) + 353 in libswiftCore.so
    1 [ra] 0x00005561d8a0f1c2 MessageQueue.append(_:) + 81 in simlab at /b/Sources/SDK/Storage/MessageQueue.swift:40:9
    2 [ra] 0x00005561d8a0f1d2 Pipeline.enqueue(_:) + 8 in simlab at /b/Sources/SDK/Metrics/Pipeline.swift:12:3
    """

  @Test func theReasonIsWhatTheRuntimeSaid() {
    #expect(TrapWords.reason(in: words) == "Fatal error: Index out of range")
    #expect(TrapWords.reason(in: "all is well") == nil)
  }

  @Test func thePlaceIsTheInnermostFunctionOfThePackage() {
    #expect(TrapWords.place(in: words) == "MessageQueue.append(_:) (MessageQueue.swift)")
    #expect(TrapWords.place(in: "0 0x1 f() + 1 in libc.so.6") == nil)
  }

  @Test func theSignatureHoldsNoAddressesOrLines() {
    let death = WorkerDeath(kind: .signal(4), lastWords: words)
    #expect(
      death.finding.signature
        == "LAB-TRAP: Fatal error: Index out of range in MessageQueue.append(_:) "
        + "(MessageQueue.swift)")
  }
}
