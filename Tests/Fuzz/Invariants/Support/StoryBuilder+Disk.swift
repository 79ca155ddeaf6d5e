import CZlib
import FuzzHistory
import SimKernel

@testable import FuzzInvariants

/// The disk of a history built by hand: the journal as it is documented.
extension StoryBuilder {
  static let storage = "Library/Application Support/PostlipMetrics"
  static let segment = storage + "/queue/0000000000000001.journal"

  func disk(
    _ operation: DiskOperation, _ path: String, _ bytes: [UInt8] = [],
    outcome: DiskOutcome = .done, target: String = "", offset: UInt32 = 0
  ) {
    record(
      .disk(
        operation, outcome: outcome, queue: 1, step: 0, path: history.store(path),
        target: history.store(target), offset: offset, bytes: history.store(bytes)))
  }

  /// Opens the segment.
  func openJournal() { disk(.write, StoryBuilder.segment, Array("PMJ1".utf8) + [1, 0, 0, 0]) }

  /// A record of a message; its traits are left out by the caller.
  func journalRecord(
    _ message: Message, sequence: UInt64, type: UInt8 = 1, flags: UInt8 = 3, time: Int64? = nil
  ) -> [UInt8] {
    var payload: [UInt8] = [1, type, flags]
    payload += bytes(sequence)
    payload += bytes(hashIdentifier(Array(message.id.utf8)))
    payload += bytes(UInt64(bitPattern: (anchorWall ?? 0) / 1_000_000))
    payload += bytes(UInt64(bitPattern: time ?? anchored / 1_000_000))
    payload += bytes(boot)
    payload += bytes(UInt64(bitPattern: continuous))
    payload += [UInt8](repeating: 0xff, count: 8)
    payload += Array(message.text.utf8)
    return framed(payload)
  }

  func removalRecord(_ sequences: [UInt64]) -> [UInt8] {
    var payload: [UInt8] = [2]
    payload += Array(bytes(UInt64(sequences.count)).prefix(4))
    for sequence in sequences { payload += bytes(sequence) }
    return framed(payload)
  }

  func append(_ bytes: [UInt8], outcome: DiskOutcome = .done) {
    disk(.append, StoryBuilder.segment, bytes, outcome: outcome)
  }

  func damageSegment(_ damage: FileDamage, leaving content: [UInt8]? = nil) {
    let path = history.store(StoryBuilder.segment)
    record(.fileDamaged(path: path, damage), process: -1)
    if let content {
      record(.fileContent(path: path, bytes: history.store(content)), process: -1)
    }
  }

  private func framed(_ payload: [UInt8]) -> [UInt8] {
    let checksum = UInt64(crc32(0, payload, UInt32(payload.count)))
    return Array(bytes(UInt64(payload.count)).prefix(4)) + Array(bytes(checksum).prefix(4))
      + payload
  }

  private func bytes(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
