import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-24: without consent each launch is a new visitor")
struct INV24Tests {
  private func story(_ second: HostOptions.ConsentMode, sharing: Bool) -> StoryBuilder {
    let builder = StoryBuilder()
    builder.relaunch(reading: .notFound, .mode(.required))
    builder.deliver([builder.track("a")])
    let visitor = builder.anonymousId
    builder.relaunch(reading: .notFound, .mode(second))
    if sharing { builder.anonymousId = visitor }
    builder.deliver([builder.track("b")])
    builder.calm()
    return builder
  }

  @Test("two launches, two visitors")
  func healthy() {
    let judgement = ModelRules.judge(story(.required, sharing: false))
    #expect(judgement.findings == [])
    #expect(judgement.antecedents["INV-24"] == 1)
  }

  @Test(
    "a visitor of a process without consent comes back",
    arguments: [HostOptions.ConsentMode.required, .implied])
  func shared(mode: HostOptions.ConsentMode) {
    // An id that is not drawn anew differs from what is due, too; under consent it is judged as
    // the install's.
    let fired = ModelRules.judge(story(mode, sharing: true)).fired
    #expect(Set(fired) == ["INV-24", mode == .required ? "INV-01" : "INV-34"])
  }

  @Test("a visitor that was stored under consent may come back")
  func granted() {
    let builder = StoryBuilder()
    builder.relaunch(reading: .notFound, .mode(.required))
    let first = builder.track("a")
    builder.decide(analytics: true, marketing: nil)
    builder.writeInstall()
    builder.deliver([first])
    let (visitor, session) = (builder.anonymousId, builder.sessionId)
    builder.relaunch(.mode(.required))
    builder.analytics = true
    builder.disk(.read, StoryBuilder.install)
    (builder.anonymousId, builder.sessionId, builder.startsSession) = (visitor, session, false)
    builder.deliver([builder.track("b")])
    builder.calm()
    #expect(ModelRules.judge(builder).findings == [])
  }
}
