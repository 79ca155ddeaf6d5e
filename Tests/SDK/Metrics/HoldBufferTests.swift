import Testing

@testable import SDK

@Suite("The hold buffer")
struct HoldBufferTests {
  private func call(_ kind: Call.Kind, _ ordinal: UInt64, _ name: String = "") -> Call {
    Call(kind, ordinal: ordinal, messageId: "m\(ordinal)", name: name)
  }

  private func input(_ kind: LifecycleInput.Kind, _ ordinal: UInt64) -> LifecycleInput {
    LifecycleInput(kind: kind, ordinal: ordinal, uptime: Int64(ordinal), current: .unread)
  }

  private func calls(_ items: [HoldBuffer.Item]) -> [UInt64] {
    items.compactMap { item in
      if case .call(let call) = item { return call.ordinal }
      return nil
    }
  }

  private func effects(_ items: [HoldBuffer.Item]) -> [HoldBuffer.EvictedEffects] {
    items.compactMap { item in
      if case .evicted(let effects) = item { return effects }
      return nil
    }
  }

  @Test(
    "200 calls fit; each further one evicts the oldest", arguments: [1, 199, 200, 201, 250, 999])
  func room(_ count: UInt64) {
    var buffer = HoldBuffer()
    var lost: [String] = []
    for ordinal in 1...count {
      if let id = buffer.hold(call(.message(.track), ordinal)) { lost.append(id) }
    }
    let kept = calls(buffer.takeAll())
    #expect(kept == Array((count > 200 ? count - 199 : 1)...count))
    #expect(lost == (count > 200 ? (1...(count - 200)).map { "m\($0)" } : []))
    #expect(buffer.takeAll().isEmpty)
  }

  @Test("what evicted calls did to the state stays (S-28)")
  func effectsStay() throws {
    var buffer = HoldBuffer()
    let early: [Call] = [
      call(.message(.identify), 1, "a"), call(.consent(analytics: false, marketing: nil), 2),
      call(.reset, 3), call(.message(.identify), 4, "b"), call(.message(.identify), 5, ""),
      call(.consent(analytics: true, marketing: true), 6), call(.message(.alias), 7, "c"),
    ]
    for call in early { _ = buffer.hold(call) }
    for ordinal in UInt64(8)...300 { _ = buffer.hold(call(.message(.track), ordinal)) }
    let evicted = try #require(effects(buffer.takeAll()).first)
    #expect(evicted.hasWithdrawal)
    #expect(evicted.analytics == true)
    #expect(evicted.marketing == true)
    #expect(evicted.resetOrdinal == 3)
    #expect(evicted.userId == "b")
  }

  @Test("a reset makes the user before it forgotten")
  func resetForgets() throws {
    var buffer = HoldBuffer()
    _ = buffer.hold(call(.message(.identify), 1, "a"))
    _ = buffer.hold(call(.reset, 2))
    for ordinal in UInt64(3)...300 { _ = buffer.hold(call(.message(.track), ordinal)) }
    let evicted = try #require(effects(buffer.takeAll()).first)
    #expect(evicted.userId == nil)
    #expect(evicted.resetOrdinal == 2)
  }

  @Test("lifecycle inputs take no room, are never evicted and keep their place (A-28)")
  func lifecycle() {
    var buffer = HoldBuffer()
    for ordinal in UInt64(1)...450 {
      if ordinal.isMultiple(of: 50) {
        buffer.hold(input(.foreground, ordinal))
      } else {
        _ = buffer.hold(call(ordinal < 100 ? .reset : .message(.track), ordinal))
      }
    }
    var last: UInt64 = 0
    var inputs: [UInt64] = []
    var calls = 0
    for item in buffer.takeAll() {
      switch item {
      case .evicted(let effects):
        guard let ordinal = effects.resetOrdinal else { continue }
        #expect(ordinal > last)
        last = ordinal
      case .call(let call):
        #expect(call.ordinal > last)
        last = call.ordinal
        calls += 1
      case .lifecycle(let input):
        #expect(input.ordinal > last)
        last = input.ordinal
        inputs.append(input.ordinal)
      }
    }
    #expect(inputs == [50, 100, 150, 200, 250, 300, 350, 400, 450])
    #expect(calls == HoldBuffer.room)
  }

  @Test("where the app stood at load is learnt later")
  func position() throws {
    var buffer = HoldBuffer()
    buffer.hold(input(.load(isForeground: nil), 1))
    buffer.settleLoad(isForeground: true)
    guard case .lifecycle(let found)? = buffer.takeAll().first,
      case .load(let isForeground) = found.kind
    else {
      Issue.record("the input is gone")
      return
    }
    #expect(isForeground == true)
  }
}
