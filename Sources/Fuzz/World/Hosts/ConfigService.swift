import FuzzHistory
import FuzzScenario
import SimKernel

/// The config service: one answer per scenario, and the ways it goes wrong.
struct ConfigService {
  private let healthy: [UInt8]
  private let config: ConfigAnswer

  init(_ config: ConfigAnswer) {
    self.config = config
    healthy = JSONValue.object(ConfigService.entries(config)).canonicalBytes()
  }

  /// - Parameter fault: what goes wrong, with its amount.
  func answer(fault: (FaultKind, Int64)?) -> HostAnswer {
    guard let (kind, amount) = fault else { return HostAnswer(status: 200, body: healthy) }
    switch kind {
    case .configFailure:
      return HostAnswer(status: 500, body: [])
    case .configGarbage:
      return HostAnswer(status: 200, body: Array(healthy.dropLast(healthy.count / 2 + 1)))
    case .configTooLarge:
      return HostAnswer(status: 200, body: padded(by: Int(amount)))
    case .configUnknownMode:
      var changed = config
      changed.consentMode = "ask-later"
      return HostAnswer(
        status: 200, body: JSONValue.object(ConfigService.entries(changed)).canonicalBytes())
    default:
      var entries = ConfigService.entries(config)
      for number in 0..<amount {
        entries.append(JSONEntry("feature_\(number)", .object([JSONEntry("on", .bool(true))])))
      }
      entries.append(JSONEntry("flushAt", .int(1)))
      return HostAnswer(status: 200, body: JSONValue.object(entries).canonicalBytes())
    }
  }

  /// The healthy answer with a member too many bytes long.
  private func padded(by count: Int) -> [UInt8] {
    var body = healthy
    body.removeLast()
    body += Array((body.count > 1 ? ",\"padding\":\"" : "\"padding\":\"").utf8)
    body.append(contentsOf: repeatElement(0x78, count: count))
    body += Array("\"}".utf8)
    return body
  }

  private static func entries(_ config: ConfigAnswer) -> [JSONEntry] {
    var entries: [JSONEntry] = []
    if let mode = config.consentMode {
      entries.append(JSONEntry("consent", .object([JSONEntry("mode", .string(mode))])))
    }
    if let minutes = config.sessionTimeoutMinutes {
      entries.append(
        JSONEntry("session", .object([JSONEntry("timeoutMinutes", .int(Int64(minutes)))])))
    }
    if let test = config.test { entries.append(JSONEntry("test", .bool(test))) }
    var capture: [JSONEntry] = []
    if let pageviews = config.pageviews { capture.append(JSONEntry("pageviews", .bool(pageviews))) }
    if let pageleave = config.pageleave { capture.append(JSONEntry("pageleave", .bool(pageleave))) }
    if let errors = config.errors { capture.append(JSONEntry("errors", .bool(errors))) }
    if !capture.isEmpty { entries.append(JSONEntry("capture", .object(capture))) }
    return entries
  }
}
