import Foundation
import FuzzHistory
import SDK

/// Neutral values as the Swift values that an app would pass.
enum HostValues {
  /// An instance of a class that no encoder knows.
  private final class Opaque {}

  static func dictionary(_ entries: [PropertyEntry]) -> [String: Any] {
    var dictionary: [String: Any] = [:]
    dictionary.reserveCapacity(entries.count)
    for entry in entries { dictionary[entry.key] = value(entry.value) }
    return dictionary
  }

  static func value(_ value: PropertyValue) -> Any {
    switch value {
    case .null: return NSNull()
    case .bool(let flag): return flag
    case .int(let number): return Int(number)
    case .unsigned(let number): return number
    case .double(let bits): return Double(bitPattern: bits)
    case .string(let text): return text
    case .date(let milliseconds):
      return Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
    case .url(let text): return URL(string: text) ?? text
    case .data(let bytes): return Data(bytes)
    case .array(let elements): return elements.map { HostValues.value($0) }
    case .object(let entries): return dictionary(entries)
    case .boxedBool(let flag): return NSNumber(value: flag)
    case .boxedInt(let number): return NSNumber(value: number)
    case .boxedDouble(let bits): return NSNumber(value: Double(bitPattern: bits))
    case .optional(let inner):
      let wrapped: Any? = inner.map { HostValues.value($0) }
      return wrapped as Any
    case .opaque: return Opaque()
    case .numberKeyed: return [1: "one", 2: "two"]
    case .nested(let depth): return nested(depth)
    }
  }

  /// Arrays nested so deep; very deep ones are built once and never released, since releasing one
  /// would overflow the stack.
  private static func nested(_ depth: Int) -> Any {
    if depth >= 1_000 { return Abyss.value }
    var value: Any = 1
    for _ in 0..<depth { value = [value] }
    return value
  }

  private enum Abyss {
    nonisolated(unsafe) static let value: Any = {
      var value: Any = 1
      for _ in 0..<100_000 { value = [value] }
      return value
    }()
  }

  static func options(_ options: HostOptions) -> PostlipMetrics.Options {
    var result = PostlipMetrics.Options()
    result.host = options.host
    switch options.consent {
    case .required: result.consent = .required
    case .implied: result.consent = .implied
    case .notRequired: result.consent = .notRequired
    case nil: break
    }
    result.debug = options.debug
    result.flushAt = options.flushAt
    result.flushInterval = options.flushIntervalBits.map { Double(bitPattern: $0) }
    result.maxQueueSize = options.maxQueueSize
    result.sessionTimeoutMinutes = options.sessionTimeoutMinutesBits.map {
      Double(bitPattern: $0)
    }
    result.trackLifecycle = options.trackLifecycle
    result.trackScreens = options.trackScreens
    result.captureCrashes = options.captureCrashes
    result.captureHangs = options.captureHangs
    result.collectAppleSearchAds = options.collectAppleSearchAds
    result.collectAdvertisingId = options.collectAdvertisingId
    result.remoteConfig = options.remoteConfig
    return result
  }

  /// A context as canonical JSON.
  static func text(_ context: MetricsContext) -> String {
    var entries = [
      JSONEntry("anonymousId", .string(context.anonymousId)),
      JSONEntry(
        "consent",
        .object([
          JSONEntry("analytics", .bool(context.consent.analytics)),
          JSONEntry("marketing", .bool(context.consent.marketing)),
        ])),
      JSONEntry("session", .object([JSONEntry("id", .string(context.session.id))])),
    ]
    if let userId = context.userId { entries.append(JSONEntry("userId", .string(userId))) }
    return JSONValue.object(entries).canonicalText()
  }
}
