import FuzzHistory
import FuzzProperty
import FuzzScenario
import SimKernel

/// Any scenario that a file can say, for property tests.
enum AnyScenario {
  private static let word = Generator<String>.text(0...6)
  private static let span = Generator<Int64>.integer(in: 0...94_000_000_000_000_000)
    .map { TimeSpan(nanoseconds: $0) }
  private static let flag = Generator<Bool>.bool.optional
  private static let count = Generator<Int>.integer(in: 0...1_000)

  static let value: Generator<PropertyValue> = value(depth: 0)

  private static func value(depth: Int) -> Generator<PropertyValue> {
    Generator<PropertyValue> { (choices) throws(Rejection) in
      switch try choices.chooseEvenly(through: depth < 4 ? 17 : 13) {
      case 0: return .null
      case 1: return .bool(try Generator<Bool>.bool.value(from: &choices))
      case 2: return .int(try Generator<Int64>.anyInteger.value(from: &choices))
      case 3: return .unsigned(try Generator<UInt64>.anyInteger.value(from: &choices))
      case 4: return .double(bits: try bits(&choices))
      case 5: return .string(try text(&choices))
      case 6:
        return .date(
          milliseconds: try Generator<Int64>.integer(
            in: -8_640_000_000_000_000...8_640_000_000_000_000
          ).value(from: &choices))
      case 7: return .url(try word.value(from: &choices))
      case 8: return .data(try Generator<UInt8>.anyInteger.array().value(from: &choices))
      case 9: return .boxedBool(try Generator<Bool>.bool.value(from: &choices))
      case 10: return .boxedInt(try Generator<Int64>.anyInteger.value(from: &choices))
      case 11: return .boxedDouble(bits: try bits(&choices))
      case 12: return .nested(depth: try count.value(from: &choices))
      case 13:
        let plain: [PropertyValue] = [.opaque, .numberKeyed, .optional(nil)]
        return plain[Int(try choices.chooseEvenly(through: 2))]
      case 14: return .optional(try value(depth: depth + 1).value(from: &choices))
      case 15, 16: return .array(try value(depth: depth + 1).array(0...3).value(from: &choices))
      default: return .object(try entries(depth: depth + 1).value(from: &choices))
      }
    }
  }

  private static func bits(_ choices: inout Choices) throws(Rejection) -> UInt64 {
    try Generator<Double>.anyDouble.value(from: &choices).bitPattern
  }

  /// Some texts are long repetitions, which files write in another way.
  private static func text(_ choices: inout Choices) throws(Rejection) -> String {
    let unit = try word.value(from: &choices)
    guard try choices.flip(Ratio(1, 4)) else { return unit }
    return String(repeating: unit, count: Int(try choices.choose(through: 300)))
  }

  private static func entries(depth: Int) -> Generator<[PropertyEntry]> {
    FuzzProperty.zip(word, value(depth: depth)).array(0...4).map { pairs in
      var entries: [PropertyEntry] = []
      for (key, value) in pairs
      where !entries.contains(where: { $0.key.utf8.elementsEqual(key.utf8) }) {
        entries.append(PropertyEntry(key, value))
      }
      return entries
    }
  }

  private static let options = Generator<HostOptions> { (choices) throws(Rejection) in
    var options = HostOptions()
    options.host = try word.optional.value(from: &choices)
    options.consent = try Generator.element(of: HostOptions.ConsentMode.allCases).optional
      .value(from: &choices)
    options.debug = try flag.value(from: &choices)
    options.flushAt = try Generator<Int>.anyInteger.optional.value(from: &choices)
    if try choices.flip(Ratio(1, 2)) { options.flushIntervalBits = try bits(&choices) }
    options.maxQueueSize = try Generator<Int>.anyInteger.optional.value(from: &choices)
    if try choices.flip(Ratio(1, 2)) { options.sessionTimeoutMinutesBits = try bits(&choices) }
    options.trackLifecycle = try flag.value(from: &choices)
    options.trackScreens = try flag.value(from: &choices)
    options.captureCrashes = try flag.value(from: &choices)
    options.captureHangs = try flag.value(from: &choices)
    options.collectAppleSearchAds = try flag.value(from: &choices)
    options.collectAdvertisingId = try flag.value(from: &choices)
    options.remoteConfig = try flag.value(from: &choices)
    return options
  }

