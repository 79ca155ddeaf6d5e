import FuzzHistory
import FuzzInvariants
import SimKernel
import Testing

@Suite("INV-04 One batch request at a time")
struct INV04Tests {
  @Test("a flush during a request waits for its end")
  func healthy() {
    let builder = WireHistory()
    builder.launch()
    builder.load()
    let first = builder.batch(["a"])
    builder.call(.flush)
    builder.answer(first, 200)
    builder.exchange(["b"], 200)
    expectHealthy(builder, antecedent: "INV-04")
  }

  @Test("a request during another is found")
  func overlap() {
    let builder = WireHistory()
    builder.launch()
    builder.load()
    let first = builder.batch(["a"])
    let second = builder.batch(["b"])
    let index = builder.last
    builder.answer(first, 200)
    builder.answer(second, 200)
    expectFinding("INV-04 a batch request starts while another is in flight", at: index, builder)
  }

  @Test("what a dead process had in flight, and what was cancelled, does not count")
  func otherProcess() {
    let builder = WireHistory()
    builder.launch()
    builder.load()
    builder.batch(["a"])
    builder.end()
    builder.launch()
    builder.load()
    let second = builder.batch(["a"])
    builder.add(.exchangeCancelled(exchange: second))
    builder.wait(.seconds(9))
    builder.exchange(["b"], 200)
    #expect(judgeWire(builder).findings.isEmpty)
  }
}
