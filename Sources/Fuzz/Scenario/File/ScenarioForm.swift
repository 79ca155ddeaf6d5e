import FuzzHistory
import SimKernel

extension Scenario {
  /// What may be the true time at the start: the release of the SDK up to the end of the century.
  private static let epochs: ClosedRange<Int64> = 1_767_225_600_000...4_102_444_799_999

  /// The scenario as JSON, in the order in which people read it.
  var fileValue: JSONValue {
    let fresh = Scenario()
    var writer = FieldWriter()
    writer.add("version", .int(in: 1...1_000), Scenario.currentVersion)
    writer.add("name", .text, name, unless: fresh.name)
    writer.add("why", .text, why, unless: fresh.why)
    writer.add("provenance", .provenance, ifPresent: provenance)
    writer.add("randomness", .bits, randomness, unless: fresh.randomness)
    writer.add(
      "epoch", .moment(in: Scenario.epochs), epochMilliseconds, unless: fresh.epochMilliseconds)
    writer.add("duration", .sinceStart, duration, unless: fresh.duration)
    writer.add("calm", .flag, isCalm, unless: fresh.isCalm)
    writer.add("device", .device, device, unless: fresh.device)
    writer.add("locale", .text, locale, unless: fresh.locale)
    writer.add("time_zone", .text, timeZone, unless: fresh.timeZone)
    writer.add("link", .word, link, unless: fresh.link)
    writer.add("app_version", .text, appVersion, unless: fresh.appVersion)
    writer.add("app_build", .text, appBuild, unless: fresh.appBuild)
    writer.add("app_style", .word, appStyle, unless: fresh.appStyle)
    writer.add("shared_group", .flag, hasSharedGroup, unless: fresh.hasSharedGroup)
    writer.add("earlier_reporter", .flag, earlierReporter, unless: fresh.earlierReporter)
    writer.add("later_reporter", .flag, laterReporter, unless: fresh.laterReporter)
    writer.add("start", .optionalStart, start, unless: fresh.start)
    writer.add("timing", .timing, timing, unless: fresh.timing)
    writer.add("config", .config, config, unless: fresh.config)
    writer.add(
      "distribution", .word(\.rawValue), distribution, unless: fresh.distribution)
    writer.add("tracking", .word, tracking, unless: fresh.tracking)
    writer.add("attribution", .attribution, attribution, unless: fresh.attribution)
    writer.add("collector", .collector, ifPresent: collector)
    writer.add("faults", Form<FaultSetting>.faultSetting.list, faults, unless: fresh.faults)
    writer.add("rules", Form<ServerRule>.rule.list, rules, unless: fresh.rules)
    writer.add("actions", Form<Action>.action.list, actions, unless: fresh.actions)
    writer.add("expect", Form<Expectation>.expectation.list, expect, unless: fresh.expect)
    return writer.value
  }

  /// Reads everything after the version.
  static func read(_ fields: inout FieldReader) throws(ScenarioFileError) -> Scenario {
    let fresh = Scenario()
    var value = fresh
    value.name = try fields.value("name", .text, else: fresh.name)
    value.why = try fields.value("why", .text, else: fresh.why)
    value.provenance = try fields.optional("provenance", .provenance)
    value.randomness = try fields.value("randomness", .bits, else: fresh.randomness)
    value.epochMilliseconds = try fields.value(
      "epoch", .moment(in: epochs), else: fresh.epochMilliseconds)
    value.duration = try fields.value("duration", .sinceStart, else: fresh.duration)
    value.isCalm = try fields.value("calm", .flag, else: fresh.isCalm)
    value.device = try fields.value("device", .device, else: fresh.device)
    value.locale = try fields.value("locale", .text, else: fresh.locale)
    value.timeZone = try fields.value("time_zone", .text, else: fresh.timeZone)
    value.link = try fields.value("link", .word, else: fresh.link)
    value.appVersion = try fields.value("app_version", .text, else: fresh.appVersion)
    value.appBuild = try fields.value("app_build", .text, else: fresh.appBuild)
    value.appStyle = try fields.value("app_style", .word, else: fresh.appStyle)
    value.hasSharedGroup = try fields.value("shared_group", .flag, else: fresh.hasSharedGroup)
    value.earlierReporter = try fields.value(
      "earlier_reporter", .flag, else: fresh.earlierReporter)
    value.laterReporter = try fields.value("later_reporter", .flag, else: fresh.laterReporter)
    value.start = try fields.value("start", .optionalStart, else: fresh.start)
    value.timing = try fields.value("timing", .timing, else: fresh.timing)
    value.config = try fields.value("config", .config, else: fresh.config)
    value.distribution = try fields.value(
      "distribution", .word(\.rawValue), else: fresh.distribution)
    value.tracking = try fields.value("tracking", .word, else: fresh.tracking)
    value.attribution = try fields.value("attribution", .attribution, else: fresh.attribution)
    value.collector = try fields.optional("collector", .collector)
    value.faults = try fields.value("faults", Form<FaultSetting>.faultSetting.list, else: [])
    value.rules = try fields.value("rules", Form<ServerRule>.rule.list, else: [])
    value.actions = try fields.value("actions", Form<Action>.action.list, else: [])
    value.expect = try fields.value("expect", Form<Expectation>.expectation.list, else: [])
    try fields.finish()
    try checkIdentifiers(value.actions)
    return value
  }

  private static func checkIdentifiers(_ actions: [Action]) throws(ScenarioFileError) {
    for index in actions.indices.dropFirst() where actions[index].id <= actions[index - 1].id {
      let place = Place.key(.index(.key(.root, "actions"), index), "id")
      throw place.error(
        "\(actions[index].id) does not come after \(actions[index - 1].id)",
        "give actions rising ids; gaps are fine")
    }
  }
}
