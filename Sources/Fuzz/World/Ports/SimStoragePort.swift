import FuzzHistory
import SDK
import SimKernel

/// The file system of the device, step by step. A dead process's steps fail and have no effect.
final class SimStoragePort: StoragePort, @unchecked Sendable {
  private unowned let world: World
  private let process: AppProcess

  init(_ world: World, _ process: AppProcess) {
    self.world = world
    self.process = process
  }

  // MARK: Looking

  func list(_ directory: String) throws(StorageError) -> [String] {
    try look(.list, directory)
    guard let names = world.device.disk.names(in: directory) else {
      world.recordDisk(.list, directory, DiskResult(.notFound))
      throw .notFound
    }
    world.recordDisk(.list, directory, DiskResult(.done))
    return names
  }

  func size(_ path: String) throws(StorageError) -> Int {
    try look(.size, path)
    let world = world
    guard let place = world.device.disk.index(of: path) else {
      world.recordDisk(.size, path, DiskResult(.notFound))
      throw .notFound
    }
    world.recordDisk(.size, path, DiskResult(.done))
    return world.device.disk.files[place].bytes.count
  }

  func read(_ path: String, offset: Int, count: Int) throws(StorageError) -> [UInt8] {
    try look(.read, path)
    let world = world
    guard let place = world.device.disk.index(of: path) else {
      world.recordDisk(.read, path, DiskResult(.notFound))
      throw .notFound
    }
    if world.device.disk.files[place].isDenied {
      world.recordDisk(.read, path, DiskResult(.notPermitted))
      throw .notPermitted
    }
    let bytes = world.device.disk.files[place].bytes
    let start = min(max(0, offset), bytes.count)
    world.recordDisk(.read, path, DiskResult(.done, offset: start))
    return Array(bytes[start..<min(bytes.count, start + max(0, count))])
  }

  // MARK: Changing

  func write(_ path: String, _ bytes: [UInt8]) throws(StorageError) {
    try change(.write, path, bytes: bytes) { disk, strike in
      disk.put(path, offset: nil, bytes: bytes, replacing: true, strike: strike)
    }
  }

  func append(_ path: String, _ bytes: [UInt8]) throws(StorageError) {
    try change(.append, path, bytes: bytes) { disk, strike in
      disk.put(path, offset: nil, bytes: bytes, replacing: false, strike: strike)
    }
  }

  func overwrite(_ path: String, offset: Int, _ bytes: [UInt8]) throws(StorageError) {
    try change(.overwrite, path, bytes: bytes) { disk, strike in
      disk.put(path, offset: offset, bytes: bytes, replacing: false, strike: strike)
    }
  }

  func truncate(_ path: String, to count: Int) throws(StorageError) {
    try change(.truncate, path) { disk, strike in
      disk.truncate(path, to: count, strike: strike)
    }
  }

  func barrier(_ path: String) throws(StorageError) {
    try change(.barrier, path) { disk, strike in disk.barrier(path, strike: strike) }
  }

  func rename(_ path: String, to target: String) throws(StorageError) {
    try change(.rename, path, target: target) { disk, strike in
      disk.rename(path, to: target, strike: strike)
    }
  }

  func remove(_ path: String) throws(StorageError) {
    try change(.remove, path) { disk, strike in disk.remove(path, strike: strike) }
  }

  func createDirectory(_ path: String) throws(StorageError) {
    try change(.createDirectory, path) { disk, strike in
      disk.createDirectory(path, strike: strike)
    }
  }

  func excludeFromBackup(_ path: String) throws(StorageError) {
    try change(.excludeFromBackup, path) { disk, strike in
      disk.excludeFromBackup(path, strike: strike)
    }
  }

  // MARK: Steps

  private func look(_ operation: DiskOperation, _ path: String) throws(StorageError) {
    guard process.isAlive else { throw .inputOutput }
    let world = world
    world.enterPort(.storage)
    if let failure = world.strikeAtLook(operation, path) {
      world.recordDisk(operation, path, DiskResult(failure))
      throw SimStoragePort.error(failure)
    }
  }

  private func change(
    _ operation: DiskOperation, _ path: String, target: String = "", bytes: [UInt8] = [],
    _ body: (inout Disk, DiskStrike?) -> DiskResult
  ) throws(StorageError) {
    guard process.isAlive else { throw .inputOutput }
    let world = world
    world.enterPort(.storage)
    let strike = world.strikeAtChange(operation, path, byteCount: bytes.count)
    guard process.isAlive else { throw .inputOutput }
    let result = body(&world.device.disk, strike)
    world.recordDisk(operation, path, target: target, bytes: bytes, result)
    if case .death = strike { world.dieInDiskStep(result, byteCount: bytes.count) }
    if result.outcome != .done { throw SimStoragePort.error(result.outcome) }
  }

  private static func error(_ outcome: DiskOutcome) -> StorageError {
    switch outcome {
    case .notFound: return .notFound
    case .notPermitted: return .notPermitted
    case .noSpace: return .noSpace
    case .done, .inputOutput, .died, .diedAfter: return .inputOutput
    }
  }
}
