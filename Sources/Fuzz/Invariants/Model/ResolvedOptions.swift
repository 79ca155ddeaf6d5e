import FuzzHistory

/// What the options of `load` and the answer of the config service come to (OPT, S-22, S-23).
public struct ResolvedOptions {
  /// The mode as it stands on the wire.
  public enum Mode: UInt8, Sendable {
    case required
    case implied
    case none

    var word: StaticString {
      switch self {
      case .required: return "required"
      case .implied: return "implied"
      case .none: return "none"
      }
    }
  }

  /// Without trailing slashes.
  public var host = "https://e.postlip.com"
  public var isValid = true
  /// 1 to 20.
  public var flushAt = 20
  /// 1 s to 3600 s.
  public var flushIntervalNanoseconds: Int64 = 30_000_000_000
  /// 1 to 10 000.
  public var maxQueueSize = 1_000
  /// How long the app may be in the background within one session: 5 to 240 minutes (OPT-11).
  public var sessionTimeoutNanoseconds: Int64 = 1_800_000_000_000
  /// The app set the timeout, so that the panel has no say.
  var isTimeoutFixed = false
  public var remoteConfig = true
  public var tracksLifecycle = true
  /// Controllers that appear are screens: the app's option, and once it is known the panel's switch
  /// (OPT-13, OPT-26, C-24).
  public var tracksScreens = false
  /// The app asked for that.
  public var wantsScreens = false
  /// Views are timed (OPT-27).
  public var timesScreens = true
  public var collectsAppleSearchAds = true
  public var collectsAdvertisingId = true
  public var mode = Mode.required
  /// The app set the mode, so that the panel has no say.
  var isModeFixed = false
  /// The app's option and the panel's switch together (OPT-15, OPT-28, C-24).
  public var capturesHangs = false
  /// Messages carry `context.test`.
  public var isTest = false
  /// The app's option (OPT-14).
  public var capturesCrashes = true
  /// The panel's switch `errors` (OPT-28).
  public var panelErrors = true

  public init() {}

  init(writeKey: String, options: HostOptions) {
    if let text = options.host {
      host = String(text.reversed().drop { $0 == "/" }.reversed())
    }
    isValid = !writeKey.isEmpty && ResolvedOptions.isOrigin(host)
    if let count = options.flushAt, count >= 0 { flushAt = min(max(count, 1), 20) }
    if let bits = options.flushIntervalBits {
      let seconds = Double(bitPattern: bits)
      if seconds >= 0 {
        flushIntervalNanoseconds = Int64(min(max(seconds, 1), 3_600) * 1_000_000_000)
      }
    }
    if let bits = options.sessionTimeoutMinutesBits {
      isTimeoutFixed = setTimeout(minutes: Double(bitPattern: bits))
    }
    if let size = options.maxQueueSize, size >= 0 { maxQueueSize = min(max(size, 1), 10_000) }
    remoteConfig = options.remoteConfig ?? true
    tracksLifecycle = options.trackLifecycle ?? true
    wantsScreens = options.trackScreens ?? false
    tracksScreens = wantsScreens
    capturesCrashes = options.captureCrashes ?? true
    capturesHangs = options.captureHangs ?? false
    collectsAppleSearchAds = options.collectAppleSearchAds ?? true
    collectsAdvertisingId = options.collectAdvertisingId ?? true
    switch options.consent {
    case .required: mode = .required
    case .implied: mode = .implied
    case .notRequired: mode = .none
    case nil: break
    }
    isModeFixed = options.consent != nil
  }

  /// `http` or `https` with a host.
  private static func isOrigin(_ host: String) -> Bool {
    let bytes = Array(host.utf8)
    let schemes: [[UInt8]] = [Array("https://".utf8), Array("http://".utf8)]
    for scheme in schemes where bytes.count > scheme.count {
      guard bytes.starts(with: scheme) else { continue }
      let rest = bytes[scheme.count...]
      guard let first = rest.first, first != 0x2f, first != 0x3a, first != 0x3f, first != 0x23
      else { return false }
      return !rest.contains { $0 <= 0x20 || $0 == 0x7f }
    }
    return false
  }

  private static func number(_ value: JSONValue) -> Double? {
    switch value {
    case .int(let number): return Double(number)
    case .unsigned(let number): return Double(number)
    case .double(let number): return number
    default: return nil
    }
  }

  /// - Returns: false if there is no such span: it counts as not given (S-22, S-23).
  @discardableResult
  private mutating func setTimeout(minutes: Double) -> Bool {
    guard minutes >= 0 else { return false }
    sessionTimeoutNanoseconds = Int64((min(max(minutes, 5), 240) * 60_000_000_000).rounded())
    return true
  }

  /// Takes the answer of the config service; anything unreadable leaves the defaults (OPT-22,
  /// S-22).
  mutating func apply(config body: UnsafeRawBufferPointer) {
    guard body.count <= 65_536, let config = try? JSONValue.parse(body), config.object != nil
    else { return }
    isTest = config["test"]?.bool ?? false
    if config["capture"]?["pageviews"]?.bool == false { tracksScreens = false }
    timesScreens = config["capture"]?["pageleave"]?.bool ?? true
    panelErrors = config["capture"]?["errors"]?.bool ?? true
    if config["capture"]?["errors"]?.bool == false { capturesHangs = false }
    if !isTimeoutFixed, let minutes = config["session"]?["timeoutMinutes"] {
      setTimeout(minutes: ResolvedOptions.number(minutes) ?? -1)
    }
    if isModeFixed { return }
    switch config["consent"]?["mode"]?.string {
    case "implied": mode = .implied
    case "none": mode = .none
    default: mode = .required
    }
  }
}
