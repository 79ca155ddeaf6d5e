import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-25: consent leaves the visitor")
struct INV25Tests {
  private func story(_ mode: HostOptions.ConsentMode, changing: Bool) -> StoryBuilder {
    let builder = StoryBuilder()
    builder.relaunch(reading: .notFound, .mode(mode))
    builder.deliver([builder.track("a")])
    builder.decide(analytics: mode == .required, marketing: nil)
    if changing { builder.anonymousId = builder.drawId() }
    builder.deliver([builder.track("b")])
    builder.reset()
    builder.deliver([builder.track("c")])
    builder.calm()
    return builder
  }

  @Test("grant and revoke keep it, a reset does not", arguments: HostOptions.ConsentMode.allCases)
  func healthy(mode: HostOptions.ConsentMode) {
    let judgement = ModelRules.judge(story(mode, changing: false))
    #expect(judgement.findings == [])
    #expect(judgement.antecedents["INV-25"] == 1)
  }

  @Test("a new visitor with a grant or a revoke", arguments: HostOptions.ConsentMode.allCases)
  func changed(mode: HostOptions.ConsentMode) {
    // It is also another visitor than the call's; under consent that is the install's.
    let fired = ModelRules.judge(story(mode, changing: true)).fired
    #expect(Set(fired) == ["INV-25", mode == .required ? "INV-34" : "INV-01"])
  }
}
