import FuzzHistory
import SimKernel

/// A set of features.
struct FeatureSet: Hashable, Sendable {
  private var bits: UInt64 = 0

  /// Draws each feature with its weight in a profile, from a stream of its own.
  init(_ source: Randomness, _ profile: Profile) {
    for feature in Feature.allCases
    where source.happens(
      Ratio(profile.eighths(feature), 8), Streams.feature, UInt64(feature.rawValue))
    {
      bits |= 1 << UInt64(feature.rawValue)
    }
  }

  func has(_ feature: Feature) -> Bool { bits & (1 << UInt64(feature.rawValue)) != 0 }

  /// The features in the order of their declaration.
  var all: [Feature] { Feature.allCases.filter(has) }
}

extension Scenario {
  /// The largest seed (A-32).
  public static let largestSeed: UInt64 = (1 << 53) - 1

  /// Generates the scenario of a seed: a pure function of its arguments.
  ///
  /// Each seed draws a random subset of fault families and kinds of actions with random weights;
  /// name and `why` of the scenario say which.
  /// - Parameters:
  ///   - seed: at most `largestSeed`.
  ///   - profile: the distribution to draw from.
  ///   - days: how long the run lasts before the calm; nil draws that too.
  public static func generate(seed: UInt64, profile: Profile, days: Int? = nil) -> Scenario {
    // The profile stays out of the streams: one seed lives through the same visits in each profile,
    // as far as the profile leaves them.
    let source = Randomness(seed: mixBits(seed &+ 0x7369_6d6c_6162))
    let features = FeatureSet(source, profile)
    var scenario = Scenario()
    scenario.provenance = Provenance(seed: seed, profile: profile.name, build: "")
    scenario.randomness = source.bits(Streams.run, 0)
    scenario.isCalm = profile.isCalm
    var runDraw = source.stream(Streams.run, 1)
    scenario.epochMilliseconds = 1_772_000_000_000 + runDraw.within(0...60_000_000_000)

    let options = OptionMaker(
      source: source, profile: profile, hasTinyQueue: features.has(.tinyQueue))
    scenario.device = options.device()
    scenario.timing = options.timing()
    scenario.config = options.config()
    (scenario.distribution, scenario.attribution) = options.attribution(
      hasToken: features.has(.attribution))
    if features.has(.destinations) { scenario.collector = options.collector() }
    if features.has(.tracking) { scenario.tracking = options.tracking() }
    var start = options.start(&scenario.config)
    if features.has(.screens) { options.trackScreens(&start, &scenario.config) }
    scenario.start = start
    (scenario.locale, scenario.timeZone) = Places.pick(&runDraw)
    scenario.link = runDraw.chance(3, in: 4) ? .wifi : .cellular

    if features.has(.scenes), runDraw.chance(2, in: 3) { scenario.appStyle = .scenes }
    scenario.hasSharedGroup = features.has(.sharedGroup)
    if features.has(.crashes) {
      scenario.earlierReporter = source.happens(Ratio(1, 2), Streams.crash, 1)
      scenario.laterReporter = source.happens(Ratio(1, 3), Streams.crash, 2)
    }

    var life = Life(
      source: source, profile: profile, features: features, start: start,
      startsWithAnalytics: scenario.startsWithAnalytics, days: days)
    life.live(epochMilliseconds: scenario.epochMilliseconds, screen: scenario.device.screenSize)
    scenario.duration = .milliseconds(life.durationMilliseconds)
    scenario.start = life.start
    scenario.actions = life.actions()

    scenario.faults =
      FaultMaker(source: source, profile: profile, features: features, duration: scenario.duration)
      .settings() + life.faults
    let rules = RuleMaker(
      source: source, features: features, profile: profile,
      epochMilliseconds: scenario.epochMilliseconds, duration: scenario.duration)
    scenario.rules = rules.rules() + rules.attributionRules()
    scenario.describe(seed: seed, profile: profile, features: features, mix: life.caller.mix)
    return scenario
  }

  /// Whether the first process starts with analytics on, by the app's option or else by the panel.
  public var startsWithAnalytics: Bool {
    if let consent = start?.options.consent { return consent != .required }
    if start?.options.remoteConfig == false { return false }
    return config.consentMode == "implied" || config.consentMode == "none"
  }

  /// Tells in a few words what was drawn.
  private mutating func describe(
    seed: UInt64, profile: Profile, features: FeatureSet, mix: CallMix
  ) {
    let words = features.all.map(\.word)
    name = "\(profile.name) \(seed): " + (words.isEmpty ? "quiet" : words.joined(separator: ", "))
    if let flushAt = start?.options.flushAt { name += "; flushAt \(flushAt)" }
    var parts = [profile.description]
    if !mix.without.isEmpty {
      parts.append("No calls of: " + mix.without.map { "\($0)" }.joined(separator: ", ") + ".")
    }
    parts.append("Starts with analytics \(startsWithAnalytics ? "on" : "off").")
    why = parts.joined(separator: " ")
  }
}

/// Locales and zones that have broken somebody's time or text.
enum Places {
  private static let all: [(locale: String, zone: String)] = [
    ("en-US", "America/New_York"), ("de-DE", "Europe/Berlin"), ("tr-TR", "Europe/Istanbul"),
    ("ar-EG", "Africa/Cairo"), ("th-TH", "Asia/Bangkok"), ("ja-JP-u-ca-japanese", "Asia/Tokyo"),
    ("hi-IN", "Asia/Kolkata"), ("ne-NP", "Asia/Kathmandu"), ("en-AU", "Australia/Lord_Howe"),
    ("mi-NZ", "Pacific/Chatham"), ("fa-IR", "Asia/Tehran"), ("en-GB", "Etc/UTC"),
  ]

  static func pick(_ draw: inout RandomStream) -> (String, String) {
    let place = all[Int(draw.below(UInt64(all.count)))]
    return (place.locale, place.zone)
  }
}