  static let call = Generator<HostCall> { (choices) throws(Rejection) in
    let id = word.optional
    switch try choices.chooseEvenly(through: 10) {
    case 0: return .flush
    case 1: return .reset
    case 2: return .getAnonymousId
    case 3: return .getContext
    case 4:
      return .consent(
        analytics: try flag.value(from: &choices), marketing: try flag.value(from: &choices))
    case 5:
      return .alias(
        userId: try word.value(from: &choices), previousId: try id.value(from: &choices))
    case 6:
      return .load(
        writeKey: try word.value(from: &choices), options: try options.value(from: &choices))
    case 7:
      return .screen(
        name: try word.value(from: &choices),
        properties: try entries(depth: 0).value(from: &choices))
    case 8:
      return .identify(
        userId: try id.value(from: &choices), traits: try entries(depth: 0).value(from: &choices))
    case 9:
      return .group(
        groupId: try word.value(from: &choices),
        traits: try entries(depth: 0).value(from: &choices))
    default:
      return .track(
        event: try word.value(from: &choices),
        properties: try entries(depth: 0).value(from: &choices),
        messageId: try id.value(from: &choices))
    }
  }

  private static let file = Generator<FileSelector>.oneOf(
    .always(.newestQueueFile), count.map { .queueFile($0) }, word.map { .path($0) })

  private static let kind = Generator<ActionKind> { (choices) throws(Rejection) in
    if try choices.flip(Ratio(1, 10)) {
      return .repeated(
        Repetition(
          times: try count.value(from: &choices) + 1,
          steps: try step.array(0...3).value(from: &choices)))
    }
    return try single.value(from: &choices)
  }

  private static let step = FuzzProperty.zip(delays(3_000_000), single).map {
    Repetition.Step(waitMicroseconds: $0, kind: $1)
  }

  private static let single = Generator<ActionKind> { (choices) throws(Rejection) in
    switch try choices.chooseEvenly(through: 29) {
    case 0: return .foreground
    case 1: return .background
    case 2: return .launch(try any(LaunchKind.self, &choices))
    case 3: return .overlay(try span.value(from: &choices))
    case 4: return .end(try any(EndCause.self, &choices))
    case 5: return .link(try any(LinkKind.self, &choices))
    case 6:
      return .stepWallClock(
        TimeSpan(
          nanoseconds: try Generator<Int64>.integer(
            in: -3_000_000_000_000_000_000...3_000_000_000_000_000_000
          ).value(from: &choices)))
    case 7:
      return .setWallClock(
        milliseconds: try Generator<Int64>.integer(in: -2_000_000_000_000...9_000_000_000_000)
          .value(from: &choices))
    case 8:
      return .locale(try word.value(from: &choices), zone: try word.value(from: &choices))
    case 9:
      return .update(version: try word.value(from: &choices), build: try word.value(from: &choices))
    case 10:
      return .damage(try file.value(from: &choices), try any(FileDamage.self, &choices))
    case 11: return .diskRoom(bytes: try count.optional.value(from: &choices))
    case 12:
      return .access(
        try file.value(from: &choices), denied: try Generator<Bool>.bool.value(from: &choices))
    case 13:
      return .patch(
        try file.value(from: &choices), offset: try count.value(from: &choices),
        bytes: try Generator<UInt8>.anyInteger.array(0...4).value(from: &choices))
    case 14: return .lock
    case 15: return .unlock
    case 16: return .reboot(off: try span.value(from: &choices))
    case 17: return .powerLoss(off: try span.value(from: &choices))
    case 18:
      return .install(
        try any(InstallKind.self, &choices), version: try word.value(from: &choices),
        build: try word.value(from: &choices))
    case 19:
      return .drift(
        partsPerMillion: try Generator<Int64>.integer(in: -100_000...100_000)
          .value(from: &choices))
    case 20: return .extensionRuns(try span.value(from: &choices))
    case 21: return .openScene
    case 22: return .appear(try controller.array(0...3).value(from: &choices))
    case 23: return .tracking(try any(TrackingState.self, &choices))
    case 24:
      return .systemUpdate(
        version: try word.value(from: &choices), off: try span.value(from: &choices))
    case 26:
      return .resize(
        ScreenSize(
          width: UInt32(try count.value(from: &choices)) + 1,
          height: UInt32(try count.value(from: &choices)) + 1))
    case 25:
      return .newDevice(
        model: try word.value(from: &choices), advertisingId: try word.value(from: &choices))
    default:
      let thread = try Generator<UInt16>.anyInteger.value(from: &choices)
      return .call(thread: thread, try call.value(from: &choices))
    }
  }

