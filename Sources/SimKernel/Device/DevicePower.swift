/// Where a device stands between off and unlocked.
public struct PowerState: Sendable {
  public internal(set) var isOn = true
  public internal(set) var isLocked = false
  /// Somebody has unlocked it since its boot: until then no file of the SDK can be read.
  public internal(set) var isUnlockedSinceBoot = true
  /// Files of the class "complete" can be read.
  public internal(set) var isProtectedDataAvailable = true
  /// How often it was booted in this run.
  public internal(set) var bootCount = 0
  /// Tells the locks apart, for the event that comes some seconds after each.
  var lockCount: UInt32 = 0
}

/// Lock, reboot and power loss.
extension Device {
  /// From the lock until files of the class "complete" can not be read any more.
  public static let protectionDelay = TimeSpan.seconds(10)

  /// After so long without a write nothing is left in any cache.
  static let writeBackSpan = TimeSpan.minutes(1)

  enum PowerStep: UInt32 {
    case boot
    case protect
  }

  /// The user locks the screen; an app in front goes to the background (S-46).
  public func lock() {
    guard power.isOn, !power.isLocked else { return }
    power.isLocked = true
    power.lockCount += 1
    owner?.deviceChangedLock(isLocked: true)
    schedulePower(.protect, after: Device.protectionDelay, generation: power.lockCount)
    leave(allScenes: true)
  }

  /// The user unlocks the screen.
  public func unlock() {
    guard power.isOn, power.isLocked else { return }
    power.isLocked = false
    power.lockCount += 1
    power.isUnlockedSinceBoot = true
    disk.isProtected = false
    owner?.deviceChangedLock(isLocked: false)
    setProtection(isAvailable: true)
  }

  /// Turns the device off in good order, for so long.
  public func shutDown(for span: TimeSpan) {
    guard power.isOn else { return }
    end(.shutdown)
    disk.synchronizeAll()
    turnOff(for: span)
  }

  /// Everything stops at once, for so long.
  /// - Parameter key: names the moment, for what is lost.
  /// - Returns: what the disk has lost.
  public func losePower(for span: TimeSpan, _ randomness: Randomness, key: UInt64) -> [DiskLoss] {
    guard power.isOn else { return [] }
    writeBackIfQuiet()
    end(.powerLoss)
    let losses = disk.losePower(randomness, key: key)
    turnOff(for: span)
    return losses
  }

  /// Turns the device on now, if it is off.
  public func bootNow() {
    guard !power.isOn else { return }
    power.isOn = true
    power.bootCount += 1
    power.isLocked = true
    power.lockCount += 1
    power.isUnlockedSinceBoot = false
    power.isProtectedDataAvailable = false
    disk.isProtected = true
    clocks.reboot(
      bootIdentifier: owner?.deviceBootIdentifier(boot: power.bootCount)
        ?? UInt64(power.bootCount), at: now)
    owner?.deviceBooted()
    simulation.schedule(
      Event(
        instant: now + Pace.untilSleep, actor: 1, kind: EventKind.lifecycle,
        payload: LifecycleStep.sleep.rawValue))
  }

  /// The system writes everything back by itself within a minute in which nothing changes.
  func writeBackIfQuiet() {
    if let since = quietSince, now - since >= Device.writeBackSpan { disk.synchronizeAll() }
    quietSince = nil
  }

  private func turnOff(for span: TimeSpan) {
    power.isOn = false
    foreignLockUntil = nil
    power.lockCount += 1
    schedulePower(.boot, after: span, generation: power.lockCount)
  }

  private func schedulePower(_ step: PowerStep, after span: TimeSpan, generation: UInt32) {
    simulation.schedule(
      Event(
        instant: now + max(span, .zero), actor: 1, kind: EventKind.power,
        payload: generation << 1 | step.rawValue))
  }

  func handlePower(_ event: Event) {
    guard event.payload >> 1 == power.lockCount, let step = PowerStep(rawValue: event.payload & 1)
    else { return }
    switch step {
    case .boot: bootNow()
    case .protect: setProtection(isAvailable: false)
    }
  }

  private func setProtection(isAvailable: Bool) {
    guard power.isProtectedDataAvailable != isAvailable else { return }
    power.isProtectedDataAvailable = isAvailable
    owner?.deviceChangedProtection(isAvailable: isAvailable)
    guard let process, process.isAlive else { return }
    let notification: AppNotification =
      isAvailable ? .protectedDataDidBecomeAvailable : .protectedDataWillBecomeUnavailable
    if process.phase == .suspended {
      process.missedProtection = notification
    } else {
      notify(process, notification)
    }
  }

  // MARK: The shared container

  /// An extension of the app runs and holds the lock of the shared container for so long.
  /// - Returns: whether it got the lock.
  public func holdForeignLock(for span: TimeSpan) -> Bool {
    guard power.isOn, !holdsStorageLock else { return false }
    foreignLockUntil = now + span
    return true
  }

  /// The extension ends.
  public func endForeignLock() { foreignLockUntil = nil }

  /// The process asks for the lock of the shared container, without waiting.
  public func tryStorageLock(_ process: AppProcess) -> Bool {
    guard process.isAlive else { return false }
    if holdsStorageLock { return true }
    if let until = foreignLockUntil, until > now { return false }
    holdsStorageLock = true
    return true
  }

  /// The process gives the lock back.
  public func releaseStorageLock(_ process: AppProcess) {
    if process.isAlive { holdsStorageLock = false }
  }
}
