import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-44: the times of a view")
struct INV44Tests {
  private func judge(_ old: String = "", _ new: String = "") -> (Judgement, Instant) {
    let builder = StoryBuilder.loaded()
    let messages = builder.twoScreens().map { message in
      StoryBuilder.Message(
        id: message.id, text: old.isEmpty ? message.text : message.text.replacing(old, with: new))
    }
    let instant = builder.now
    builder.deliver(messages)
    builder.calm()
    return (ModelRules.judge(builder), instant)
  }

  @Test("foreground and all time, to the millisecond")
  func healthy() {
    let (judgement, _) = judge()
    #expect(judgement.findings == [])
    #expect(judgement.antecedents["INV-44"] == 1)
  }

  @Test(
    "other times fire; they are not what is due (INV-01)",
    arguments: [
      ("\"active_ms\":7000", "\"active_ms\":7002"), ("\"active_ms\":7000", "\"active_ms\":17000"),
      ("\"total_ms\":17000", "\"total_ms\":7000"), ("\"total_ms\":17000", "\"total_ms\":17002"),
    ])
  func wrong(old: String, new: String) {
    let (judgement, instant) = judge(old, new)
    #expect(judgement.fired == ["INV-01", "INV-44"])
    #expect(judgement.findings.allSatisfy { $0.instant == instant })
  }

  @Test("more foreground than time in all fires twice")
  func above() {
    let (judgement, _) = judge("\"active_ms\":7000", "\"active_ms\":17500")
    #expect(judgement.findings.filter { $0.invariant == "INV-44" }.count == 2)
  }
}
