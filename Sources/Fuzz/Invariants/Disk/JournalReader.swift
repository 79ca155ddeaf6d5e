import CZlib
import FuzzHistory
import SimKernel

/// A message found in a journal file.
public struct JournalRecord {
  /// How a record's checksum is treated.
  public enum Checksum: UInt8 {
    case unknown
    case right
    case wrong
  }

  /// Which journal file it lies in.
  var journal: Int
  /// Where the payload lies in the file, with its stored checksum.
  var payloadStart: Int
  var payloadCount: Int
  var storedChecksum: UInt32
  var checksum: Checksum

  /// 1 track, 2 screen, 3 identify, 4 group, 5 alias.
  public var type: UInt8
  public var flags: UInt8
  public var sequence: UInt64
  public var identifierHash: UInt64
  /// Milliseconds since the Unix epoch.
  public var anchor: Int64
  public var time: Int64
  public var boot: UInt64
  public var uptime: Int64
  /// Where the message bytes lie in the file.
  public var start: Int
  public var count: Int

  /// When and by which process it came onto the disk.
  public var appended: Instant
  public var process: Int32
  /// The message of the model, or -1.
  public var expected: Int32 = -1
  /// In how many removal records it stands.
  public var removals: Int = 0
  /// It came whole with an append that failed further on: the process that made it writes it again.
  public var isHalfWritten = false
  /// The record of the same message before this one, or -1.
  var older = -1
  /// Its file was removed, replaced or damaged since.
  public var isGone = false
  /// The world damaged its file since.
  public var wasDamaged = false

  public var wasMadeWithTraits: Bool { flags & 8 != 0 }
  public var hasUserId: Bool { flags & 16 != 0 }
}

/// How far a journal file was read.
struct JournalCursor {
  var readTo = 0
  /// Nothing after a broken length can be read.
  var isGivenUp = false
  var givenUpInstant: Instant?
}

/// What was found in one journal file.
struct JournalFile {
  var cursor = JournalCursor()
  /// Indices into `DiskShadow.records` of the messages in it.
  var messages: [Int] = []
  /// Indices of the messages that its removal records name.
  var removed: [Int] = []
}

/// Reads journal files by their documented format, without any code of the SDK.
struct JournalReader {
  enum Found {
    case message(JournalRecord)
    /// So many sequence numbers of eight bytes from `start` on.
    case removal(start: Int, count: Int)
  }

  static let headCount = 8
  static let largestPayload = 65_536
  static let messageHeaderCount = 59

  /// The fact that brought the bytes.
  let record: Record
  let journal: Int
  /// Records that begin here or later came in one step: their checksum can wait until somebody asks
  /// for the message. One that began earlier was not written whole.
  let trustedFrom: Int

  /// Gives the next record that is complete; bad ones are skipped.
  func next(_ content: UnsafeRawBufferPointer, _ cursor: inout JournalCursor) -> Found? {
    if cursor.isGivenUp || !readHead(content, &cursor) { return nil }
    while content.count - cursor.readTo >= 8 {
      let at = cursor.readTo
      let count = Int(JournalReader.number32(content, at))
      if count > JournalReader.largestPayload {
        cursor.isGivenUp = true
        return nil
      }
      guard content.count - at - 8 >= count else { return nil }
      cursor.readTo = at + 8 + count
      let stored = JournalReader.number32(content, at + 4)
      // Removals are short: their checksum is always looked at.
      let isTrusted = at >= trustedFrom && count > 0 && content[at + 8] == 1
      if !isTrusted, JournalReader.checksum(content, at + 8, count) != stored { continue }
      if let found = payload(content, at + 8, count, stored, isTrusted) { return found }
    }
    return nil
  }

  private func readHead(_ content: UnsafeRawBufferPointer, _ cursor: inout JournalCursor) -> Bool {
    if cursor.readTo > 0 { return true }
    guard content.count >= JournalReader.headCount else { return false }
    guard JournalReader.hasHead(content) else {
      cursor.isGivenUp = true
      return false
    }
    cursor.readTo = JournalReader.headCount
    return true
  }

  private func payload(
    _ content: UnsafeRawBufferPointer, _ start: Int, _ count: Int, _ stored: UInt32,
    _ isTrusted: Bool
  ) -> Found? {
    guard count > 0 else { return nil }
    switch content[start] {
    case 1:
      guard count >= JournalReader.messageHeaderCount else { return nil }
      return .message(message(content, start, count, stored, isTrusted ? .unknown : .right))
    case 2:
      guard count >= 5 else { return nil }
      return .removal(
        start: start + 5,
        count: min(Int(JournalReader.number32(content, start + 1)), (count - 5) / 8))
    default: return nil
    }
  }

  private func message(
    _ content: UnsafeRawBufferPointer, _ start: Int, _ count: Int, _ stored: UInt32,
    _ checksum: JournalRecord.Checksum
  ) -> JournalRecord {
    func signed(_ at: Int) -> Int64 {
      Int64(bitPattern: JournalReader.number64(content, start + at))
    }
    return JournalRecord(
      journal: journal, payloadStart: start, payloadCount: count, storedChecksum: stored,
      checksum: checksum, type: content[start + 1], flags: content[start + 2],
      sequence: JournalReader.number64(content, start + 3),
      identifierHash: JournalReader.number64(content, start + 11),
      anchor: signed(19), time: signed(27), boot: JournalReader.number64(content, start + 35),
      uptime: signed(43), start: start + JournalReader.messageHeaderCount,
      count: count - JournalReader.messageHeaderCount, appended: record.instant,
      process: record.process)
  }

  /// The magic and a version that we know (S-38).
  static func hasHead(_ content: UnsafeRawBufferPointer) -> Bool {
    content[0] == 0x50 && content[1] == 0x4d && content[2] == 0x4a && content[3] == 0x31
      && number32(content, 4) == 1
  }

  static func checksum(_ content: UnsafeRawBufferPointer, _ start: Int, _ count: Int) -> UInt32 {
    guard let base = content.baseAddress, count > 0 else { return 0 }
    let bytes = (base + start).assumingMemoryBound(to: UInt8.self)
    return UInt32(truncatingIfNeeded: crc32(0, bytes, UInt32(count)))
  }

  static func number32(_ content: UnsafeRawBufferPointer, _ at: Int) -> UInt32 {
    UInt32(littleEndian: content.loadUnaligned(fromByteOffset: at, as: UInt32.self))
  }

  static func number64(_ content: UnsafeRawBufferPointer, _ at: Int) -> UInt64 {
    UInt64(littleEndian: content.loadUnaligned(fromByteOffset: at, as: UInt64.self))
  }
}
