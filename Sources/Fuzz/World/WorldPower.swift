import FuzzHistory
import FuzzScenario
import SDK
import SimKernel

/// Lock, reboot, power loss, other copies of the app, and the lock that an extension shares.
extension World {
  func reboot(off span: TimeSpan) {
    guard device.power.isOn else { return }
    took(.deviceReboot, detail: UInt32(clamping: span.nanoseconds / 1_000_000_000))
    device.shutDown(for: span)
  }

  /// What is lost hangs on the action, and so stays the same when others are taken out.
  func losePower(off span: TimeSpan, action: UInt32, round: UInt32) {
    guard device.power.isOn else { return }
    took(.devicePowerLoss, detail: UInt32(clamping: span.nanoseconds / 1_000_000_000))
    let losses = device.losePower(
      for: span, randomness, key: UInt64(action) << 20 ^ UInt64(round))
    recorder.record(.powerLost, process: -1)
    for loss in losses {
      let name = recorder.history.storeName(loss.path)
      recorder.record(.fileLost(path: name), process: -1, detail: UInt64(loss.byteCount))
      if let content = loss.content { recordContent(name, content) }
      // Only its mark is lost: what lies in it stays.
      guard loss.isDirectory, device.disk.contains(directory: loss.path) else { continue }
      for file in device.disk.files where file.path.hasPrefix(loss.path + "/") {
        recordContent(recorder.history.storeName(file.path), file.bytes)
      }
    }
    if !losses.isEmpty {
      reach(.powerLossTookBytes)
      took(
        .deviceUnsyncedLoss,
        detail: UInt32(clamping: losses.reduce(0) { $0 + $1.byteCount }))
    }
  }

  private func recordContent(_ name: ByteSlice, _ bytes: [UInt8]) {
    let content = recorder.history.store(bytes)
    recorder.record(
      .fileContent(path: name, bytes: content), process: -1, detail: UInt64(bytes.count),
      hashing: content)
  }

  func drift(_ partsPerMillion: Int64) {
    if partsPerMillion != 0 { took(.clockDrift, detail: UInt32(partsPerMillion.magnitude)) }
    device.clocks.setDrift(partsPerMillion: partsPerMillion, at: device.now)
  }

  // MARK: Other copies of the app

  func install(_ kind: InstallKind, _ version: String, _ build: String) {
    guard device.power.isOn else { return }
    device.end(.memoryKill)
    appVersion = version
    appBuild = build
    switch kind {
    case .update: break
    case .downgrade: took(.installDowngrade)
    case .offload: took(.installOffload)
    case .reinstall:
      took(.installReinstall)
      install += 1
      device.disk.removeEverything()
    case .restore:
      took(.installRestore)
      install += 1
      device.disk.restoreFromBackup()
    }
    recorder.record(.installed(kind), process: -1, detail: UInt64(kind.rawValue))
    guard kind == .restore else { return }
    for file in device.disk.files {
      recordContent(recorder.history.storeName(file.path), file.bytes)
    }
  }

  // MARK: The lock of the shared container

  func runExtension(for span: TimeSpan) {
    // Without a shared group it has a container of its own.
    guard scenario.hasSharedGroup, device.holdForeignLock(for: span) else { return }
    isLockIntact = false
    took(.deviceStorageLockTaken, detail: UInt32(clamping: span.nanoseconds / 1_000_000_000))
    recorder.record(
      .storageLock(.takenByExtension), process: -1, detail: UInt64(bitPattern: span.nanoseconds))
  }

  /// The SDK asks for the lock.
  func tryStorageLock(_ process: AppProcess) -> StorageLockAnswer {
    guard process.isAlive else { return .refused }
    let hasLock = device.tryStorageLock(process)
    recorder.record(.storageLock(hasLock ? .taken : .refused), process: process.ordinal)
    guard hasLock else {
      reach(.storageLockRefused)
      return .refused
    }
    let isBroken = lockKeeper == process.ordinal && !isLockIntact
    if isBroken { reach(.storageLockLost) }
    lockKeeper = process.ordinal
    isLockIntact = true
    return isBroken ? .grantedAfterAnother : .granted
  }

  /// The SDK gives the lock back.
  func releaseStorageLock(_ process: AppProcess) {
    guard process.isAlive, device.holdsStorageLock else { return }
    device.releaseStorageLock(process)
    reach(.storageLockReleased)
    recorder.record(.storageLock(.released), process: process.ordinal)
  }

  // MARK: What the device tells

  /// The screen was locked or unlocked.
  public func deviceChangedLock(isLocked: Bool) {
    recorder.record(.lockChanged(isLocked: isLocked), process: -1, detail: isLocked ? 1 : 0)
    happened(isLocked ? .locked : .unlocked)
  }

  /// Files of the class "complete" can be read, or not any more.
  public func deviceChangedProtection(isAvailable: Bool) {
    recorder.record(.protectedDataAvailable(isAvailable), process: -1, detail: isAvailable ? 1 : 0)
  }

  /// The device is on again.
  public func deviceBooted() {
    let boot = device.clocks.bootIdentifier
    recorder.record(.rebooted(boot: boot), process: -1, detail: boot)
    reach(.rebooted)
    happened(.booted)
  }

  /// A name for the next boot.
  public func deviceBootIdentifier(boot: Int) -> UInt64 {
    randomness.bits(World.bootStream, UInt64(boot))
  }

  /// By chance a notification is posted twice.
  public func deviceRepeats(_ notification: AppNotification) -> Bool {
    let now = UInt64(bitPattern: device.now.nanoseconds)
    guard
      faults.strikes(
        .appRepeatedNotification, key: mixBits(now) ^ UInt64(notification.rawValue), at: device.now)
        != nil
    else { return false }
    took(.appRepeatedNotification)
    return true
  }
}
