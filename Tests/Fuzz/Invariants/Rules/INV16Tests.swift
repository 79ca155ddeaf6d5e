import FuzzHistory
import FuzzInvariants
import SimKernel
import Testing

@Suite("INV-16 Public calls return at once")
struct INV16Tests {
  private func start() -> WireHistory {
    let builder = WireHistory()
    builder.launch()
    builder.load()
    builder.call(.track(event: "Tap", properties: [], messageId: nil), value: "m")
    return builder
  }

  @Test("calls return at the instant they began")
  func healthy() { expectHealthy(start(), antecedent: "INV-16") }

  @Test("a call that takes time is found at its return")
  func slow() {
    let builder = start()
    builder.move(builder.last, by: .microseconds(1))
    expectFinding("INV-16 a public call takes time", at: builder.last, builder)
  }

  @Test(
    "a port entered inside a call is found",
    arguments: [
      (PortKind.storage, "storage"), (.http, "HTTP"), (.wait, "waiting"),
      (.mainQueue, "main queue"),
    ])
  func port(kind: PortKind, name: String) {
    let builder = start()
    builder.history.insertRecord(
      Record(
        instant: builder.now, process: 0, fact: .portEnteredInCall(call: 1, port: kind)),
      at: builder.last)
    expectFinding("INV-16 a public call enters the \(name) port", at: builder.last - 1, builder)
  }

  @Test("a call that never returns is found, one that the process died in is not")
  func never() {
    let builder = start()
    builder.history.removeRecord(at: builder.last)
    builder.end()
    expectHealthy(builder, antecedent: "INV-16")
    builder.move(builder.last, by: .seconds(3))
    expectFinding("INV-16 a public call takes time", at: builder.last, builder)
  }
}
