import FuzzHistory
import SimKernel

/// Draws what does not happen but is: options, panel, device, places and delays.
struct OptionMaker {
  let source: Randomness
  let profile: Profile
  let hasTinyQueue: Bool

  private enum Key: UInt64 {
    case host, flushAt, flushInterval, maxQueueSize, remoteConfig, debug, lifecycle, timeout, mode
    case writeKey, delay, installFacts, screens
  }

  private func stream(_ key: Key) -> RandomStream { source.stream(Streams.option, key.rawValue) }

  /// What the app hands to `load`, and the consent mode that follows from app and panel.
  func start(_ config: inout ConfigAnswer) -> AppStart {
    var start = AppStart()
    var keyDraw = stream(.writeKey)
    start.writeKey = Numerals.text(
      "pk_live_", Int(keyDraw.below(900_000_000_000) + 100_000_000_000))
    var delay = stream(.delay)
    let latest: Int64 = profile.isCalm ? 3_000 : 12_000
    start.afterMilliseconds =
      delay.chance(1, in: 12) ? delay.within(300...latest) : delay.within(0...60)
    start.options = options()
    settleMode(&start.options, &config)
    return start
  }

  private func options() -> HostOptions {
    var options = HostOptions()
    var draw = stream(.host)
    if draw.chance(1, in: 3) {
      options.host = draw.pick([
        "https://e.postlip.com", "https://collect.example.net///", "https://c.example.net/eu/",
        "https://c.example.net:8443",
      ])
    }
    draw = stream(.flushAt)
    if draw.chance(1, in: 2) {
      options.flushAt = draw.pick([1, 2, 3, 5, 7, 7, 10, 19, 20, 21, 500, 0, -3, .max, .min])
      // In the calm the time in the background must be enough for all that is queued.
      if profile.isCalm { options.flushAt = options.flushAt.map { (0..<5).contains($0) ? 5 : $0 } }
    }
    draw = stream(.flushInterval)
    if draw.chance(1, in: 2) { options.flushIntervalBits = interval(&draw) }
    draw = stream(.maxQueueSize)
    if hasTinyQueue {
      options.maxQueueSize = draw.pick([1, 5, 15, 25, 40, 60])
    } else if draw.chance(1, in: 4) {
      options.maxQueueSize = draw.pick([300, 1_000, 10_000, 20_000, 0, -1, .max, .min])
      if profile.isCalm, options.maxQueueSize == 0 { options.maxQueueSize = 300 }
    }
    draw = stream(.remoteConfig)
    if draw.chance(1, in: 8) { options.remoteConfig = draw.chance(3, in: 4) ? false : true }
    draw = stream(.debug)
    if draw.chance(1, in: 4) { options.debug = draw.chance(3, in: 4) }
    draw = stream(.lifecycle)
    if draw.chance(1, in: 6) { options.trackLifecycle = draw.chance(1, in: 4) }
    draw = source.stream(Streams.attribution, 1)
    if draw.chance(1, in: 8) { options.collectAppleSearchAds = draw.chance(1, in: 4) }
    if draw.chance(1, in: 6) { options.collectAdvertisingId = draw.chance(1, in: 3) }
    draw = stream(.timeout)
    if draw.chance(1, in: 8) {
      options.sessionTimeoutMinutesBits = draw.pick([
        Numerals.doubleBits(ofWhole: 5), Numerals.doubleBits(ofWhole: 9_999), Numerals.notANumber,
      ])
    }
    return options
  }

  private func interval(_ draw: inout RandomStream) -> UInt64 {
    switch draw.below(12) {
    case 0: return Numerals.notANumber
    case 1: return Numerals.infinity
    case 2: return Numerals.doubleBits(ofWhole: -5)
    case 3: return Numerals.doubleBits(ofWhole: 0)
    case 4: return 0x3FE0_0000_0000_0000
    case 5: return Numerals.doubleBits(ofWhole: 3_600)
    case 6: return Numerals.doubleBits(ofWhole: 100_000)
    case 7: return 0x4004_0000_0000_0000
    default: return Numerals.doubleBits(ofWhole: draw.pick([1, 5, 10, 15, 60, 120]))
    }
  }

  /// Half of all seeds run with analytics on from the start, by the app's option or by the panel.
  private func settleMode(_ options: inout HostOptions, _ config: inout ConfigAnswer) {
    var draw = stream(.mode)
    let isByPanel = draw.chance(2, in: 5) && options.remoteConfig != false
    if draw.chance(1, in: 2) {
      let isImplied = draw.chance(1, in: 2)
      if isByPanel {
        config.consentMode = isImplied ? "implied" : "none"
      } else {
        options.consent = isImplied ? .implied : .notRequired
      }
    } else if isByPanel {
      config.consentMode = draw.pick([nil, "required", "required", "strict"])
    } else {
      options.consent = draw.chance(1, in: 5) && options.remoteConfig == false ? nil : .required
    }
    // What the app sets stands over the panel, whatever that says.
    if options.consent != nil, draw.chance(1, in: 3) {
      config.consentMode = draw.pick(["required", "implied", "none"])
    }
  }

  /// The app wants screens of its controllers, mostly; at times the panel does not.
  func trackScreens(_ start: inout AppStart, _ config: inout ConfigAnswer) {
    var draw = stream(.screens)
    start.options.trackScreens = draw.chance(5, in: 6) ? true : draw.pick([nil, false])
    if draw.chance(1, in: 8) { config.pageviews = false }
    if draw.chance(1, in: 8) { config.pageleave = false }
  }

