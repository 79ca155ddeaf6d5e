import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-46: screens of controllers that appear")
struct INV46Tests {
  private func judge(
    tracks: Bool = true, answer: String = "{}", hooks: Int = 1,
    _ controllers: [ViewController], screens: [String]
  ) -> (judgement: Judgement, instant: Instant) {
    let builder = StoryBuilder()
    builder.launch()
    var options = HostOptions()
    options.consent = .required
    options.trackScreens = tracks
    builder.beginLoad(options)
    for _ in 0..<hooks { builder.record(.appearancesHooked) }
    builder.finishConfig(answer)
    builder.pass(.seconds(1))
    for controller in controllers { builder.appear(controller) }
    let messages = screens.map { builder.screenMessage($0) }
    let instant = builder.now
    if !messages.isEmpty { builder.deliver(messages) }
    builder.calm()
    return (ModelRules.judge(builder), instant)
  }

  @Test("a controller with a title, one without, and its container")
  func healthy() {
    let (judgement, _) = judge(
      [
        StoryBuilder.controller("Kiosk.Home"), StoryBuilder.controller("Kiosk.Cart", title: "Cart"),
        StoryBuilder.navigation,
      ], screens: ["Home", "Cart"])
    #expect(judgement.findings == [])
    #expect(judgement.antecedents["INV-46"] == 1)
  }

  @Test("a screen of a container, or of a part of another controller, fires")
  func ineligible() {
    let (first, instant) = judge([StoryBuilder.navigation], screens: ["UINavigationController"])
    #expect(first.fired == ["INV-46"])
    #expect(first.findings.first?.instant == instant)
    let part = StoryBuilder.controller(
      "Kiosk.Part", parents: [StoryBuilder.controller("Kiosk.Drawer").classes])
    #expect(judge([part], screens: ["Part"]).judgement.fired == ["INV-46"])
  }

  @Test("a screen although option or switch is off fires")
  func off() {
    let home = StoryBuilder.controller("Kiosk.Home")
    #expect(judge(tracks: false, hooks: 0, [home], screens: ["Home"]).judgement.fired == ["INV-46"])
    let switched = judge(answer: "{\"capture\":{\"pageviews\":false}}", [home], screens: ["Home"])
      .judgement
    #expect(switched.fired == ["INV-46"])
    #expect(switched.findings.first?.signature.hasSuffix("although switched off") == true)
  }

  @Test("a second hook, and one that nobody needs, fire")
  func hooks() {
    #expect(judge(hooks: 2, [], screens: []).judgement.fired == ["INV-46"])
    #expect(judge(tracks: false, hooks: 1, [], screens: []).judgement.fired == ["INV-46"])
  }
}
