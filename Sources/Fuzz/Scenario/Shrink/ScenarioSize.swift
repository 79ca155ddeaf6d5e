import FuzzHistory
import SimKernel

/// How large a scenario is: first by what happens, then by how much there is to read, then by time.
public struct ScenarioSize: Comparable, Hashable, Sendable {
  /// Actions, faults, rules and expectations.
  public var elements: Int
  /// What stands in them, and all that is not as usual.
  public var detail: Int
  /// Nanoseconds of all instants and windows together, saturating.
  public var time: Int64

  public static func < (left: ScenarioSize, right: ScenarioSize) -> Bool {
    if left.elements != right.elements { return left.elements < right.elements }
    if left.detail != right.detail { return left.detail < right.detail }
    return left.time < right.time
  }

  public init(_ scenario: Scenario) {
    elements =
      scenario.actions.count + scenario.faults.count + scenario.rules.count + scenario.expect.count
    detail = ScenarioSize.surroundings(scenario)
    time = scenario.duration.nanoseconds
    for action in scenario.actions {
      detail += ScenarioSize.detail(action.kind)
      switch action.moment {
      case .at(let span): add(span)
      case .after(let trigger):
        detail += 1 + trigger.occurrence + (trigger.plus == .zero ? 0 : 1) + trigger.plusDiskSteps
        add(trigger.plus)
      }
    }
    for fault in scenario.faults {
      detail +=
        (fault.chance == .always ? 0 : 1) + (fault.from == nil ? 0 : 1)
        + (fault.until == nil ? 0 : 1) + (fault.amount == nil ? 0 : 1)
      if let until = fault.until { add(until - (fault.from ?? .zero)) }
    }
    for rule in scenario.rules { detail += ScenarioSize.detail(rule) }
  }

  private mutating func add(_ span: TimeSpan) {
    let (sum, overflows) = time.addingReportingOverflow(span.nanoseconds)
    time = overflows ? .max : sum
  }

  private static func surroundings(_ scenario: Scenario) -> Int {
    let fresh = Scenario()
    var detail = scenario.isCalm ? 1 : 0
    if let start = scenario.start {
      detail += self.detail(start.options) + (start.writeKey == AppStart().writeKey ? 0 : 1)
      detail += start.afterMilliseconds == AppStart().afterMilliseconds ? 0 : 1
    } else {
      detail += 1
    }
    detail += scenario.device == fresh.device ? 0 : 1
    detail += scenario.locale == fresh.locale ? 0 : 1
    detail += scenario.timeZone == fresh.timeZone ? 0 : 1
    detail += scenario.link == fresh.link ? 0 : 1
    detail += scenario.appVersion == fresh.appVersion ? 0 : 1
    detail += scenario.appStyle == fresh.appStyle ? 0 : 1
    detail += scenario.hasSharedGroup ? 1 : 0
    detail += (scenario.earlierReporter ? 1 : 0) + (scenario.laterReporter ? 1 : 0)
    detail += scenario.appBuild == fresh.appBuild ? 0 : 1
    detail += scenario.epochMilliseconds == fresh.epochMilliseconds ? 0 : 1
    detail += self.detail(scenario.config)
    detail += self.detail(scenario.attribution)
    if scenario.distribution != .appStore { detail += 1 }
    if scenario.collector != nil { detail += 1 }
    if scenario.tracking != .notDetermined { detail += self.detail(scenario.tracking) }
    return detail + self.detail(scenario.timing)
  }

  /// Fixed delays are the simplest, then the usual ones.
  private static func detail(_ timing: Timing) -> Int {
    timing == .simplest ? 0 : timing.isFixed ? 1 : timing == Timing() ? 2 : 3
  }

  private static func detail(_ config: ConfigAnswer) -> Int {
    [
      config.consentMode != nil, config.sessionTimeoutMinutes != nil, config.test != nil,
      config.pageviews != nil, config.pageleave != nil, config.errors != nil,
    ].count { $0 }
  }

  static func detail(_ options: HostOptions) -> Int {
    var detail = OptionField.all.count { $0.isSet(options) }
    // A number that needs fewer digits is the simpler one.
    for number in [options.flushAt, options.maxQueueSize] {
      if let number { detail += digits(number.magnitude) }
    }
    return detail
  }

  static func digits(_ number: some BinaryInteger) -> Int { String(number).utf8.count }

  private static func detail(_ source: AttributionSource) -> Int {
    let fresh = AttributionSource()
    return [
      !source.token.isEmpty, source.isNever, source.delay != fresh.delay,
      source.answer != fresh.answer,
    ].count { $0 }
  }

  /// Whoever denies has the fewest of his ids told.
  private static func detail(_ state: TrackingState) -> Int {
    switch state {
    case .denied: return 1
    case .authorized: return 2
    case .restricted, .notDetermined: return 3
    }
  }

  private static func detail(_ rule: ServerRule) -> Int {
    var detail = rule.first + (rule.count ?? 0) + rule.answer.headers.count
    detail += rule.condition == .always ? 0 : 1
    detail += rule.answer.delayMilliseconds == nil ? 0 : 1
    detail += (rule.answer.status == 200 ? 0 : 1) + (rule.answer.fault == nil ? 0 : 1)
    switch rule.answer.body {
    case .healthy: return detail
    case .empty: return detail + 1
    default: return detail + 2
    }
  }

