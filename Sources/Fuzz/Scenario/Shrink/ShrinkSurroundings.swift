import FuzzHistory
import SimKernel

/// One option, told apart from its type.
struct OptionField: Sendable {
  let name: String
  let isSet: @Sendable (HostOptions) -> Bool
  let clear: @Sendable (inout HostOptions) -> Void

  private init<Value: Sendable>(
    _ name: String, _ path: WritableKeyPath<HostOptions, Value?> & Sendable
  ) {
    self.name = name
    isSet = { $0[keyPath: path] != nil }
    clear = { $0[keyPath: path] = nil }
  }

  static let all: [OptionField] = [
    OptionField("host", \.host), OptionField("consent", \.consent), OptionField("debug", \.debug),
    OptionField("flushAt", \.flushAt), OptionField("flushInterval", \.flushIntervalBits),
    OptionField("maxQueueSize", \.maxQueueSize),
    OptionField("sessionTimeoutMinutes", \.sessionTimeoutMinutesBits),
    OptionField("trackLifecycle", \.trackLifecycle), OptionField("trackScreens", \.trackScreens),
    OptionField("captureCrashes", \.captureCrashes), OptionField("captureHangs", \.captureHangs),
    OptionField("collectAppleSearchAds", \.collectAppleSearchAds),
    OptionField("collectAdvertisingId", \.collectAdvertisingId),
    OptionField("remoteConfig", \.remoteConfig),
  ]
}

extension ShrinkPass {
  /// Device, places, versions, panel and delays as usual.
  static func surroundings(_ scenario: Scenario) -> ShrinkPass {
    ShrinkPass(
      "surroundings",
      [
        ShrinkMove("fixed delays") { $0.timing = .simplest },
        ShrinkMove("delays fixed where they are shortest") { scenario in
          scenario.timing.handOffMicroseconds = shortest(scenario.timing.handOffMicroseconds)
          scenario.timing.diskStepMicroseconds = shortest(scenario.timing.diskStepMicroseconds)
          scenario.timing.networkMilliseconds = shortest(scenario.timing.networkMilliseconds)
          scenario.timing.serverMilliseconds = shortest(scenario.timing.serverMilliseconds)
        },
        ShrinkMove("the usual delays") { $0.timing = Timing() },
        ShrinkMove("the usual device") { $0.device = DeviceDescription() },
        ShrinkMove("the usual locale") { $0.locale = Scenario().locale },
        ShrinkMove("the usual time zone") { $0.timeZone = Scenario().timeZone },
        ShrinkMove("Wi-Fi at the start") { $0.link = .wifi },
        ShrinkMove("the usual version") { scenario in
          scenario.appVersion = Scenario().appVersion
          scenario.appBuild = Scenario().appBuild
        },
        ShrinkMove("the usual kind of app") { $0.appStyle = Scenario().appStyle },
        ShrinkMove("a container of its own") { $0.hasSharedGroup = false },
        ShrinkMove("no earlier crash reporter") { $0.earlierReporter = false },
        ShrinkMove("no later crash reporter") { $0.laterReporter = false },
        ShrinkMove("the usual date") { $0.epochMilliseconds = Scenario().epochMilliseconds },
        ShrinkMove("the usual source of the install") { $0.attribution = AttributionSource() },
        ShrinkMove("the usual answer of Apple") {
          $0.attribution.answer = AttributionSource().answer
        },
        ShrinkMove("no token of the install") { $0.attribution.token = "" },
        ShrinkMove("a token that is told") { $0.attribution.isNever = false },
        ShrinkMove("a token after the usual time") {
          $0.attribution.delay = AttributionSource().delay
        },
        ShrinkMove("nothing looked at of the collector") { $0.collector = nil },
        ShrinkMove("a copy from the store") { $0.distribution = .appStore },
        ShrinkMove("an empty panel") { $0.config = ConfigAnswer() },
        ShrinkMove("no consent mode in the panel") { $0.config.consentMode = nil },
        ShrinkMove("no timeout in the panel") { $0.config.sessionTimeoutMinutes = nil },
        ShrinkMove("no test flag in the panel") { $0.config.test = nil },
        ShrinkMove("no pageviews in the panel") { $0.config.pageviews = nil },
        ShrinkMove("no pageleave in the panel") { $0.config.pageleave = nil },
        ShrinkMove("no errors in the panel") { $0.config.errors = nil },
      ])
  }

  private static func shortest(_ range: ClosedRange<Int64>) -> ClosedRange<Int64> {
    range.lowerBound...range.lowerBound
  }

  /// Fewer options, and rounder numbers in them.
  static func options(_ scenario: Scenario) -> ShrinkPass {
    guard let options = scenario.start?.options else {
      return ShrinkPass("options", [ShrinkMove("the usual start") { $0.start = AppStart() }])
    }
    var moves = [
      ShrinkMove("no options") { $0.start?.options = HostOptions() },
      ShrinkMove("the usual key") { $0.start?.writeKey = AppStart().writeKey },
      ShrinkMove("load at the usual time") {
        $0.start?.afterMilliseconds = AppStart().afterMilliseconds
      },
    ]
    for field in OptionField.all where field.isSet(options) {
      moves.append(
        ShrinkMove("no \(field.name)") { scenario in
          if var options = scenario.start?.options {
            field.clear(&options)
            scenario.start?.options = options
          }
        })
    }
    if options.flushAt != nil {
      moves.append(ShrinkMove("flushAt 1") { $0.start?.options.flushAt = 1 })
    }
    if options.maxQueueSize != nil {
      moves.append(ShrinkMove("maxQueueSize 1") { $0.start?.options.maxQueueSize = 1 })
    }
    return ShrinkPass("options", moves)
  }

  static func expectations(_ scenario: Scenario) -> ShrinkPass {
    let expect = scenario.expect
    return ShrinkPass("expectations", count: expect.count) { place in
      ShrinkMove("drop an expectation") { scenario in
        scenario.expect.removeAll { $0 == expect[place] }
      }
    }
  }
}
