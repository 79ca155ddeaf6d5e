import FuzzHistory
import SimKernel
import Testing

@testable import FuzzInvariants

@Suite("INV-30: no hardware identity")
struct INV30Tests {
  private static let vendor = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"

  private func start() -> WireHistory {
    let builder = WireHistory(canaries: [Canary(kind: .vendorId, text: INV30Tests.vendor)])
    builder.launch()
    builder.load()
    return builder
  }

  private func causes(_ builder: WireHistory) -> [String] {
    Judge.judge(builder.history, with: [INV30()]).findings.map(\.signature)
  }

  @Test("a message without an id of the device is healthy")
  func healthy() {
    let builder = start()
    builder.add(.identityAsked(.advertisingId))
    builder.batch(["m"])
    #expect(causes(builder) == [])
    #expect(Judge.judge(builder.history, with: [INV30()]).antecedents["INV-30"] == 1)
  }

  @Test("a hardware id that is asked for, and a prompt, fire (PRV-01, CON-22)")
  func asked() {
    let builder = start()
    builder.add(.identityAsked(.vendorId))
    builder.add(.identityAsked(.trackingPrompt))
    #expect(
      causes(builder) == [
        "INV-30 a hardware id is asked for", "INV-30 the user is asked about tracking",
      ])
  }

  @Test("a key device.id and the id itself fire")
  func sent() {
    let builder = start()
    let message = builder.message("m").replacing(
      "\"context\":{", with: "\"context\":{\"device\":{\"id\":\"\(INV30Tests.vendor)\"},")
    builder.batch(messages: [message])
    #expect(
      causes(builder) == [
        "INV-30 a message names the device by an id", "INV-30 a hardware id leaks",
      ])
  }
}
