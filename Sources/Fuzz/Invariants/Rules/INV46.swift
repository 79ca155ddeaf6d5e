import FuzzHistory
import SimKernel

/// Screens that the SDK makes of controllers that appear.
public final class INV46: Invariant {
  static let info = InvariantInfo(
    id: "INV-46",
    statement:
      "Automatic screens come only from eligible controllers and only when option and switch are on.",
    kind: .safety,
    requirements: [
      "SCR-09", "SCR-10", "SCR-11", "SCR-12", "SCR-13", "OPT-13", "OPT-26", "C-21", "C-24",
    ],
    antecedent:
      "A controller appears in a loaded process that is no screen, or while they are switched off.")

  /// How often each process hooked the callback.
  private var hooks: [(process: Int32, count: Int)] = []

  public init() {
    super.init(INV46.info, on: [.requestStarted, .controllerAppeared, .appearancesHooked])
  }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    switch record.fact {
    case .appearancesHooked: count(record, context)
    case .controllerAppeared(let controller, _, _):
      guard let options = context.model.screenOptions(record.process) else { return }
      let isScreen =
        context.model.controller(controller).flatMap { ControllerRules.screen($0) } != nil
      if !isScreen || !options.tracksScreens { antecedent() }
    default:
      for sighting in context.model.sightings where sighting.isNewContent && !sighting.isRenamed {
        judge(sighting, record, context)
      }
    }
  }

  private func count(_ record: Record, _ context: JudgeContext) {
    if let place = hooks.firstIndex(where: { $0.process == record.process }) {
      hooks[place].count += 1
      if hooks[place].count == 2 {
        report(
          "the callback is hooked twice", at: record, context,
          "Process \(record.process) hooks the appearance of controllers a second time.")
      }
    } else {
      hooks.append((record.process, 1))
    }
    if context.model.screenOptions(record.process)?.wantsScreens != true {
      report(
        "the callback is hooked although nobody needs it", at: record, context,
        "Process \(record.process) hooks the appearance of controllers without trackScreens.")
    }
  }

  private func judge(_ sighting: Sighting, _ record: Record, _ context: JudgeContext) {
    let fields = context.ledger.messages[sighting.wire].fields
    guard sighting.expected < 0, context.model.isOfController(fields) else { return }
    let isOn = context.model.options(record.process).tracksScreens
    report(
      isOn ? "a screen of a controller that is none" : "an automatic screen although switched off",
      at: record, context,
      "The screen \(context.text(fields.name)) at \(context.text(fields.timestamp)) comes from a"
        + " controller that \(isOn ? "is no screen" : "appeared while they are switched off").")
  }
}
