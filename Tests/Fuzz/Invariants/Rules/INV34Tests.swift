import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-34: one visitor an install")
struct INV34Tests {
  private func judge(_ builder: StoryBuilder) -> Judgement {
    ModelRules.judge(builder)
  }

  private func start() -> StoryBuilder {
    let builder = StoryBuilder()
    builder.launch()
    builder.load()
    builder.deliver([builder.track("a")])
    return builder
  }

  @Test("launches keep it, a reset does not")
  func healthy() {
    let builder = start()
    builder.relaunch()
    builder.deliver([builder.track("b")])
    builder.reset()
    builder.deliver([builder.track("c")])
    builder.relaunch()
    builder.deliver([builder.track("d")])
    builder.calm()
    let judgement = judge(builder)
    #expect(judgement.findings == [])
    #expect(judgement.antecedents["INV-34"] == 3)
  }

  @Test("a new one at a launch fires at the request")
  func newAtLaunch() {
    let builder = start()
    builder.relaunch()
    builder.anonymousId = builder.drawId()
    let message = builder.track("b")
    let instant = builder.now
    builder.deliver([message])
    builder.calm()
    let judgement = judge(builder)
    #expect(judgement.fired == ["INV-34"])
    #expect(judgement.findings.first?.instant == instant)
    #expect(
      judgement.findings.first?.signature
        == "INV-34 another anonymous id than that of the install")
  }

  @Test("a new one within a process fires")
  func newInProcess() {
    let builder = start()
    builder.anonymousId = builder.drawId()
    let instant = builder.now
    builder.deliver([builder.track("b")])
    builder.calm()
    let judgement = judge(builder)
    #expect(judgement.fired == ["INV-34"])
    #expect(judgement.findings.first?.instant == instant)
  }

  @Test("the old one after a reset fires")
  func oldAfterReset() {
    let builder = start()
    let old = builder.anonymousId
    builder.reset()
    builder.anonymousId = old
    builder.deliver([builder.track("b")])
    builder.calm()
    #expect(judge(builder).fired == ["INV-34"])
  }

  @Test("a stored id that is replaced fires at the rename, unless a reset asked for it")
  func storedReplaced() {
    for isReset in [false, true] {
      let builder = start()
      builder.replaceInstall(naming: builder.anonymousId)
      builder.relaunch()
      if isReset { builder.reset() }
      let instant = builder.now
      builder.replaceInstall(naming: isReset ? builder.anonymousId : builder.drawId())
      builder.deliver([builder.track("b")])
      builder.calm()
      let judgement = judge(builder)
      #expect(judgement.fired == (isReset ? [] : ["INV-34"]))
      if !isReset { #expect(judgement.findings.first?.instant == instant) }
    }
  }

  @Test("without consent each process has its own")
  func withoutConsent() {
    let builder = StoryBuilder()
    var options = HostOptions()
    options.consent = .required
    for _ in 0..<2 {
      builder.launch()
      builder.load(options)
      builder.deliver([builder.track("a")])
      builder.pass(.seconds(3))
      builder.end(.memoryKill)
    }
    builder.launch()
    builder.load(options)
    builder.calm()
    let judgement = judge(builder)
    #expect(judgement.findings == [])
    #expect(judgement.antecedents["INV-34"] == nil)
  }
}
