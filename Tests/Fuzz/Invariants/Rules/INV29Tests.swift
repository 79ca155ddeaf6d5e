import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-29: the advertising id goes where it may")
struct INV29Tests {
  private static let id = "6D92078A-8246-4BA4-AE5B-76104861E7DC"

  private func start(_ options: HostOptions = HostOptions()) -> WireHistory {
    let builder = WireHistory(canaries: [Canary(kind: .advertisingId, text: INV29Tests.id)])
    builder.launch()
    builder.load(options)
    return builder
  }

  private func causes(_ builder: WireHistory) -> [String] {
    Judge.judge(builder.history, with: [INV29()]).findings.map(\.signature)
  }

  private var implied: HostOptions {
    var options = HostOptions()
    options.consent = .implied
    return options
  }

  @Test("it may be asked for under marketing consent, and not without (CON-08)")
  func asked() {
    for (options, isAllowed) in [(implied, true), (HostOptions(), false)] {
      let builder = start(options)
      builder.add(.identityAsked(.advertisingId))
      let due = isAllowed ? [] : ["INV-29 the advertising id is asked for without leave"]
      #expect(causes(builder) == due)
    }
  }

  @Test("with the option off nobody asks for it (OPT-17)")
  func optionOff() {
    var options = implied
    options.collectAdvertisingId = false
    let builder = start(options)
    builder.add(.identityAsked(.advertisingId))
    #expect(causes(builder) == ["INV-29 the advertising id is asked for without leave"])
  }

  @Test("it is found on disk and in headers, wherever in the bytes it stands (A-09)")
  func leaks() {
    for before in 0..<30 {
      let builder = start(implied)
      let text = String(repeating: "x", count: before) + INV29Tests.id + "y"
      builder.disk(.append, "/x", bytes: Array(text.utf8))
      builder.batch(["m"], headers: "Cookie: \(text)")
      #expect(
        causes(builder) == [
          "INV-29 the advertising id is on disk", "INV-29 the advertising id is elsewhere",
        ])
    }
  }
}
