/// The queue on disk: segment files of records that are only ever added to (docs/disk.md).
///
/// Every change is one append, so a death at any step leaves the old content or the new one. All
/// failures leave the journal usable: what could not be written stays in memory and is tried again
/// with the next change (S-37).
final class Journal {
  /// A segment that has grown beyond this is not added to any more.
  static let rotationByteCount = 256 * 1_024

  /// Says that a message is not queued any more.
  struct Removal: Equatable {
    var sequence: UInt64
    /// Where the message lies; `unknownSegment` if it can only be in one that could not be read.
    var segment: UInt64

    static let unknownSegment = UInt64.max
  }

  /// A file of the journal.
  struct Segment {
    var number: UInt64
    /// Up to where the file is known to be good.
    var byteCount: Int
    /// Messages in it that are still queued.
    var liveCount: Int
    /// Whether messages may be added to it.
    var isWritable: Bool
    /// Whether its end is known; not after a failure that may have left half a record.
    var isSound: Bool
    /// The file is longer than `byteCount` and must be cut before more is added.
    var needsTruncation: Bool
    /// It could not be read when it was loaded; nobody knows what is in it (B06: it is kept).
    var isUnreadable: Bool
    /// Removing the file failed; it is tried again while a removal in it could not be written
    /// either, else with the next process.
    var isStuck: Bool
    /// Its messages are to be written once more: until they are, it must stay.
    var isSource: Bool
    /// What it holds was written once more elsewhere: that must be durable before this one goes.
    var hasMoved: Bool
    /// Removals in it that concern messages of other segments: where the other one still exists,
    /// they must be written again before this one may go.
    var removals: [Removal]
    /// Messages of other segments that age as said in this one: while they lie there, it must stay.
    var aged: [Removal]

    init(number: UInt64) {
      self.number = number
      byteCount = 0
      liveCount = 0
      isWritable = true
      isSound = true
      needsTruncation = false
      isUnreadable = false
      isStuck = false
      isSource = false
      hasMoved = false
      removals = []
      aged = []
    }
  }

  let storage: any StoragePort
  let directory: String
  /// In the order of their numbers.
  var segments: [Segment] = []
  /// Messages of this process that are to be written, in order.
  var unwritten: [UInt64] = []
  var removals: [Removal] = []
  /// What the readable segments said, while there are others.
  var gathered: Gathering?
  var agings: [(sequence: UInt64, stamp: Stamp)] = []
  /// Segments that hold an older copy of a message: they must hear of its removal as well.
  var copies = Lookup<UInt64, [UInt64]>()
  /// Segments with bytes that no barrier covers yet.
  var unsynced: [UInt64] = []
  /// Files came or went since the last barrier on the directory.
  var needsDirectoryBarrier = false
  var buffer: [UInt8] = []
  /// Segments were loaded that may hold nothing any more.
  var needsSweep = false

  init(storage: any StoragePort, directory: String) {
    self.storage = storage
    self.directory = directory
  }

  /// Whether `commit` has something to do.
  func hasWork(mayAddFile: Bool) -> Bool {
    needsSweep || hasRecords && (mayAddFile || hasWritableSegment || hasOwnRemovals)
  }
  /// Whether there are records to be written.
  var hasRecords: Bool { !unwritten.isEmpty || !removals.isEmpty || !agings.isEmpty }
  var hasWritableSegment: Bool {
    guard let last = segments.last else { return false }
    return last.byteCount > 0 && isOpen(last)
  }
  /// Whether what is noted may be added to a segment.
  func isOpen(_ segment: Segment) -> Bool {
    segment.isWritable && segment.byteCount < Self.rotationByteCount
      && unwritten.last ?? 0 < segment.number + JournalFormat.numbersPerSegment
  }
  /// Whether a removal can stand where its message lies, or that file can go: also where no other
  /// may be made, a disk that failed once is tried again (S-37).
  private var hasOwnRemovals: Bool {
    removals.contains { removal in
      guard let index = segmentIndex(removal.segment) else { return false }
      return segments[index].isSound || segments[index].liveCount == 0
    }
  }
  /// Whether there is a segment of which nobody knows what it holds.
  var hasUnreadableSegment: Bool { segments.contains { $0.isUnreadable } }
  /// Whether `synchronize` has something to do.
  var needsBarrier: Bool { !unsynced.isEmpty || needsDirectoryBarrier }

  func path(_ number: UInt64) -> String { directory + "/" + JournalFormat.segmentName(number) }

  /// Notes that a message is to be written.
  func add(_ sequence: UInt64) { unwritten.append(sequence) }

  /// Notes that a message has left the queue.
  func remove(_ message: QueuedMessage) {
    guard let place = message.place, let index = segmentIndex(place.segment) else { return }
    segments[index].liveCount -= 1
    if segments[index].liveCount == 0 { needsSweep = true }
    removals.append(Removal(sequence: message.sequence, segment: place.segment))
    for segment in copies[message.sequence] ?? [] where segment != place.segment {
      removals.append(Removal(sequence: message.sequence, segment: segment))
    }
  }

