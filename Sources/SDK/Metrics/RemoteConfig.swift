/// What the SDK takes from the panel's answer; everything else in it changes nothing (OPT-29).
struct RemoteConfig: Equatable, Sendable {
  /// An answer with more bytes counts as none (S-22).
  static let mostBytes = 65_536

  /// Absent where the answer has no mode; a word that is none of ours means `required` (S-22).
  var mode: PostlipMetrics.Options.ConsentMode?
  var sessionTimeoutMinutes: Double?
  var isTest = false
  var capturesPageviews = true
  var capturesPageleave = true
  var capturesErrors = true

  /// What holds without an answer (OPT-22).
  static let none = RemoteConfig()

  /// Reads an answer.
  /// - Returns: nil if it is no JSON object or too large.
  static func parse(_ bytes: [UInt8]) -> RemoteConfig? {
    guard bytes.count <= mostBytes, let root = JSONParser.parse(bytes), case .object = root else {
      return nil
    }
    var config = RemoteConfig()
    if let mode = root["consent"]?["mode"] {
      switch mode.string {
      case "implied": config.mode = .implied
      case "none": config.mode = .notRequired
      default: config.mode = .required
      }
    }
    config.sessionTimeoutMinutes = root["session"]?["timeoutMinutes"]?.double
    config.isTest = root["test"]?.bool ?? false
    config.capturesPageviews = root["capture"]?["pageviews"]?.bool ?? true
    config.capturesPageleave = root["capture"]?["pageleave"]?.bool ?? true
    config.capturesErrors = root["capture"]?["errors"]?.bool ?? true
    return config
  }
}