  private static let controllerClass = FuzzProperty.zip(word, Generator<Bool>.bool).map {
    ControllerClass($0.isEmpty || $0.contains("/") ? "A.B" : $0, isFromApple: $1)
  }

  private static let controller = FuzzProperty.zip(
    word.optional, controllerClass.array(0...2), controllerClass.array(0...2).array(0...2)
  ).map { ViewController(title: $0, classes: $1, parents: $2) }

  private static func any<Word: CaseIterable & Sendable>(
    _ type: Word.Type, _ choices: inout Choices
  ) throws(Rejection) -> Word {
    try Generator.element(of: Array(Word.allCases)).value(from: &choices)
  }

  private static let moment = Generator<Moment> { (choices) throws(Rejection) in
    if try !choices.flip(Ratio(1, 3)) { return .at(try span.value(from: &choices)) }
    return .after(
      Trigger(
        try any(WorldEvent.self, &choices), occurrence: try count.value(from: &choices) + 1,
        plus: try span.value(from: &choices), plusDiskSteps: try count.value(from: &choices)))
  }

  static let actions: Generator<[Action]> = FuzzProperty.zip(
    Generator<UInt32>.integer(in: 1...9), moment, kind
  ).array(0...8).map { parts in
    var id: UInt32 = 0
    return parts.map { step, moment, kind in
      id += step
      return Action(id: id, moment: moment, kind: kind)
    }
  }

  private static let fault = Generator<FaultSetting> { (choices) throws(Rejection) in
    let entry = FaultCatalogue.entry(try any(FaultKind.self, &choices))
    let denominator = try Generator<UInt64>.integer(in: 1...10_000).value(from: &choices)
    let numerator = try choices.choose(through: denominator)
    var setting = FaultSetting(entry.kind, chance: Ratio(numerator, denominator))
    if try choices.flip(Ratio(1, 3)) {
      let first = try span.value(from: &choices)
      let second = try span.value(from: &choices)
      setting.from = min(first, second)
      setting.until = max(first, second)
    }
    if entry.unit != .none, try choices.flip(Ratio(1, 2)) {
      setting.amount = try Generator<Int64>.integer(in: entry.range).value(from: &choices)
    }
    return setting
  }

  private static let rule = Generator<ServerRule> { (choices) throws(Rejection) in
    var rule = ServerRule(host: try any(HostKind.self, &choices))
    rule.first = try count.value(from: &choices) + 1
    rule.count = try count.map { $0 + 1 }.optional.value(from: &choices)
    switch try choices.chooseEvenly(through: 2) {
    case 0: rule.condition = .always
    case 1: rule.condition = .bodyLargerThan(bytes: try count.value(from: &choices))
    default: rule.condition = .bodyContains(try word.value(from: &choices))
    }
    rule.answer.fault = try Generator.element(of: FaultKind.allCases).optional.value(from: &choices)
    rule.answer.status = try Generator<UInt16>.integer(in: 200...599).value(from: &choices)
    rule.answer.headers = try word.array(0...2).value(from: &choices)
    rule.answer.body = try Generator<ScriptedAnswer.Body>.oneOf(
      .element(of: [.healthy, .empty, .warning, .html, .garbage]),
      count.map { .rejecting(count: $0) }, word.map { .text($0) }
    ).value(from: &choices)
    rule.answer.delayMilliseconds = try Generator<Int64>.integer(in: 0...86_400_000).optional
      .value(from: &choices)
    return rule
  }

  private static let selection = Generator<Expectation.Selection>.oneOf(
    .always(.all), word.map { .named($0) }, word.map { .containing($0) })

  private static let frequency = FuzzProperty.zip(count, count.optional, span.optional).map {
    Expectation.Frequency(atLeast: $0, atMost: $1 ?? .max, from: $2, until: $2)
  }

