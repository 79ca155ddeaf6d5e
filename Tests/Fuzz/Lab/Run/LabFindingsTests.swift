import FuzzHistory
import FuzzWorld
import SimKernel
import Testing

@testable import Fuzz

/// A run that does not end as runs do is a finding (LAB-03).
@Suite struct LabFindingsTests {
  private func findings(_ stop: StopReason) -> [String] {
    var result = RunResult(history: History(header: HistoryHeader()))
    result.stop = stop
    return LabFindings.of(result).map(\.signature)
  }

  @Test(arguments: [StopReason.idle, .reachedLimit, .stopped])
  func healthyEndsAreNone(stop: StopReason) { #expect(findings(stop).isEmpty) }

  @Test func everyBoundIsOne() {
    #expect(findings(.eventBound) == ["LAB-RUNAWAY: event bound"])
    #expect(findings(.pendingBound) == ["LAB-RUNAWAY: pending bound"])
    #expect(findings(.livelock(actor: 0x1003)) == ["LAB-LIVELOCK: queue"])
  }

  @Test func theNumberOfAnActorIsNoPartOfTheSignature() {
    #expect(findings(.livelock(actor: 0x1003)) == findings(.livelock(actor: 0x1004)))
  }
}
