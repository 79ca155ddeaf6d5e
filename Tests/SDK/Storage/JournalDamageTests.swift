import FuzzProperty
import Testing

@testable import SDK

@Suite("A journal whose bytes were damaged")
struct JournalDamageTests {
  private static let path = "store/queue/0000000000000001.journal"

  private static func record(_ sequence: UInt64) -> MessageRecord {
    MessageRecord(
      type: .identify, flags: [.analytics, .hasUser], sequence: sequence,
      identifierHash: sequence, anchor: 5, stamp: Stamp(time: 6, boot: 7, uptime: 8), traitsGap: 3,
      advertisingIdGap: MessageRecord.noGap)
  }

  /// Five messages, the second of which is removed.
  private static let healthy: [UInt8] = {
    var bytes = JournalFormat.head
    for sequence in UInt64(1)...5 {
      JournalFormat.append(
        record(sequence), [UInt8](repeating: 0x61, count: 20 + Int(sequence)), to: &bytes)
    }
    JournalFormat.append(removalOf: [2], to: &bytes)
    return bytes
  }()

  /// Where each record of `healthy` ends.
  private static let ends: [Int] = {
    var ends: [Int] = []
    var offset = JournalFormat.head.count
    while offset < healthy.count {
      guard
        case .record(_, let count) = healthy.withUnsafeBytes({ JournalFormat.frame($0, at: offset) }
        )
      else { break }
      offset += count
      ends.append(offset)
    }
    return ends
  }()

  private func load(_ bytes: [UInt8]) throws -> (LoadedJournal, MemoryStorage, Journal) {
    let storage = MemoryStorage()
    try storage.createDirectory("store/queue")
    storage.files[Self.path] = bytes
    let journal = Journal(storage: storage, directory: "store/queue")
    return (try journal.load(queuedAt: 0), storage, journal)
  }

  @Test("six records make the file")
  func fixture() {
    #expect(Self.ends.count == 6)
    #expect(Self.ends.last == Self.healthy.count)
  }

  @Test("cut at any byte, every whole record is there, and more can be added")
  func cutAnywhere() throws {
    for count in 0...Self.healthy.count {
      let (loaded, storage, journal) = try load(Array(Self.healthy[..<count]))
      let whole = Self.ends.filter { $0 <= count }.count
      var expected = Array(UInt64(1)...5).prefix(whole)
      if whole == 6 { expected.removeAll { $0 == 2 } }
      #expect(loaded.messages.map { $0.sequence } == Array(expected), "cut at \(count)")
      var queue = MessageQueue()
      for message in loaded.messages { queue.insert(message) }
      var added = QueuedMessage(
        record: Self.record(9), bytes: [1, 2, 3], byteCount: 3, traits: [],
        aging: Stamp(time: 6, boot: 7, uptime: 8), queuedAt: 0, place: nil)
      added.record.sequence = 9
      queue.insert(added)
      journal.add(9)
      #expect(journal.commit(&queue, mayAddFile: true) == nil)
      let again = Journal(storage: storage, directory: "store/queue")
      #expect(try again.load(queuedAt: 0).messages.map { $0.sequence } == Array(expected) + [9])
    }
  }

  @Test("a flipped bit costs one record at most, unless it hits a length")
  func flips() throws {
    for index in JournalFormat.head.count..<Self.healthy.count {
      let record = Self.ends.firstIndex { $0 > index } ?? 0
      let start = record == 0 ? JournalFormat.head.count : Self.ends[record - 1]
      for bit in 0..<8 {
        var bytes = Self.healthy
        bytes[index] ^= 1 << UInt8(bit)
        let (loaded, _, _) = try load(bytes)
        let found = loaded.messages.map { $0.sequence }
        let before = Array(UInt64(1)...5).prefix(record)
        if index - start < 4 {
          // What came before a broken length is safe.
          #expect(before.allSatisfy { found.contains($0) || $0 == 2 })
        } else {
          var expected = Array(UInt64(1)...5)
          if record < 5 { expected.removeAll { $0 == UInt64(record + 1) || $0 == 2 } }
          #expect(found == expected, "bit \(bit) of byte \(index)")
          #expect(loaded.damagedRecords == 1)
        }
      }
    }
  }

