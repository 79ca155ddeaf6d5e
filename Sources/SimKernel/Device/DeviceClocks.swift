/// The three clocks of a device: one wall clock that anybody may set, and two monotonic ones that
/// start at boot, of which one stands still while the device sleeps.
public struct DeviceClocks: Sendable {
  /// The true wall time at the start of the run, in nanoseconds since the Unix epoch.
  public let trueEpoch: Int64
  /// What the wall clock shows beyond true time, without drift, in nanoseconds.
  public private(set) var wallOffset: Int64 = 0
  /// How much faster than true time the wall clock runs, in parts per million.
  public private(set) var driftPartsPerMillion: Int64 = 0
  /// Drift counts from here.
  private var driftSince: Instant = .start
  public private(set) var bootedAt: Instant
  public private(set) var bootIdentifier: UInt64
  /// Sleep since boot, without the sleep that is going on.
  private var slept: TimeSpan = .zero
  private var asleepSince: Instant?

  /// - Parameters:
  ///   - trueEpoch: nanoseconds since the Unix epoch at instant 0.
  ///   - bootIdentifier: names the boot that the device is in.
  ///   - uptime: how long it has been up at instant 0.
  public init(trueEpoch: Int64, bootIdentifier: UInt64, uptime: TimeSpan) {
    self.trueEpoch = trueEpoch
    self.bootIdentifier = bootIdentifier
    bootedAt = Instant.start - uptime
  }

  /// True wall time, in nanoseconds since the Unix epoch.
  public func trueWall(at instant: Instant) -> Int64 { trueEpoch &+ instant.nanoseconds }

  /// What the wall clock shows, in nanoseconds since the Unix epoch.
  public func wall(at instant: Instant) -> Int64 {
    trueWall(at: instant) &+ wallOffset &+ drift(at: instant)
  }

  /// Nanoseconds since boot, sleep included.
  public func continuous(at instant: Instant) -> Int64 { (instant - bootedAt).nanoseconds }

  /// Nanoseconds since boot, without sleep.
  public func awake(at instant: Instant) -> Int64 {
    var span = instant - bootedAt - slept
    if let asleepSince, instant > asleepSince { span = span - (instant - asleepSince) }
    return span.nanoseconds
  }

  public var isAsleep: Bool { asleepSince != nil }

  /// The device falls asleep; nothing happens if it sleeps already.
  public mutating func sleep(at instant: Instant) {
    if asleepSince == nil { asleepSince = instant }
  }

  /// The device wakes; nothing happens if it is awake.
  public mutating func wake(at instant: Instant) {
    if let since = asleepSince {
      slept = slept + (instant - since)
      asleepSince = nil
    }
  }

  /// Sets the wall clock.
  /// - Parameter wall: nanoseconds since the Unix epoch.
  public mutating func setWall(_ wall: Int64, at instant: Instant) {
    wallOffset = wall &- trueWall(at: instant)
    driftSince = instant
  }

  /// From now on the wall clock runs fast or slow; what it has gained or lost so far stays.
  public mutating func setDrift(partsPerMillion: Int64, at instant: Instant) {
    wallOffset = wallOffset &+ drift(at: instant)
    driftSince = instant
    driftPartsPerMillion = partsPerMillion
  }

  /// A new boot: monotonic clocks start again.
  public mutating func reboot(bootIdentifier: UInt64, at instant: Instant) {
    bootedAt = instant
    self.bootIdentifier = bootIdentifier
    slept = .zero
    asleepSince = nil
  }

  private func drift(at instant: Instant) -> Int64 {
    if driftPartsPerMillion == 0 { return 0 }
    return (instant - driftSince).nanoseconds / 1_000_000 &* driftPartsPerMillion
  }
}
