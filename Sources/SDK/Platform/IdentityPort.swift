/// Whether the user lets the app track, as App Tracking Transparency has it.
public enum TrackingAuthorization: UInt8, Sendable {
  case notDetermined
  case restricted
  case denied
  case authorized
}

/// What tells one device or user from another.
///
/// The SDK asks for the advertising id alone, and for that only where consent, option and
/// authorization allow it (PRV-02, CON-08). What else a platform offers stands here so that it can
/// be seen that nobody asks: the vendor's id (PRV-01) and the prompt, which is the app's (CON-22).
public protocol IdentityPort: AnyObject, Sendable {
  /// The advertising id; zeros where tracking is not authorized.
  func advertisingIdentifier() -> String
  /// An id of the device for all apps of one vendor; never asked for.
  func vendorIdentifier() -> String?
  /// Shows the system's question whether the app may track; never called.
  func requestTrackingAuthorization()
}

/// A machine without any such ids.
public final class NoIdentity: IdentityPort {
  /// What the platform gives where tracking is not authorized.
  public static let zeros = "00000000-0000-0000-0000-000000000000"

  public init() {}

  /// Always zeros.
  public func advertisingIdentifier() -> String { Self.zeros }
  /// Always none.
  public func vendorIdentifier() -> String? { nil }
  /// Does nothing.
  public func requestTrackingAuthorization() {}
}
