import Testing

@testable import SDK

@Suite("A message that lies in two files of the journal")
struct JournalCopyTests {
  private static let older = "store/queue/0000000000000001.journal"
  private static let newer = "store/queue/0000000000000002.journal"

  private let storage = MemoryStorage()

  private static func bytes(_ sequence: UInt64) -> [UInt8] {
    [UInt8](repeating: UInt8(truncatingIfNeeded: sequence), count: 40)
  }

  private static func file(_ sequences: [UInt64]) -> [UInt8] {
    var content = JournalFormat.head
    for sequence in sequences {
      let record = MessageRecord(
        type: .track, flags: [.analytics], sequence: sequence, identifierHash: sequence,
        anchor: 5, stamp: Stamp(time: 6, boot: 7, uptime: 8), traitsGap: MessageRecord.noGap,
        advertisingIdGap: MessageRecord.noGap)
      JournalFormat.append(record, bytes(sequence), to: &content)
    }
    return content
  }

  /// The second message was written once more, after the older file had been found damaged.
  private func load() throws -> (Journal, MessageQueue) {
    try storage.createDirectory("store/queue")
    storage.files[Self.older] = Self.file([1, 2])
    storage.files[Self.newer] = Self.file([2, 3])
    return try reload()
  }

  private func reload() throws -> (Journal, MessageQueue) {
    let journal = Journal(storage: storage, directory: "store/queue")
    var queue = MessageQueue()
    for message in try journal.load(queuedAt: 0).messages { queue.insert(message) }
    return (journal, queue)
  }

  private func remove(_ sequence: UInt64, _ journal: Journal, _ queue: inout MessageQueue) {
    guard let index = queue.index(of: sequence) else { return }
    journal.remove(queue.remove(at: index))
  }

  private func sequences(_ queue: MessageQueue) -> [UInt64] {
    (0..<queue.count).map { queue[$0].sequence }
  }

  @Test("it is one message, and the newer copy is the one that is read")
  func newerCounts() throws {
    let (journal, queue) = try load()
    #expect(sequences(queue) == [1, 2, 3])
    storage.files[Self.older] = nil
    let index = try #require(queue.index(of: 2))
    let place = try #require(queue[index].place)
    #expect(journal.read(place, sequence: 2) == .bytes(Self.bytes(2)))
  }

  @Test("its removal holds for both copies, whichever file is left (INV-07)")
  func removedFromBoth() throws {
    var (journal, queue) = try load()
    for sequence in [UInt64(2), 3] { remove(sequence, journal, &queue) }
    #expect(journal.commit(&queue, mayAddFile: true) == nil)
    #expect(sequences(try reload().1) == [1])
    storage.files[Self.newer] = nil
    #expect(sequences(try reload().1) == [1])
  }

  @Test("what was written once more by this process is removed where it came from as well")
  func rewritten() throws {
    try storage.createDirectory("store/queue")
    storage.files[Self.older] = Self.file([1, 2])
    var (journal, queue) = try reload()
    let index = try #require(queue.index(of: 2))
    queue[index].bytes = Self.bytes(2)
    journal.close(1)
    journal.rewrite(queue[index])
    queue[index].place = nil
    #expect(journal.commit(&queue, mayAddFile: true) == nil)
    #expect(storage.files.count == 2)
    remove(2, journal, &queue)
    #expect(journal.commit(&queue, mayAddFile: true) == nil)
    #expect(sequences(try reload().1) == [1])
  }
}
