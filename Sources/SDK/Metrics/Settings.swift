/// The values in force: option, else panel, else default (OPT-01, C-24); odd ones are put right
/// (S-23).
struct Settings: Equatable, Sendable {
  var mode: PostlipMetrics.Options.ConsentMode
  var flushAt: Int
  var flushIntervalNanoseconds: Int64
  var maxQueueSize: Int
  var sessionTimeoutMinutes: Double
  var sessionTimeoutNanoseconds: Int64 { Int64((sessionTimeoutMinutes * 60_000_000_000).rounded()) }
  var tracksLifecycle: Bool
  /// Whether controllers that appear are screens (OPT-13, OPT-26).
  var tracksScreens: Bool
  /// Whether screen views are timed (OPT-27).
  var timesScreens: Bool
  var collectsAppleSearchAds: Bool
  var collectsAdvertisingId: Bool
  var isTest: Bool
  /// The app's option and the panel's switch together (OPT-14, OPT-28, C-24).
  var capturesCrashes: Bool
  /// The app's option and the panel's switch together (OPT-15, OPT-28, C-24).
  var capturesHangs: Bool

  init(_ options: PostlipMetrics.Options, _ config: RemoteConfig) {
    mode = options.consent ?? config.mode ?? .required
    flushAt = Self.count(options.flushAt, within: 1...20, standard: 20)
    let seconds = Self.span(options.flushInterval, within: 1...3_600, standard: 30)
    flushIntervalNanoseconds = Int64((seconds * 1_000_000_000).rounded())
    maxQueueSize = Self.count(options.maxQueueSize, within: 1...10_000, standard: 1_000)
    let panelTimeout = Self.span(config.sessionTimeoutMinutes, within: 5...240, standard: 30)
    sessionTimeoutMinutes = Self.span(
      options.sessionTimeoutMinutes, within: 5...240, standard: panelTimeout)
    tracksLifecycle = options.trackLifecycle ?? true
    // A switch that is off beats the option (C-24).
    tracksScreens = (options.trackScreens ?? false) && config.capturesPageviews
    timesScreens = config.capturesPageleave
    collectsAppleSearchAds = options.collectAppleSearchAds ?? true
    collectsAdvertisingId = options.collectAdvertisingId ?? true
    isTest = config.isTest
    capturesCrashes = (options.captureCrashes ?? true) && config.capturesErrors
    capturesHangs = (options.captureHangs ?? false) && config.capturesErrors
  }

  /// A count within a range; negative means the standard.
  static func count(_ value: Int?, within range: ClosedRange<Int>, standard: Int) -> Int {
    guard let value, value >= 0 else { return standard }
    return min(max(value, range.lowerBound), range.upperBound)
  }

  /// A span within a range; NaN or negative means the standard.
  static func span(_ value: Double?, within range: ClosedRange<Double>, standard: Double)
    -> Double
  {
    guard let value, value >= 0 else { return standard }
    return min(max(value, range.lowerBound), range.upperBound)
  }
}