  /// What the panel says beside the consent mode.
  func config() -> ConfigAnswer {
    var config = ConfigAnswer()
    var draw = source.stream(Streams.config, 0)
    if draw.chance(1, in: 4) {
      config.sessionTimeoutMinutes = draw.pick([0, 4, 5, 10, 30, 240, 9_999, -1])
    }
    if draw.chance(1, in: 6) { config.test = draw.chance(3, in: 4) }
    if draw.chance(1, in: 6) { config.pageviews = draw.chance(1, in: 2) }
    if draw.chance(1, in: 6) { config.pageleave = draw.chance(1, in: 2) }
    if draw.chance(1, in: 6) { config.errors = draw.chance(1, in: 2) }
    return config
  }

  /// Where the install came from, and when that is known: mostly soon, at times too late or never.
  func attribution(hasToken: Bool) -> (DistributionKind, AttributionSource) {
    var draw = stream(.installFacts)
    var source = AttributionSource()
    var distribution = draw.pick(
      [DistributionKind.appStore, .appStore, .testFlight, .simulator])
    switch draw.below(8) {
    case 0: source.isNever = true
    case 1: source.delay = draw.within(15_000...30_000)
    case 2: source.delay = draw.within(0...5)
    default: source.delay = draw.within(50...4_000)
    }
    var own = self.source.stream(Streams.attribution, 0)
    if distribution == .testFlight, own.chance(1, in: 2) { distribution = .development }
    if hasToken, own.chance(7, in: 8) { source.token = token(&own) }
    if own.chance(2, in: 3) { source.answer = own.pick(OptionMaker.answers) }
    return (distribution, source)
  }

  /// Where the app's conversions go; its events have names that calls use.
  func collector() -> CollectorSettings {
    var draw = source.stream(Streams.attribution, 3)
    var settings = CollectorSettings()
    settings.destinations = draw.pick([[], [.meta], [.tiktok], [.meta, .tiktok], [.meta]])
    settings.conversions = CallMaker.someEvents(&draw)
    settings.deliveryMilliseconds = draw.pick([0, 200, 2_000, 20_000])
    return settings
  }

  /// What the user had said of tracking before the run.
  func tracking() -> TrackingState {
    Life.initialTracking(source)
  }

  /// A token as Apple makes them: long, and of no use to anybody else.
  private func token(_ draw: inout RandomStream) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
    let text = (0..<44).map { _ in letters[Int(draw.below(32))] }
    return String(decoding: text, as: UTF8.self) + "=="
  }

  /// Answers with members that nobody knows, with dates, and with numbers in every form.
  private static let answers = [
    #"{"attribution":false}"#,
    #"{"clickDate":"2026-04-08T17:17Z","attribution":true,"orgId":40669820,"#
      + #""campaignId":542370539,"conversionType":"Redownload","claimType":"Impression","#
      + #""adGroupId":542317095,"countryOrRegion":"DE","keywordId":87675432,"adId":542317136}"#,
    #"{"attribution":true,"orgId":1.5,"campaignId":-7,"adGroupId":12345678901234567890,"#
      + #""impressionId":"x-17","supplyPlacement":"APPSTORE_SEARCH_RESULTS","keywordId":0}"#,
    #"{ "orgId" : 7 , "adId" : 0.25 , "countryOrRegion" : "\u0054R" , "userLevel" : {"age":31} }"#,
    #"{"attribution":null,"claimType":"A \"quoted\" one","conversionType":""}"#,
    #"{"impressionId":"only what nobody knows"}"#, "[]", #"{"attribution":"#, "",
  ]

  /// An app and a device whose names nothing else in a run looks like.
  func device() -> DeviceDescription {
    var draw = source.stream(Streams.device, 0)
    var device = DeviceDescription()
    let name = draw.pick(["Quillvane", "Örtchen", "Zwirbel", "Brackfen", "茶馆", "Möwe \"7\""])
    device.appName = name + Numerals.text(" ", Int(draw.below(900) + 100))
    device.appNamespace = Numerals.text("com.example.quillvane", Int(draw.below(900) + 100))
    device.deviceModel = Numerals.text("iPhone", Int(draw.below(9) + 10), ",2")
    device.systemVersion = draw.pick(["13.7", "15.8.2", "17.5.1", "18.0"])
    if draw.chance(1, in: 8) {
      device.deviceType = "tablet"
      device.deviceModel = Numerals.text("iPad", Int(draw.below(9) + 10), ",7")
      device.systemName = "iPadOS"
      device.screenWidth = 834
      device.screenHeight = 1_194
    }
    return device
  }

  /// Delays of the healthy world; every second calm seed has fixed ones.
  func timing() -> Timing {
    var draw = source.stream(Streams.timing, 0)
    let isFixed = draw.chance(1, in: profile.isCalm ? 2 : 8)
    var timing = Timing()
    func range(_ draw: inout RandomStream, _ low: ClosedRange<Int64>, _ spread: Int64)
      -> ClosedRange<Int64>
    {
      let first = draw.within(low)
      let width = draw.within(1...spread)
      return first...(isFixed ? first : first + width)
    }
    timing.handOffMicroseconds = range(&draw, 5...60, 800)
    timing.diskStepMicroseconds = range(&draw, 10...120, 900)
    timing.networkMilliseconds = range(&draw, 5...60, profile.isCalm ? 40 : 200)
    timing.serverMilliseconds = range(&draw, 1...20, 80)
    return timing
  }
}
