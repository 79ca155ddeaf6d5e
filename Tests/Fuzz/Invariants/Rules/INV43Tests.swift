import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-43: one screen, one last leave, one leave for each way to the background")
struct INV43Tests {
  private func judge(
    _ edit: (inout [StoryBuilder.Message], StoryBuilder) -> Void = { _, _ in }
  ) -> (judgement: Judgement, instant: Instant) {
    let builder = StoryBuilder.loaded()
    var messages = builder.twoScreens()
    edit(&messages, builder)
    let instant = builder.now
    builder.deliver(messages)
    builder.calm()
    return (ModelRules.judge(builder), instant)
  }

  @Test("a view that is left for a while and then for good")
  func healthy() {
    let (judgement, _) = judge()
    #expect(judgement.findings == [])
    #expect(judgement.antecedents["INV-43"] == 2)
  }

  @Test("a second last leave fires")
  func twice() {
    let (judgement, instant) = judge { messages, builder in
      let view = messages[2].text.split(separator: "pageview_id\":\"")[1].prefix(36)
      messages.append(builder.leave(String(view), path: "/A", active: 7_000, total: 17_000))
    }
    #expect(judgement.fired == ["INV-43"])
    #expect(judgement.findings.first?.instant == instant)
  }

  @Test("two screens with one id fire")
  func shared() {
    let (judgement, instant) = judge { messages, _ in
      func view(_ text: String) -> String {
        String(text.split(separator: "pageview_id\":\"")[1].prefix(36))
      }
      messages[3].text = messages[3].text.replacing(
        view(messages[3].text), with: view(messages[0].text))
    }
    #expect(judgement.fired == ["INV-43"])
    #expect(judgement.findings.first?.instant == instant)
  }

  @Test("the path of another view fires; it is not what is due (INV-01)")
  func path() {
    let (judgement, instant) = judge { messages, _ in
      messages[2].text = messages[2].text.replacing("\"path\":\"/A\"", with: "\"path\":\"/B\"")
    }
    #expect(judgement.fired == ["INV-01", "INV-43"])
    #expect(judgement.findings.allSatisfy { $0.instant == instant })
  }
}
