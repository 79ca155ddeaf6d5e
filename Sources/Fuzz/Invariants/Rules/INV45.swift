import FuzzHistory
import SimKernel

/// What only consent or a switch of the panel allows.
public final class INV45: Invariant {
  static let info = InvariantInfo(
    id: "INV-45",
    statement:
      "No $pageleave, $crash or hang event while analytics or its panel switch is off.",
    kind: .safety,
    requirements: [
      "SCR-08", "CON-07", "CON-13", "CON-14", "OPT-14", "OPT-27", "OPT-28",
    ],
    antecedent:
      "A screen follows another one while views are not timed, or a process crashes while crashes"
      + " may not be captured.")

  /// The process of the newest screen that was not timed.
  private var untimed: Int32 = -1

  public init() { super.init(INV45.info, on: [.requestStarted, .callBegan, .crashed, .disk]) }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    if case .callBegan(let call, _, _, _, _) = record.fact {
      return noteScreen(context.history.calls[Int(call)], record, context)
    }
    judgeCrash(record, context)
    for sighting in context.model.sightings where sighting.isNewContent && !sighting.isRenamed {
      let fields = context.ledger.messages[sighting.wire].fields
      guard fields.isEvent("$pageleave", in: context.arena) else { continue }
      judge(context.ledger.messages[sighting.wire], sighting, record, context)
    }
  }

  private func noteScreen(_ call: HostCall, _ record: Record, _ context: JudgeContext) {
    guard case .screen(let name, _) = call, !name.isEmpty,
      context.model.isStarted(record.process)
    else { return }
    if context.model.timesViews(record.process) {
      untimed = -1
    } else {
      if untimed == record.process { antecedent() }
      untimed = record.process
    }
  }

  private func judge(
    _ message: WireMessage, _ sighting: Sighting, _ record: Record, _ context: JudgeContext
  ) {
    let fields = message.fields
    if !message.context.hasAnalyticsConsent {
      report(
        "$pageleave without analytics consent", at: record, context,
        "The $pageleave \(context.text(fields.messageId)) was made without analytics consent.")
    }
    // What no view explains may come from an earlier process, whose switch may have been another.
    let maker =
      sighting.expected >= 0
      ? context.model.messages[Int(sighting.expected)].process : record.process
    let time = Timestamps.milliseconds(context.bytes(fields.timestamp)) ?? 0
    guard context.model.isStarted(maker), !context.model.options(maker).timesScreens,
      sighting.expected >= 0 || context.model.isOfProcess(maker, milliseconds: time)
    else { return }
    report(
      "$pageleave although the panel's switch is off", at: record, context,
      "The $pageleave \(context.text(fields.messageId)) was made although the panel had switched"
        + " the timing of screens off.")
  }
}
