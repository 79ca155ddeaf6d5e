import FuzzHistory
import SimKernel

/// Host calls as a person would type them, with short arguments.
public enum CallWords {
  /// The longest argument that is shown whole.
  static let longest = 36

  /// The call with its arguments: `track("checkout", 3 properties)`.
  public static func text(_ call: HostCall) -> String {
    switch call {
    case .load(let writeKey, let options):
      return "load(" + ([quoted(writeKey)] + self.options(options)).joined(separator: ", ") + ")"
    case .track(let event, let properties, let messageId):
      return list(
        "track", quoted(event), entries(properties, "properties"),
        messageId.map { "messageId \(quoted($0))" })
    case .screen(let name, let properties):
      return list("screen", quoted(name), entries(properties, "properties"))
    case .identify(let userId, let traits):
      return list("identify", userId.map(quoted) ?? "nil", entries(traits, "traits"))
    case .group(let groupId, let traits):
      return list("group", quoted(groupId), entries(traits, "traits"))
    case .alias(let userId, let previousId):
      return list("alias", quoted(userId), previousId.map { "previousId \(quoted($0))" })
    case .reset: return "reset()"
    case .consent(let analytics, let marketing):
      return list(
        "consent", analytics.map { "analytics \($0)" }, marketing.map { "marketing \($0)" })
    case .flush: return "flush()"
    case .getAnonymousId: return "getAnonymousId()"
    case .getContext: return "getContext()"
    }
  }

  /// The name of the method alone.
  public static func name(_ call: HostCall) -> String {
    String(text(call).prefix { $0 != "(" })
  }

  /// The options that are set, as words.
  public static func options(_ options: HostOptions) -> [String] {
    var words: [String] = []
    func add<Value>(_ name: String, _ value: Value?) {
      if let value { words.append("\(name) \(value)") }
    }
    add("host", options.host.map(quoted))
    add("consent", options.consent?.rawValue)
    add("debug", options.debug)
    add("flushAt", options.flushAt)
    add("flushInterval", options.flushIntervalBits.map { Double(bitPattern: $0) })
    add("maxQueueSize", options.maxQueueSize)
    add("sessionTimeoutMinutes", options.sessionTimeoutMinutesBits.map { Double(bitPattern: $0) })
    add("trackLifecycle", options.trackLifecycle)
    add("trackScreens", options.trackScreens)
    add("captureCrashes", options.captureCrashes)
    add("captureHangs", options.captureHangs)
    add("collectAppleSearchAds", options.collectAppleSearchAds)
    add("collectAdvertisingId", options.collectAdvertisingId)
    add("remoteConfig", options.remoteConfig)
    return words
  }

  /// Text in quotation marks, control characters escaped, cut where it is long.
  public static func quoted(_ text: String) -> String {
    var short = ""
    var count = 0
    for scalar in text.unicodeScalars {
      if count == longest { return "\"\(short)…\" (\(text.utf8.count) bytes)" }
      short += scalar.escaped(asASCII: false)
      count += 1
    }
    return "\"\(short)\""
  }

  private static func list(_ name: String, _ arguments: String?...) -> String {
    "\(name)(" + arguments.compactMap { $0 }.joined(separator: ", ") + ")"
  }

  private static func entries(_ entries: [PropertyEntry], _ what: String) -> String? {
    if entries.isEmpty { return nil }
    if entries.count > 3 { return "\(entries.count) \(what)" }
    return what + " " + entries.map { quoted($0.key) }.joined(separator: " ")
  }
}
