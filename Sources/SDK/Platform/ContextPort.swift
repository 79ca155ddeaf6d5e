/// What stays the same for the life of a process (PRV-04 to PRV-06).
///
/// The size of the screen is none of it: it changes when the device is turned.
public struct FixedContext: Hashable, Sendable {
  public var appName: String
  public var appVersion: String
  public var appBuild: String
  public var appNamespace: String
  public var deviceType: String
  public var deviceManufacturer: String
  public var deviceModel: String
  public var systemName: String
  public var systemVersion: String

  public init(
    appName: String, appVersion: String, appBuild: String, appNamespace: String,
    deviceType: String, deviceManufacturer: String, deviceModel: String, systemName: String,
    systemVersion: String
  ) {
    self.appName = appName
    self.appVersion = appVersion
    self.appBuild = appBuild
    self.appNamespace = appNamespace
    self.deviceType = deviceType
    self.deviceManufacturer = deviceManufacturer
    self.deviceModel = deviceModel
    self.systemName = systemName
    self.systemVersion = systemVersion
  }
}

/// The kind of network the device uses.
public enum NetworkKind: UInt8, Sendable {
  case none
  case wifi
  case cellular
}

/// What may change between two calls; read at each call (S-101, A-30).
public struct CurrentContext: Hashable, Sendable {
  /// A BCP 47 tag such as `tr-TR`.
  public var locale: String
  /// An IANA name such as `Europe/Istanbul`.
  public var timeZone: String
  public var network: NetworkKind
  /// The size of the screen in points, as the user holds the device.
  public var screenWidth: Int
  public var screenHeight: Int
  /// Whether the user lets the app track.
  public var tracking: TrackingAuthorization

  public init(
    locale: String, timeZone: String, network: NetworkKind, screenWidth: Int, screenHeight: Int,
    tracking: TrackingAuthorization = .notDetermined
  ) {
    self.locale = locale
    self.timeZone = timeZone
    self.network = network
    self.screenWidth = screenWidth
    self.screenHeight = screenHeight
    self.tracking = tracking
  }
}

/// The app and device around the SDK.
public protocol ContextPort: AnyObject, Sendable {
  func fixed() -> FixedContext
  func current() -> CurrentContext
}
