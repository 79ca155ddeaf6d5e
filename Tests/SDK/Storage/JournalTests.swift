import FuzzProperty
import Testing

@testable import SDK

@Suite("The journal")
struct JournalTests {
  let storage = MemoryStorage()
  let directory = "store/queue"

  private func makeJournal() -> Journal {
    try? storage.createDirectory(directory)
    return Journal(storage: storage, directory: directory)
  }

  private func message(_ sequence: UInt64, byteCount: Int = 40) -> QueuedMessage {
    let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: sequence), count: byteCount)
    return QueuedMessage(
      record: MessageRecord(
        type: .track, flags: [.analytics], sequence: sequence, identifierHash: sequence &* 31,
        anchor: 1_790_000_000_000,
        stamp: Stamp(time: 1_790_000_000_000 + Int64(sequence), boot: 7, uptime: Int64(sequence)),
        traitsGap: MessageRecord.noGap, advertisingIdGap: MessageRecord.noGap),
      bytes: bytes, byteCount: byteCount, traits: [],
      aging: Stamp(time: 1_790_000_000_000 + Int64(sequence), boot: 7, uptime: Int64(sequence)),
      queuedAt: 0, place: nil)
  }

  /// Queues and writes messages, each with a commit of its own.
  @discardableResult
  private func write(
    _ sequences: ClosedRange<UInt64>, _ journal: Journal, _ queue: inout MessageQueue,
    byteCount: Int = 40
  ) -> StorageError? {
    var failure: StorageError?
    for sequence in sequences {
      queue.insert(message(sequence, byteCount: byteCount))
      journal.add(sequence)
      failure = journal.commit(&queue, mayAddFile: true) ?? failure
    }
    return failure
  }

  private func remove(_ sequence: UInt64, _ journal: Journal, _ queue: inout MessageQueue) {
    guard let index = queue.index(of: sequence) else { return }
    journal.remove(queue.remove(at: index))
  }

  private func load() -> LoadedJournal? { try? makeJournal().load(queuedAt: 5) }

  private func denyAppends(_ suffix: String) {
    storage.failure = {
      $0.operation == "append" && $0.path.hasSuffix(suffix) ? .notPermitted : nil
    }
  }

  private var files: [String] { storage.files.keys.sorted() }

  @Test("a file that says from when messages of another one age stays with them (A-03)")
  func agesStay() throws {
    var queue = MessageQueue()
    var journal = makeJournal()
    write(1...2, journal, &queue)
    denyAppends("0001.journal")
    let present = Stamp(time: 1_800_000_000_000, boot: 8, uptime: 9)
    journal.age(1, from: present)
    #expect(journal.commit(&queue, mayAddFile: true) == nil)
    write(3...3, journal, &queue)
    remove(3, journal, &queue)
    #expect(journal.commit(&queue, mayAddFile: true) == nil)
    #expect(try #require(load()).messages.first?.aging == present)
    // So does a process that finds both.
    queue = MessageQueue()
    journal = makeJournal()
    for message in try journal.load(queuedAt: 5).messages { queue.insert(message) }
    #expect(journal.commit(&queue, mayAddFile: true) == nil)
    #expect(try #require(load()).messages.first?.aging == present)
    remove(1, journal, &queue)
    remove(2, journal, &queue)
    #expect(journal.commit(&queue, mayAddFile: true) == nil)
    #expect(files.isEmpty)
  }

  @Test("what was written is loaded, without bytes, and read back")
  func roundTrip() throws {
    let journal = makeJournal()
    var queue = MessageQueue()
    #expect(write(1...3, journal, &queue) == nil)
    #expect(files == ["store/queue/0000000000000001.journal"])
    let other = makeJournal()
    let loaded = try other.load(queuedAt: 5)
    #expect(loaded.messages.map { $0.sequence } == [1, 2, 3])
    #expect(loaded.messages.allSatisfy { $0.bytes == nil && $0.queuedAt == 5 })
    #expect(loaded.messages.map { $0.record } == (1...3).map { message($0).record })
    #expect(loaded.highestSequence == 3)
    let place = try #require(loaded.messages[1].place)
    #expect(other.read(place, sequence: 2) == .bytes([UInt8](repeating: 2, count: 40)))
    #expect(other.read(place, sequence: 3) == .lost)
  }

  @Test("a later process adds at the end of the last segment (B09)")
  func addsAtTheEnd() throws {
    let journal = makeJournal()
    var queue = MessageQueue()
    write(1...2, journal, &queue)
    let second = makeJournal()
    var loaded = MessageQueue()
    for message in try second.load(queuedAt: 0).messages { loaded.insert(message) }
    write(3...3, second, &loaded)
    #expect(files.count == 1)
    #expect(load()?.messages.map { $0.sequence } == [1, 2, 3])
  }

  @Test("removals hold for the next process, and a file goes with its last message")
  func removals() {
    let journal = makeJournal()
    var queue = MessageQueue()
    write(1...3, journal, &queue)
    remove(2, journal, &queue)
    #expect(journal.commit(&queue, mayAddFile: true) == nil)
    #expect(load()?.messages.map { $0.sequence } == [1, 3])
    remove(1, journal, &queue)
    remove(3, journal, &queue)
    #expect(journal.commit(&queue, mayAddFile: true) == nil)
    #expect(files == [])
    #expect(load()?.highestSequence == 0)
  }

  @Test("where no file may be made, a removal that the disk refused is tried again (S-37)")
  func removalAgain() {
    let journal = makeJournal()
    var queue = MessageQueue()
    write(1...2, journal, &queue)
    for sequence in [1, 2] as [UInt64] { remove(sequence, journal, &queue) }
    storage.failure = { ["remove", "size"].contains($0.operation) ? .inputOutput : nil }
    _ = journal.commit(&queue, mayAddFile: false)
    #expect(load()?.messages.count == 2)
    #expect(journal.hasWork(mayAddFile: false))
    storage.failure = nil
    #expect(journal.commit(&queue, mayAddFile: false) == nil)
    #expect(files == [])
    #expect(!journal.hasWork(mayAddFile: false))
  }

  @Test("a message that left before it was written leaves no trace")
  func neverWritten() {
    let journal = makeJournal()
    var queue = MessageQueue()
    queue.insert(message(1))
    journal.add(1)
    remove(1, journal, &queue)
    #expect(journal.commit(&queue, mayAddFile: true) == nil)
    #expect(files == [])
  }

  @Test("a segment ends at its size, and segments go one by one")
  func rotation() {
    let journal = makeJournal()
    var queue = MessageQueue()
    write(1...20, journal, &queue, byteCount: 30_000)
    #expect(files.count == 3)
    #expect(load()?.messages.count == 20)
    for sequence in UInt64(1)...12 { remove(sequence, journal, &queue) }
    #expect(journal.commit(&queue, mayAddFile: true) == nil)
    #expect(files.count == 2)
    #expect(load()?.messages.map { $0.sequence } == Array(13...20))
  }

  @Test("a removal stands where its message does: one file alone tells the truth (INV-07)")
  func ownRemovals() throws {
    let journal = makeJournal()
    var queue = MessageQueue()
    write(1...9, journal, &queue, byteCount: 30_000)
    write(10...11, journal, &queue)
    for sequence in [1, 2, 10] as [UInt64] { remove(sequence, journal, &queue) }
    #expect(journal.commit(&queue, mayAddFile: true) == nil)
    let all = storage.files
    for (path, expected) in zip(all.keys.sorted(), [Array(UInt64(3)...9), [11]]) {
      storage.files = all.filter { $0.key == path }
      #expect(try makeJournal().load(queuedAt: 0).messages.map { $0.sequence } == expected)
    }
  }

  @Test("a segment outlives those whose messages it removes")
  func guards() throws {
    let journal = makeJournal()
    var queue = MessageQueue()
    write(1...9, journal, &queue, byteCount: 30_000)
    write(10...10, journal, &queue)
    #expect(files.count == 2)
    // The removal of 1 must go into the second segment, whose own message then goes as well.
    remove(1, journal, &queue)
    denyAppends("0001.journal")
    _ = journal.commit(&queue, mayAddFile: true)
    storage.failure = nil
    remove(10, journal, &queue)
    _ = journal.commit(&queue, mayAddFile: true)
    #expect(files.count == 2)
    #expect(load()?.messages.map { $0.sequence } == Array(2...9))
    let second = makeJournal()
    var loaded = MessageQueue()
    for message in try second.load(queuedAt: 0).messages { loaded.insert(message) }
    _ = second.commit(&loaded, mayAddFile: true)
    #expect(load()?.messages.map { $0.sequence } == Array(2...9))
    for sequence in UInt64(2)...9 { remove(sequence, second, &loaded) }
    _ = second.commit(&loaded, mayAddFile: true)
    #expect(files == [])
  }

  @Test("a message keeps the instant from which it ages")
  func aging() throws {
    let journal = makeJournal()
    var queue = MessageQueue()
    write(1...2, journal, &queue)
    let stamp = Stamp(time: 99, boot: 3, uptime: 4)
    journal.age(2, from: stamp)
    #expect(journal.commit(&queue, mayAddFile: true) == nil)
    let loaded = try #require(load())
    #expect(loaded.messages.map { $0.aging } == [message(1).aging, stamp])
    #expect(loaded.messages.map { $0.record.stamp } == [message(1).aging, message(2).aging])
  }

  @Test("a file that is full leaves the old content, and the next change tries again (S-37)")
  func diskFull() {
    for room in 0..<260 {
      let test = JournalTests()
      let journal = test.makeJournal()
      var queue = MessageQueue()
      test.write(1...1, journal, &queue)
      test.storage.room = room
      let failure = test.write(2...3, journal, &queue)
      #expect(failure == (room < 214 ? .noSpace : nil), "room \(room)")
      #expect(test.load()?.messages.first?.sequence == 1)
      test.storage.room = nil
      #expect(journal.commit(&queue, mayAddFile: true) == nil)
      #expect(test.load()?.messages.map { $0.sequence } == [1, 2, 3], "room \(room)")
    }
  }

  @Test("a file that may not be written to is left, and a new one is used (B07)")
  func denied() {
    let journal = makeJournal()
    var queue = MessageQueue()
    write(1...1, journal, &queue)
    storage.failure = { $0.path.hasSuffix("0001.journal") ? .notPermitted : nil }
    #expect(write(2...4, journal, &queue) == nil)
    storage.failure = nil
    #expect(files.count == 2)
    #expect(load()?.messages.map { $0.sequence } == [1, 2, 3, 4])
  }

  @Test("a file that vanished or was cut is written anew from memory")
  func vanished() {
    let journal = makeJournal()
    var queue = MessageQueue()
    write(1...3, journal, &queue)
    storage.files = [:]
    #expect(write(4...4, journal, &queue) == nil)
    #expect(load()?.messages.map { $0.sequence } == [1, 2, 3, 4])
    let name = files.last ?? ""
    storage.files[name]?.removeLast(150)
    #expect(write(5...5, journal, &queue) == nil)
    #expect(load()?.messages.map { $0.sequence } == [1, 2, 3, 4, 5])
  }

  @Test("an unreadable file is kept, passed over, and read later (B06)")
  func unreadable() throws {
    let journal = makeJournal()
    var queue = MessageQueue()
    write(1...9, journal, &queue, byteCount: 30_000)
    write(10...11, journal, &queue)
    storage.failure = { step in
      step.operation == "read" && step.path.hasSuffix("0001.journal") ? .notPermitted : nil
    }
    let second = makeJournal()
    let loaded = try second.load(queuedAt: 0)
    #expect(loaded.messages.map { $0.sequence } == [10, 11])
    #expect(loaded.failures == [.notPermitted])
    #expect(loaded.highestSequence >= 11)
    var rest = MessageQueue()
    for message in loaded.messages { rest.insert(message) }
    remove(10, second, &rest)
    remove(11, second, &rest)
    _ = second.commit(&rest, mayAddFile: true)
    #expect(files == ["store/queue/0000000000000001.journal"])
    #expect(second.loadUnreadable(queuedAt: 0).messages.isEmpty)
    storage.failure = nil
    #expect(second.loadUnreadable(queuedAt: 0).messages.map { $0.sequence } == Array(1...9))
  }

  @Test("a file that can be read in part only is not used in part (INV-07)")
  func halfReadable() throws {
    let journal = makeJournal()
    var queue = MessageQueue()
    for sequence in UInt64(1)...20 {
      queue.insert(message(sequence, byteCount: 30_000))
      journal.add(sequence)
    }
    _ = journal.commit(&queue, mayAddFile: true)
    storage.files[files[0]].map { #expect($0.count > 600_000) }
    var reads = 0
    storage.failure = { step in
      guard step.operation == "read" else { return nil }
      reads += 1
      return reads > 1 ? .notPermitted : nil
    }
    let second = makeJournal()
    #expect(try second.load(queuedAt: 0).messages.isEmpty)
    storage.failure = nil
    #expect(second.loadUnreadable(queuedAt: 0).messages.count == 20)
  }

  @Test("a removal holds for a message whose file is read later (INV-07)")
  func removalBeforeMessage() throws {
    let journal = makeJournal()
    var queue = MessageQueue()
    write(1...9, journal, &queue, byteCount: 30_000)
    write(10...10, journal, &queue)
    remove(3, journal, &queue)
    journal.age(4, from: Stamp(time: 1, boot: 2, uptime: 3))
    denyAppends("0001.journal")
    _ = journal.commit(&queue, mayAddFile: true)
    storage.failure = { step in
      step.operation == "read" && step.path.hasSuffix("0001.journal") ? .notPermitted : nil
    }
    let second = makeJournal()
    var rest = MessageQueue()
    for message in try second.load(queuedAt: 0).messages { rest.insert(message) }
    // The last message of the second file goes; its removal of 3 must not.
    remove(10, second, &rest)
    _ = second.commit(&rest, mayAddFile: true)
    #expect(files.count == 2)
    storage.failure = nil
    let late = second.loadUnreadable(queuedAt: 0).messages
    #expect(late.map { $0.sequence } == [1, 2, 4, 5, 6, 7, 8, 9])
    #expect(late[2].aging == Stamp(time: 1, boot: 2, uptime: 3))
    #expect(load()?.messages.map { $0.sequence } == [1, 2, 4, 5, 6, 7, 8, 9])
  }

  @Test("one message that stays does not keep the files after its own")
  func longTail() {
    let journal = makeJournal()
    var queue = MessageQueue()
    for sequence in UInt64(1)...120 {
      write(sequence...sequence, journal, &queue, byteCount: 30_000)
      if sequence > 6 { remove(sequence - 5, journal, &queue) }
    }
    _ = journal.commit(&queue, mayAddFile: true)
    #expect(queue.count == 6)
    #expect(files.count <= 3)
    #expect(load()?.messages.map { $0.sequence } == [1, 116, 117, 118, 119, 120])
  }

  @Test("a passing error of the disk is no reason to give up")
  func passing() {
    let journal = makeJournal()
    var queue = MessageQueue()
    write(1...2, journal, &queue)
    var failures = 0
    storage.failure = { step in
      guard step.operation == "read" || step.operation == "list", failures < 2 else { return nil }
      failures += 1
      return .inputOutput
    }
    #expect(load()?.messages.count == 2)
  }
}