  private static func detail(_ kind: ActionKind) -> Int {
    switch kind {
    case .call(let thread, let call): return (thread == 0 ? 0 : 1) + detail(call)
    case .launch(let launch): return launch == .foreground ? 0 : 1
    case .crash(let plan): return detail(plan)
    case .lock, .unlock, .update, .openScene: return 1
    // Short and simple is small: an update rather than a reinstall, a reboot rather than a power
    // loss.
    case .reboot(let off): return 2 + digits(max(off.nanoseconds, 0))
    case .powerLoss(let off): return 3 + digits(max(off.nanoseconds, 0))
    case .install(let kind, _, _): return kind == .update ? 2 : 3
    case .drift(let rate): return 1 + digits(rate.magnitude)
    case .blockMain(let span, let stack):
      return 3 + digits(max(span.nanoseconds, 0))
        + stack.reduce(0) { $0 + 1 + $1.image.utf8.count + $1.symbol.utf8.count }
    case .spinMain(let span): return 2 + digits(max(span.nanoseconds, 0))
    case .debugger: return 2
    case .extensionRuns(let span): return 2 + digits(max(span.nanoseconds, 0))
    case .appear(let controllers): return controllers.reduce(0) { $0 + detail($1) }
    case .systemUpdate(let version, let off):
      return 4 + digits(max(off.nanoseconds, 0))
        + unusual(version, DeviceDescription().systemVersion)
    case .newDevice(let model, let advertisingId):
      let usual = DeviceDescription()
      return 4 + unusual(model, usual.deviceModel) + unusual(advertisingId, usual.advertisingId)
    case .tracking(let state): return 1 + detail(state)
    case .resize(let size): return detail(size)
    case .repeated(let repetition):
      return repetition.times + repetition.steps.reduce(0) { $0 + 1 + detail($1.kind) }
    default: return 0
    }
  }

  /// What a text counts that may be as usual.
  private static func unusual(_ text: String, _ usual: String) -> Int {
    text == usual ? 0 : 1 + text.utf8.count
  }

  /// The usual size, then the usual one turned, then any other.
  private static func detail(_ size: ScreenSize) -> Int {
    let usual = DeviceDescription().screenSize
    if size == usual { return 1 }
    if size.width == usual.height, size.height == usual.width { return 2 }
    return 3 + digits(size.width) + digits(size.height)
  }

  private static func detail(_ controller: ViewController) -> Int {
    3 + (controller.title?.utf8.count ?? 0) + controller.classes.count
      + controller.parents.reduce(0) { $0 + 1 + $1.count }
  }

  /// A signal on the main thread is the simplest crash.
  private static func detail(_ plan: CrashPlan) -> Int {
    var detail = 2 + (plan.kind == .exception ? 2 : 0) + (plan.thread == 0 ? 0 : 1)
    detail += plan.threadName.utf8.count + plan.name.utf8.count + plan.reason.utf8.count
    detail += plan.frames.reduce(0) { $0 + 2 + $1.symbol.utf8.count + ($1.offset == 0 ? 0 : 1) }
    detail += (plan.isStackOverflow ? 1 : 0) + (plan.crashesAgain ? 1 : 0)
    return detail + (plan.killedAfterBytes.map { 1 + digits($0) } ?? 0)
  }

  private static func detail(_ call: HostCall) -> Int {
    switch call {
    case .load(let writeKey, let options): return writeKey.utf8.count + detail(options)
    case .track(let event, let entries, let messageId):
      return 1 + event.utf8.count + detail(entries) + (messageId.map { 1 + $0.utf8.count } ?? 0)
    case .screen(let name, let entries): return 2 + name.utf8.count + detail(entries)
    case .identify(let userId, let entries):
      return 2 + (userId.map { 1 + $0.utf8.count } ?? 0) + detail(entries)
    case .group(let groupId, let entries): return 2 + groupId.utf8.count + detail(entries)
    case .alias(let userId, let previousId):
      return 2 + userId.utf8.count + (previousId.map { 1 + $0.utf8.count } ?? 0)
    case .consent(let analytics, let marketing):
      return (analytics == nil ? 0 : 1) + (marketing == nil ? 0 : 1)
    case .reset, .flush, .getAnonymousId, .getContext: return 0
    }
  }

  static func detail(_ entries: [PropertyEntry]) -> Int {
    entries.reduce(0) { $0 + $1.key.utf8.count + detail($1.value) }
  }

  /// Every value counts at least one; `null` is the simplest.
  static func detail(_ value: PropertyValue) -> Int {
    switch value {
    case .null: return 1
    case .bool(let flag): return flag ? 3 : 2
    case .int(let number): return 3 + digits(number.magnitude) + (number < 0 ? 1 : 0)
    case .unsigned(let number): return 4 + digits(number)
    case .double(let bits): return bits == 0 ? 4 : 40
    case .string(let text): return 3 + text.utf8.count
    case .date(let milliseconds): return 6 + digits(milliseconds.magnitude)
    case .url(let text): return 6 + text.utf8.count
    case .data(let bytes): return 6 + bytes.count
    case .array(let values): return 6 + values.reduce(0) { $0 + detail($1) }
    case .object(let entries): return 6 + detail(entries)
    case .boxedBool, .boxedInt, .boxedDouble: return 41
    case .optional(let inner): return 6 + (inner.map { detail($0) } ?? 0)
    case .opaque, .numberKeyed: return 6
    case .nested(let depth): return 7 + depth
    }
  }
}

extension Timing {
  /// The same short delay every time.
  static let simplest: Timing = {
    var timing = Timing()
    timing.handOffMicroseconds = 100...100
    timing.diskStepMicroseconds = 100...100
    timing.networkMilliseconds = 50...50
    timing.serverMilliseconds = 10...10
    return timing
  }()
}
