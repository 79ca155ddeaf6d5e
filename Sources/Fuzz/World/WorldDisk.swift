import FuzzHistory
import FuzzScenario
import SimKernel

/// What befalls the file system.
extension World {
  private static let latencyStream = StreamName("disk.latency")
  private static let tearStream = StreamName("disk.tear")
  private static let damageStream = StreamName("disk.damage")
  static let queueDirectory = "Library/Application Support/PostlipMetrics/queue"

  /// A key that names a step: file and how many steps the process made.
  private func stepKey(_ path: String, _ operation: DiskOperation) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    var path = path
    path.withUTF8 { for byte in $0 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 } }
    let process = UInt64(UInt32(bitPattern: device.process?.ordinal ?? -1))
    return mixBits(hash ^ process << 32 ^ UInt64(diskSteps) << 4 ^ UInt64(operation.rawValue))
  }

  private func spendStep(_ key: UInt64) {
    let range = timing.diskStepMicroseconds
    device.spend(.microseconds(draw(range, World.latencyStream, key)))
    if let slow = faults.strikes(.diskSlow, key: key, at: device.now) {
      took(.diskSlow)
      device.spend(.milliseconds(slow))
    }
  }

  /// A step that only looks.
  /// - Returns: how it fails, if it does.
  func strikeAtLook(_ operation: DiskOperation, _ path: String) -> DiskOutcome? {
    diskSteps &+= 1
    let key = stepKey(path, operation)
    spendStep(key)
    if device.disk.isProtected { return refuseProtected() }
    guard faults.hasDiskFaults, faults.isActive else { return nil }
    if faults.strikes(.diskDenied, key: key, at: device.now) != nil {
      took(.diskDenied)
      return .notPermitted
    }
    if faults.strikes(.diskInputOutput, key: key, at: device.now) != nil {
      took(.diskInputOutput)
      return .inputOutput
    }
    if operation == .read, let place = device.disk.index(of: path) {
      if faults.strikes(.diskVanished, key: key, at: device.now) != nil {
        reach(.fileDamagedBeforeRead)
        damage(place, .vanished)
      } else if let bytes = faults.strikes(.diskGarbled, key: key, at: device.now) {
        reach(.fileDamagedBeforeRead)
        damage(place, .garbled, byteCount: Int(bytes))
      }
    }
    return nil
  }

  /// Before the first unlock no file can be reached, which does not mean that there is none.
  private func refuseProtected() -> DiskOutcome {
    reach(.refusedBeforeFirstUnlock)
    took(.deviceBeforeFirstUnlock)
    return .notPermitted
  }

  /// A step that changes something.
  func strikeAtChange(_ operation: DiskOperation, _ path: String, byteCount: Int) -> DiskStrike? {
    diskSteps &+= 1
    let key = stepKey(path, operation)
    spendStep(key)
    noteFirstQueueJob()
    happened(.diskStep)
    if let place = triggers.diskStep(), !isCalm {
      let action = scenario.actions[place]
      switch action.kind {
      case .end, .crash, .powerLoss, .reboot:
        strikingAction = place
        return death(key, byteCount)
      default: perform(action)
      }
    }
    if device.disk.isProtected { return .failure(refuseProtected(), afterBytes: 0) }
    guard faults.hasDiskFaults, faults.isActive else { return nil }
    // Bytes in the place of others need no room.
    if operation != .overwrite, byteCount > 0,
      let bytes = faults.strikes(.diskNoSpace, key: key, at: device.now)
    {
      took(.diskNoSpace)
      return .failure(.noSpace, afterBytes: Int(bytes))
    }
    if let bytes = faults.strikes(.diskInputOutput, key: key, at: device.now) {
      took(.diskInputOutput)
      return .failure(.inputOutput, afterBytes: Int(bytes))
    }
    if faults.strikes(.diskDenied, key: key, at: device.now) != nil {
      took(.diskDenied)
      return .failure(.notPermitted, afterBytes: 0)
    }
    return nil
  }

  /// A write by which a dying process tells of its end. Nothing else happens any more.
  func strikeAtDyingWrite(_ path: String, _ byteCount: Int) -> DiskStrike? {
    diskSteps &+= 1
    let key = stepKey(path, .overwrite)
    guard faults.hasDiskFaults, faults.isActive else { return nil }
    let size = device.disk.index(of: path).map { device.disk.files[$0].bytes.count } ?? 0
    // Bytes in the place of others need no room.
    if byteCount > size, faults.strikes(.diskNoSpace, key: key, at: device.now) != nil {
      took(.diskNoSpace)
      return .failure(.noSpace, afterBytes: size)
    }
    if let bytes = faults.strikes(.diskInputOutput, key: key, at: device.now) {
      took(.diskInputOutput)
      return .failure(.inputOutput, afterBytes: Int(bytes))
    }
    return nil
  }

  /// The process dies inside the step: any part of a write may be left, an atomic step is done or
  /// not.
  private func death(_ key: UInt64, _ byteCount: Int) -> DiskStrike {
    var stream = randomness.stream(World.tearStream, key)
    let left: Int
    switch stream.below(4) {
    case 0: left = 0
    case 1: left = byteCount
    default: left = stream.int(0...byteCount)
    }
    return .death(afterBytes: left, atomicStepDone: stream.chance(1, in: 2))
  }

  /// After the step in which the process dies.
  func dieInDiskStep(_ result: DiskResult, byteCount: Int) {
    reach(.killedAtDiskStep)
    if result.writtenCount > 0, result.writtenCount < byteCount { reach(.tornWriteLeft) }
    guard let place = strikingAction else { return }
    strikingAction = nil
    isInDiskStep = true
    perform(scenario.actions[place])
    isInDiskStep = false
  }

  func recordDisk(
    _ operation: DiskOperation, _ path: String, target: String = "", bytes: [UInt8] = [],
    _ result: DiskResult
  ) {
    let history = recorder.history
    if result.outcome == .noSpace { reach(.diskFullInWrite) }
    let written = bytes.withUnsafeBytes {
      history.store(UnsafeRawBufferPointer(rebasing: $0[0..<result.writtenCount]))
    }
    let fact = Fact.disk(
      operation, outcome: result.outcome, queue: device.runningQueue ?? .max, step: diskSteps,
      path: history.storeName(path), target: history.storeName(target),
      offset: UInt32(result.offset), bytes: written)
    recorder.record(
      fact, process: device.process?.ordinal ?? -1,
      detail: UInt64(operation.rawValue) << 8 | UInt64(result.outcome.rawValue), hashing: written)
  }

  // MARK: Behind the app's back

  /// The place of a selected file on the disk.
  private func place(of selector: FileSelector) -> Int? {
    let prefix = World.queueDirectory + "/"
    let queueFiles = device.disk.files.indices.filter {
      device.disk.files[$0].path.hasPrefix(prefix)
    }
    switch selector {
    case .queueFile(let number):
      return queueFiles.indices.contains(number) ? queueFiles[number] : nil
    case .newestQueueFile:
      return queueFiles.last
    case .path(let path):
      return device.disk.index(of: recorder.history.header.storageDirectory + "/" + path)
    }
  }

  func damageFile(_ selector: FileSelector, _ damage: FileDamage) {
    guard let place = place(of: selector) else { return }
    self.damage(place, damage)
  }

  func setAccess(_ selector: FileSelector, denied: Bool) {
    guard let place = place(of: selector) else { return }
    device.disk.setDenied(denied, at: place)
    if denied { took(.diskDenied) }
  }

  func patchFile(_ selector: FileSelector, offset: Int, _ patch: [UInt8]) {
    guard let place = place(of: selector) else { return }
    let history = recorder.history
    let file = device.disk.files[place]
    let name = history.storeName(file.path)
    recorder.record(.fileDamaged(path: name, .garbled), process: -1, detail: UInt64(offset))
    var bytes = file.bytes
    for (index, byte) in patch.enumerated() where offset + index < bytes.count {
      bytes[offset + index] = byte
    }
    replaceContent(place, name, bytes, detail: UInt64(offset))
  }

  private func replaceContent(_ place: Int, _ name: ByteSlice, _ bytes: [UInt8], detail: UInt64) {
    device.disk.setBytes(bytes, at: place)
    let content = recorder.history.store(bytes)
    recorder.record(
      .fileContent(path: name, bytes: content), process: -1, detail: detail, hashing: content)
    took(.diskGarbled)
  }

  private func damage(_ place: Int, _ damage: FileDamage, byteCount: Int = 8) {
    let history = recorder.history
    let file = device.disk.files[place]
    let name = history.storeName(file.path)
    let key = stepKey(file.path, .read)
    var stream = randomness.stream(World.damageStream, key)
    recorder.record(.fileDamaged(path: name, damage), process: -1, detail: key)
    switch damage {
    case .vanished:
      device.disk.vanish(at: place)
      took(.diskVanished)
    case .truncated:
      replaceContent(
        place, name, Array(file.bytes.prefix(stream.int(0...file.bytes.count))), detail: key)
    case .garbled:
      var bytes = file.bytes
      if !bytes.isEmpty {
        let start = stream.int(0...bytes.count - 1)
        for offset in start..<min(bytes.count, start + byteCount) {
          bytes[offset] ^= UInt8(1 + stream.below(255))
        }
      }
      replaceContent(place, name, bytes, detail: key)
    }
  }
}