  private static let expectation = Generator<Expectation>.oneOf(
    .always(.quiet),
    FuzzProperty.zip(selection, count, span.optional).map { .stored($0, times: $1, by: $2) },
    FuzzProperty.zip(word, selection, count).map { .distinct(member: $0, $1, values: $2) },
    FuzzProperty.zip(word, frequency).map { .diskChanges(containing: $0, $1) },
    FuzzProperty.zip(word, count).map { .lost(reason: $0, times: $1) },
    frequency.map { .requests(.collector, $0) }, frequency.map { .attempts(.config, $0) },
    word.array(0...3).map { .order(names: $0) })

  private static func delays(_ bound: Int64) -> Generator<ClosedRange<Int64>> {
    let number = Generator<Int64>.integer(in: 0...bound)
    return FuzzProperty.zip(number, number).map { min($0, $1)...max($0, $1) }
  }

  private static func timing(_ choices: inout Choices) throws(Rejection) -> Timing {
    var timing = Timing()
    timing.handOffMicroseconds = try delays(3_600_000_000).value(from: &choices)
    timing.diskStepMicroseconds = try delays(3_600_000_000).value(from: &choices)
    timing.networkMilliseconds = try delays(3_600_000).value(from: &choices)
    timing.serverMilliseconds = try delays(3_600_000).value(from: &choices)
    return timing
  }

  private static let start = Generator<AppStart?> { (choices) throws(Rejection) in
    guard try choices.flip(Ratio(3, 4)) else { return nil }
    var start = AppStart()
    start.writeKey = try word.value(from: &choices)
    start.options = try options.value(from: &choices)
    start.afterMilliseconds = try Generator<Int64>.integer(in: 0...86_400_000)
      .value(from: &choices)
    return start
  }

  private static func config(_ choices: inout Choices) throws(Rejection) -> ConfigAnswer {
    var config = ConfigAnswer()
    config.consentMode = try word.optional.value(from: &choices)
    config.sessionTimeoutMinutes = try count.optional.value(from: &choices)
    config.test = try flag.value(from: &choices)
    config.pageviews = try flag.value(from: &choices)
    config.pageleave = try flag.value(from: &choices)
    config.errors = try flag.value(from: &choices)
    return config
  }

  private static func device(_ choices: inout Choices) throws(Rejection) -> DeviceDescription {
    var device = DeviceDescription()
    device.appName = try word.value(from: &choices)
    device.appNamespace = try word.value(from: &choices)
    device.deviceType = try word.value(from: &choices)
    device.deviceManufacturer = try word.value(from: &choices)
    device.deviceModel = try word.value(from: &choices)
    device.systemName = try word.value(from: &choices)
    device.systemVersion = try word.value(from: &choices)
    device.screenWidth = try count.value(from: &choices) + 1
    device.screenHeight = try count.value(from: &choices) + 1
    return device
  }

  static let scenario = Generator<Scenario> { (choices) throws(Rejection) in
    var scenario = Scenario()
    scenario.name = try word.value(from: &choices)
    scenario.why = try word.value(from: &choices)
    if try choices.flip(Ratio(1, 2)) {
      scenario.provenance = Provenance(
        seed: try Generator<UInt64>.anyInteger.value(from: &choices),
        profile: try word.value(from: &choices), build: try word.value(from: &choices))
    }
    scenario.randomness = try Generator<UInt64>.anyInteger.value(from: &choices)
    scenario.epochMilliseconds = try Generator<Int64>.integer(
      in: 1_767_225_600_000...4_102_444_799_999
    ).value(from: &choices)
    scenario.duration = try span.value(from: &choices)
    scenario.isCalm = try Generator<Bool>.bool.value(from: &choices)
    scenario.device = try device(&choices)
    scenario.locale = try word.value(from: &choices)
    scenario.timeZone = try word.value(from: &choices)
    scenario.link = try any(LinkKind.self, &choices)
    scenario.appVersion = try word.value(from: &choices)
    scenario.appBuild = try word.value(from: &choices)
    scenario.appStyle = try any(AppStyle.self, &choices)
    scenario.hasSharedGroup = try Generator<Bool>.bool.value(from: &choices)
    scenario.start = try start.value(from: &choices)
    scenario.timing = try timing(&choices)
    scenario.config = try config(&choices)
    scenario.attribution.delay = try count.map { Int64($0) }.value(from: &choices)
    scenario.faults = try fault.array(0...3).value(from: &choices)
    scenario.rules = try rule.array(0...3).value(from: &choices)
    scenario.actions = try actions.value(from: &choices)
    scenario.expect = try expectation.array(0...3).value(from: &choices)
    return scenario
  }
}