  @Test(
    "a wild length is no reason to reserve memory (B107)",
    arguments: [0, 1, 65_537, 0x7FFF_FFFF, 0xFFFF_FFFF] as [UInt32])
  func wildLengths(_ length: UInt32) throws {
    for start in [JournalFormat.head.count] + Self.ends.dropLast() {
      var bytes = Self.healthy
      withUnsafeBytes(of: length.littleEndian) {
        bytes.replaceSubrange(start..<(start + 4), with: $0)
      }
      let (loaded, _, _) = try load(bytes)
      let whole = Self.ends.filter { $0 <= start }.count
      #expect(loaded.messages.count >= min(whole, 5) - 1)
      #expect(loaded.messages.count <= 5)
    }
  }

  @Test(
    "another format, or an older or newer one, counts as corrupt (S-38)",
    arguments: [
      [], [0x50], [0x50, 0x4D, 0x4A, 0x31, 2, 0, 0, 0], [0x50, 0x4D, 0x4A, 0x31, 0, 0, 0, 0],
      [0x50, 0x4D, 0x4A, 0x32, 1, 0, 0, 0], Array("garbage".utf8), [UInt8](repeating: 0, count: 64),
    ] as [[UInt8]])
  func otherFormats(_ head: [UInt8]) throws {
    let (loaded, storage, journal) = try load(
      head + Self.healthy.dropFirst(JournalFormat.head.count))
    #expect(loaded.messages.isEmpty)
    var queue = MessageQueue()
    #expect(journal.commit(&queue, mayAddFile: true) == nil)
    #expect(storage.files.isEmpty)
  }

  @Test("any bytes are loaded without a trap")
  func anything() throws {
    let edits = zip(Generator<Int>.integer(in: 0...2_000), Generator<UInt8>.anyInteger).array(0...8)
    let tails = Generator<UInt8>.anyInteger.array(0...80)
    try check("load is total", runs: 2_000, zip(edits, tails)) { edits, tail in
      var bytes = Self.healthy
      for (place, byte) in edits { bytes[place % bytes.count] = byte }
      let (loaded, _, _) = try load(bytes + tail)
      return loaded.messages.count <= 8
    }
  }

  @Test("records are read across the ends of the windows in which a file is read")
  func windows() throws {
    var bytes = JournalFormat.head
    for sequence in UInt64(1)...60 {
      JournalFormat.append(
        Self.record(sequence), [UInt8](repeating: 0x61, count: 9_000 + Int(sequence)), to: &bytes)
    }
    let (loaded, _, _) = try load(bytes)
    #expect(loaded.messages.map { $0.sequence } == Array(1...60))
    let (cut, _, _) = try load(Array(bytes.dropLast(5)))
    #expect(cut.messages.count == 59)
  }

  @Test("records of unknown kinds and numbers that cannot be ours are skipped")
  func unknownRecords() throws {
    var bytes = JournalFormat.head
    JournalFormat.append(Self.record(1), [0x61], to: &bytes)
    let start = bytes.count
    JournalFormat.append(Self.record(2), [0x61], to: &bytes)
    bytes[start + JournalFormat.frameByteCount] = 200
    let payload = Array(bytes[(start + JournalFormat.frameByteCount)...])
    let checksum = payload.withUnsafeBytes { crc32($0) }
    withUnsafeBytes(of: checksum.littleEndian) {
      bytes.replaceSubrange((start + 4)..<(start + 8), with: $0)
    }
    JournalFormat.append(Self.record(.max), [0x61], to: &bytes)
    JournalFormat.append(removalOf: [.max], to: &bytes)
    JournalFormat.append(Self.record(3), [0x61], to: &bytes)
    let (loaded, _, _) = try load(bytes)
    #expect(loaded.messages.map { $0.sequence } == [1, 3])
    #expect(loaded.highestSequence == 3)
    #expect(loaded.damagedRecords == 2)
  }

  @Test("only our own names are segments")
  func names() {
    #expect(JournalFormat.segmentNumber("00000000000000ff.journal") == 255)
    #expect(JournalFormat.segmentName(255) == "00000000000000ff.journal")
    for name in [
      "", "ff.journal", "00000000000000FF.journal", "00000000000000ff.journal.bak",
      "ffffffffffffffff.journal", "+0000000000000ff.journal", "00000000000000ff,journal",
    ] {
      #expect(JournalFormat.segmentNumber(name) == nil, "\(name)")
    }
  }
}
