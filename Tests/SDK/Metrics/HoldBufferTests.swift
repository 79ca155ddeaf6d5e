import Testing

@testable import SDK

@Suite("The hold buffer")
struct HoldBufferTests {
  private func call(_ kind: Call.Kind, _ ordinal: UInt64, _ name: String = "") -> Call {
    Call(kind, ordinal: ordinal, messageId: "m\(ordinal)", name: name)
  }

  @Test(
    "200 calls fit; each further one evicts the oldest", arguments: [1, 199, 200, 201, 250, 999])
  func room(_ count: UInt64) {
    var buffer = HoldBuffer()
    var lost: [String] = []
    for ordinal in 1...count {
      if let id = buffer.hold(call(.message(.track), ordinal)) { lost.append(id) }
    }
    let kept = buffer.takeAll().map { $0.ordinal }
    #expect(kept == Array((count > 200 ? count - 199 : 1)...count))
    #expect(lost == (count > 200 ? (1...(count - 200)).map { "m\($0)" } : []))
    #expect(buffer.takeAll().isEmpty)
  }

  @Test("what evicted calls did to the state stays (S-28)")
  func effects() {
    var buffer = HoldBuffer()
    let early: [Call] = [
      call(.message(.identify), 1, "a"), call(.consent(analytics: false, marketing: nil), 2),
      call(.reset, 3), call(.message(.identify), 4, "b"), call(.message(.identify), 5, ""),
      call(.consent(analytics: true, marketing: true), 6), call(.message(.alias), 7, "c"),
    ]
    for call in early { _ = buffer.hold(call) }
    for ordinal in UInt64(8)...300 { _ = buffer.hold(call(.message(.track), ordinal)) }
    #expect(buffer.evicted.hasWithdrawal)
    #expect(buffer.evicted.analytics == true)
    #expect(buffer.evicted.marketing == true)
    #expect(buffer.evicted.resetOrdinal == 3)
    #expect(buffer.evicted.userId == "b")
  }

  @Test("a reset makes the user before it forgotten")
  func resetForgets() {
    var buffer = HoldBuffer()
    _ = buffer.hold(call(.message(.identify), 1, "a"))
    _ = buffer.hold(call(.reset, 2))
    for ordinal in UInt64(3)...300 { _ = buffer.hold(call(.message(.track), ordinal)) }
    #expect(buffer.evicted.userId == nil)
    #expect(buffer.evicted.resetOrdinal == 2)
  }
}
