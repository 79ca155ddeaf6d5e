/// The clocks of the device (A-03, HNG-07). All values are nanoseconds.
public protocol ClockPort: AnyObject, Sendable {
  /// The wall clock since the Unix epoch; the user or the network may set it at any time.
  func wall() -> Int64
  /// Monotonic since boot; stands still while the device sleeps.
  func awake() -> Int64
  /// Monotonic since boot; runs on while the device sleeps.
  func continuous() -> Int64
  /// The same number within one boot, another one after each reboot.
  func bootIdentifier() -> UInt64
}

/// What a random number is for: lets a simulated machine give the same number to the same purpose.
public enum RandomPurpose: UInt8, Sendable, CaseIterable {
  case messageIdentifier
  case anonymousIdentifier
  case sessionIdentifier
  case pageviewIdentifier
  case retryJitter
  case lifecycle
  case screenLeave
}

/// The machine's source of random bits.
public protocol RandomPort: AnyObject, Sendable {
  /// Gives 128 random bits.
  /// - Parameters:
  ///   - purpose: what the bits are for.
  ///   - key: tells apart several draws for one purpose, such as the attempt of a retry.
  func random128(_ purpose: RandomPurpose, key: UInt64) -> (high: UInt64, low: UInt64)
}