  /// Nothing more is added to a segment.
  func close(_ number: UInt64) {
    if let index = segmentIndex(number) {
      segments[index].isWritable = false
      segments[index].isSound = false
    }
  }

  /// Notes that a message is to be written once more, in another segment than before.
  func rewrite(_ message: QueuedMessage) {
    if let place = message.place, let index = segmentIndex(place.segment) {
      segments[index].liveCount -= 1
      segments[index].isSource = true
      segments[index].hasMoved = true
      noteCopy(of: message.sequence, in: place.segment)
    }
    unwritten.append(message.sequence)
  }

  /// Notes that a segment holds an older copy of a message.
  func noteCopy(of sequence: UInt64, in segment: UInt64) {
    copies[sequence] = (copies[sequence] ?? []) + [segment]
  }

  /// Notes from when a message ages.
  func age(_ sequence: UInt64, from stamp: Stamp) { agings.append((sequence, stamp)) }

  /// Forgets everything: its directory was removed.
  func forget() {
    segments = []
    unwritten = []
    removals = []
    agings = []
    copies = Lookup()
    unsynced = []
    needsDirectoryBarrier = false
    gathered = nil
    needsSweep = false
  }

  func segmentIndex(_ number: UInt64) -> Int? { segments.firstIndex { $0.number == number } }

  /// Writes what was noted: removes segments without messages, and appends the rest at once.
  /// - Parameter mayAddFile: whether a new segment may be made where no other can be added to.
  /// - Returns: why something is still to be written.
  func commit(_ queue: inout MessageQueue, mayAddFile: Bool) -> StorageError? {
    for removal in removals {
      if let index = segmentIndex(removal.segment) { segments[index].isStuck = false }
    }
    unwritten.removeAll { queue.index(of: $0) == nil }
    if unwritten.isEmpty { releaseSources() }
    removeDeadSegments()
    carryRemovals()
    removals.removeAll { !isNeeded($0) }
    if !hasRecords { return nil }
    // New messages first: they are all that a death in here could cost.
    let own = takeOwnRemovals()
    let failure = appendRecords(&queue, mayAddFile: mayAddFile)
    if own.isEmpty { return failure }
    removals += appendOwnRemovals(own, &queue, mayAddFile: mayAddFile)
    return failure ?? appendRecords(&queue, mayAddFile: mayAddFile)
  }

  /// Makes everything written so far durable against a power loss.
  /// - Returns: why something is not.
  func synchronize() -> StorageError? {
    var failure: StorageError?
    var left: [UInt64] = []
    for number in unsynced where segmentIndex(number) != nil {
      do {
        try storage.barrier(path(number))
      } catch {
        if error == .notFound { continue }
        failure = error
        left.append(number)
      }
    }
    unsynced = left
    if failure == nil, needsDirectoryBarrier {
      do {
        try storage.barrier(directory)
      } catch  where error != .notFound {
        return error
      } catch {}
      needsDirectoryBarrier = false
    }
    return failure
  }

  /// Whether the message of a removal may still lie in some file.
  private func isNeeded(_ removal: Removal) -> Bool {
    removal.segment == Removal.unknownSegment
      ? hasUnreadableSegment : segmentIndex(removal.segment) != nil
  }

  /// Whether a segment holds nothing that is queued, and may be removed as far as that goes.
  private func isDead(_ segment: Segment) -> Bool {
    segment.liveCount == 0 && !segment.isUnreadable && !segment.isStuck && !segment.isSource
  }

  /// Notes the removals of dead segments that are still needed, so that they stand in the last one.
  /// Otherwise one message that stays would keep all segments after its own.
  private func carryRemovals() {
    for index in segments.indices.dropLast() where isDead(segments[index]) {
      let held = segments[index].removals.filter { isNeeded($0) }
      if !held.isEmpty { segments[index].hasMoved = true }
      removals += held.filter { !isCarried($0) && !removals.contains($0) }
    }
  }

  /// Removes each segment that holds no queued message, and nothing about those of another one that
  /// is still needed.
  func removeDeadSegments() {
    needsSweep = false
    var index = 0
    while index < segments.count {
      let segment = segments[index]
      let isLast = index == segments.count - 1
      // The last one is about to be written to.
      let isAwaited = isLast && segment.isWritable && !unwritten.isEmpty
      let isHolding = segment.removals.contains { removal in
        isNeeded(removal) && (isLast || !isCarried(removal))
      }
      let isTelling = segment.aged.contains { isNeeded($0) }
      if !isDead(segment) || isAwaited || isHolding || isTelling {
        index += 1
        continue
      }
      // A power loss must not find it gone, and what took its place not there yet.
      if segment.hasMoved, !unsynced.isEmpty, synchronize() != nil {
        index += 1
        continue
      }
      do {
        needsDirectoryBarrier = true
        try storage.remove(path(segment.number))
      } catch  where error != .notFound {
        segments[index].isStuck = true
        index += 1
        continue
      } catch {}
      segments.remove(at: index)
      // It may have been what kept another one.
      index = 0
    }
  }

  /// Whether a removal stands in the last segment as well.
  private func isCarried(_ removal: Removal) -> Bool {
    segments.last?.removals.contains(removal) ?? false
  }
}
