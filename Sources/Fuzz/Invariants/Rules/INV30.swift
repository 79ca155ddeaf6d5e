import FuzzHistory
import SimKernel

/// No hardware identity leaves the device, and nobody but the app asks whether it may track.
public final class INV30: Invariant {
  static let info = InvariantInfo(
    id: "INV-30",
    statement: "No hardware-id read, no device.id key, no tracking-permission prompt, ever.",
    kind: .safety,
    requirements: ["PRV-01", "CON-22"],
    antecedent: "A message is sent for the first time, with what it says of the device.")

  private var judged = 0

  public init() { super.init(INV30.info, on: [.requestStarted, .disk, .identityAsked]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    switch record.fact {
    case .identityAsked(.vendorId):
      report(
        "a hardware id is asked for", at: record, context,
        "Process \(record.process) asks for the vendor's id of the device.")
    case .identityAsked(.trackingPrompt):
      report(
        "the user is asked about tracking", at: record, context,
        "Process \(record.process) shows the question whether the app may track, which is the app's."
      )
    case .requestStarted: judgeNewMessages(record, context)
    default: break
    }
    for leak in context.leaks.found where leak.canary.kind == .vendorId {
      report(
        "a hardware id leaks", at: record, context,
        "The vendor's id of the device stands in a request or file.")
    }
  }

  private func judgeNewMessages(_ record: Record, _ context: JudgeContext) {
    let messages = context.ledger.messages
    while judged < messages.count {
      antecedent()
      let message = messages[judged]
      judged += 1
      guard message.context.hasDeviceId else { continue }
      report(
        "a message names the device by an id", at: record, context,
        "The message \(context.text(message.fields.messageId)) has a key device.id.")
    }
  }
}
