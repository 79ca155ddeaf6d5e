import FuzzHistory
import FuzzInvariants
import SimKernel
import Testing

@Suite("INV-13 A request starts at its trigger")
struct INV13Tests {
  private func start() -> WireHistory {
    let builder = WireHistory()
    builder.launch()
    var options = HostOptions()
    options.consent = .implied
    builder.load(options)
    return builder
  }

  private func track(_ builder: WireHistory, _ id: String) {
    builder.call(.track(event: "Tap", properties: [], messageId: id), value: id)
  }

  private func signatures(_ builder: WireHistory) -> [String] {
    Judge.judge(builder.history).findings.filter { $0.invariant == "INV-13" }.map(\.signature)
  }

  @Test("a flush that is followed by its request is healthy")
  func healthy() {
    let builder = start()
    track(builder, "a")
    builder.call(.flush)
    builder.wait(.milliseconds(20))
    builder.exchange(["a"], 200)
    builder.calm()
    #expect(signatures(builder) == [])
    #expect(Judge.judge(builder.history).antecedents["INV-13", default: 0] > 0)
  }

  @Test("a flush that nothing follows is found")
  func flushWithoutRequest() {
    let builder = start()
    track(builder, "a")
    builder.call(.flush)
    builder.wait(.seconds(20))
    builder.calm()
    #expect(signatures(builder).first == "INV-13 no request starts after a flush")
  }

  @Test("a message that waits longer than its interval is found")
  func lateInterval() {
    let builder = start()
    track(builder, "a")
    builder.wait(.seconds(45))
    builder.exchange(["a"], 200)
    builder.calm()
    #expect(signatures(builder).first == "INV-13 no request starts after the interval")
  }
}
