/// A value that a host app passes in properties or traits, neutral of any SDK.
///
/// The world turns it into the Swift value that an app would pass; the reference model turns it
/// into the JSON that must arrive (formats: values).
public indirect enum PropertyValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case unsigned(UInt64)
  /// Any double, NaN and infinities included, by its bits.
  case double(bits: UInt64)
  case string(String)
  /// Milliseconds since the Unix epoch, passed as a `Date`.
  case date(milliseconds: Int64)
  case url(String)
  case data([UInt8])
  case array([PropertyValue])
  case object([PropertyEntry])
  /// An `NSNumber` made from a Bool, an integer or a double.
  case boxedBool(Bool)
  case boxedInt(Int64)
  case boxedDouble(bits: UInt64)
  /// An `Optional` holding a value, or `Optional.none`.
  case optional(PropertyValue?)
  /// An instance of a class that no encoder knows.
  case opaque
  /// A dictionary whose keys are numbers.
  case numberKeyed
  /// Arrays nested to this depth around an integer.
  case nested(depth: Int)
}

/// A named value; order is the order of a dictionary literal and carries no meaning.
public struct PropertyEntry: Hashable, Sendable {
  public var key: String
  public var value: PropertyValue

  public init(_ key: String, _ value: PropertyValue) {
    self.key = key
    self.value = value
  }
}

/// The options that a host app passes to `load`; absent is not set.
public struct HostOptions: Hashable, Sendable {
  /// The option `consent` of `load`.
  public enum ConsentMode: String, Hashable, Sendable, CaseIterable {
    case required
    case implied
    case notRequired
  }

  public var host: String?
  public var consent: ConsentMode?
  public var debug: Bool?
  public var flushAt: Int?
  /// Seconds, by the bits of the double (NaN and infinities included).
  public var flushIntervalBits: UInt64?
  public var maxQueueSize: Int?
  public var sessionTimeoutMinutesBits: UInt64?
  public var trackLifecycle: Bool?
  public var trackScreens: Bool?
  public var captureCrashes: Bool?
  public var captureHangs: Bool?
  public var collectAppleSearchAds: Bool?
  public var collectAdvertisingId: Bool?
  public var remoteConfig: Bool?

  public init() {}
}

/// One public call of the SDK by the host app.
public enum HostCall: Hashable, Sendable {
  case load(writeKey: String, options: HostOptions)
  case track(event: String, properties: [PropertyEntry], messageId: String?)
  case screen(name: String, properties: [PropertyEntry])
  case identify(userId: String?, traits: [PropertyEntry])
  case group(groupId: String, traits: [PropertyEntry])
  case alias(userId: String, previousId: String?)
  case reset
  case consent(analytics: Bool?, marketing: Bool?)
  case flush
  case getAnonymousId
  case getContext
}
