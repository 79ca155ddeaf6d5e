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
    /// Removing the file failed; it is tried again with the next process.
    var isStuck: Bool
    /// Its messages are to be written once more: until they are, it must stay.
    var isSource: Bool
    /// Removals in it that concern messages of other segments: where the other one still exists,
    /// they must be written again before this one may go.
    var removals: [Removal]

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
      removals = []
    }
  }

  let storage: any StoragePort
  let directory: String
  /// In the order of their numbers.
  var segments: [Segment] = []
  /// Messages of this process that are to be written, in order.
  private(set) var unwritten: [UInt64] = []
  private var removals: [Removal] = []
  /// What the readable segments said, while there are others.
  var gathered: Gathering?
  private var agings: [(sequence: UInt64, stamp: Stamp)] = []
  /// Segments with bytes that no barrier covers yet.
  private var unsynced: [UInt64] = []
  private var buffer: [UInt8] = []
  /// Segments were loaded that may hold nothing any more.
  var needsSweep = false

  init(storage: any StoragePort, directory: String) {
    self.storage = storage
    self.directory = directory
  }

  /// Whether `commit` has something to do.
  func hasWork(mayAddFile: Bool) -> Bool {
    needsSweep || hasRecords && (mayAddFile || hasWritableSegment)
  }
  /// Whether there are records to be written.
  var hasRecords: Bool { !unwritten.isEmpty || !removals.isEmpty || !agings.isEmpty }
  private var hasWritableSegment: Bool {
    guard let last = segments.last else { return false }
    return last.isWritable && last.byteCount > 0 && last.byteCount < Self.rotationByteCount
  }
  /// Whether there is a segment of which nobody knows what it holds.
  var hasUnreadableSegment: Bool { segments.contains { $0.isUnreadable } }
  /// Whether `synchronize` has something to do.
  var needsBarrier: Bool { !unsynced.isEmpty }

  func path(_ number: UInt64) -> String { directory + "/" + JournalFormat.segmentName(number) }

  /// Notes that a message is to be written.
  func add(_ sequence: UInt64) { unwritten.append(sequence) }

  /// Notes that a message has left the queue.
  func remove(_ message: QueuedMessage) {
    guard let place = message.place, let index = segmentIndex(place.segment) else { return }
    segments[index].liveCount -= 1
    if segments[index].liveCount == 0 { needsSweep = true }
    removals.append(Removal(sequence: message.sequence, segment: place.segment))
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
    }
    unwritten.append(message.sequence)
  }

  /// Notes from when a message ages.
  func age(_ sequence: UInt64, from stamp: Stamp) { agings.append((sequence, stamp)) }

  /// Forgets everything: its directory was removed.
  func forget() {
    segments = []
    unwritten = []
    removals = []
    agings = []
    unsynced = []
    gathered = nil
    needsSweep = false
  }

  func segmentIndex(_ number: UInt64) -> Int? { segments.firstIndex { $0.number == number } }

  /// Writes what was noted: removes segments without messages, and appends the rest at once.
  /// - Parameter mayAddFile: whether a new segment may be made where no other can be added to.
  /// - Returns: why something is still to be written.
  func commit(_ queue: inout MessageQueue, mayAddFile: Bool) -> StorageError? {
    unwritten.removeAll { queue.index(of: $0) == nil }
    if unwritten.isEmpty { releaseSources() }
    removeDeadSegments()
    carryRemovals()
    removals.removeAll { !isNeeded($0) }
    if !hasRecords { return nil }
    appendOwnRemovals(&queue, mayAddFile: mayAddFile)
    // A segment that may not be written to is left alone, and a new one is tried (B07).
    for _ in 0..<2 where hasRecords {
      if hasWritableSegment, let last = segments.last {
        _ = makeReady(last.number, &queue, mayAddFile: mayAddFile)
      }
      if !mayAddFile && !hasWritableSegment { return nil }
      switch appendOnce(&queue) {
      case nil: removeDeadSegments()
      case .notPermitted: continue
      case let error: return error
      }
    }
    return hasRecords ? .notPermitted : nil
  }

  /// Adds each removal to the segment that holds its message: who can read the message can then
  /// read that it was removed. Those of the segment that is being added to go with everything else,
  /// and those for which it fails as well.
  private func appendOwnRemovals(_ queue: inout MessageQueue, mayAddFile: Bool) {
    let active = hasWritableSegment ? segments.last?.number : nil
    for number in segments.map({ $0.number }) where number != active {
      let own = removals.filter { $0.segment == number }
      guard !own.isEmpty, makeReady(number, &queue, mayAddFile: mayAddFile),
        let index = segmentIndex(number)
      else { continue }
      var bytes: [UInt8] = []
      JournalFormat.append(removalOf: own.map { $0.sequence }, to: &bytes)
      do {
        try storage.append(path(number), bytes)
      } catch {
        repair(index, after: error)
        continue
      }
      segments[index].byteCount += bytes.count
      noteUnsynced(number)
      removals.removeAll { $0.segment == number }
    }
  }

  /// Nothing waits any more to be written once more.
  private func releaseSources() {
    for index in segments.indices { segments[index].isSource = false }
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
      let held = segments[index].removals.filter { isNeeded($0) && !isCarried($0) }
      removals += held.filter { !removals.contains($0) }
    }
  }

  /// Removes each segment that holds no queued message and no removal that another one needs.
  private func removeDeadSegments() {
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
      if !isDead(segment) || isAwaited || isHolding {
        index += 1
        continue
      }
      do {
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

  private func appendOnce(_ queue: inout MessageQueue) -> StorageError? {
    let index = activeSegment()
    let places = fillBuffer(queue, segments[index])
    do {
      try storage.append(path(segments[index].number), buffer)
    } catch {
      repair(index, after: error)
      return error
    }
    let number = segments[index].number
    for (sequence, place) in places {
      guard let position = queue.index(of: sequence) else { continue }
      queue[position].place = place
    }
    segments[index].byteCount += buffer.count
    segments[index].liveCount += places.count
    segments[index].removals += removals.filter { $0.segment != number }
    noteUnsynced(number)
    releaseSources()
    unwritten.removeAll(keepingCapacity: true)
    removals.removeAll(keepingCapacity: true)
    agings.removeAll(keepingCapacity: true)
    return nil
  }

  private func noteUnsynced(_ number: UInt64) {
    if !unsynced.contains(number) { unsynced.append(number) }
  }

  /// The segment that is added to, made if there is none.
  private func activeSegment() -> Int {
    if let last = segments.last, last.isWritable, last.byteCount < Self.rotationByteCount {
      return segments.count - 1
    }
    let next = (segments.last?.number ?? 0) + 1
    segments.append(Segment(number: max(next, unwritten.first ?? next)))
    return segments.count - 1
  }

  /// Makes sure that a segment is as long as it should be: a file that vanished or was cut behind
  /// our back must not go on from its middle. What it held goes into the next one.
  private func makeReady(_ number: UInt64, _ queue: inout MessageQueue, mayAddFile: Bool) -> Bool {
    guard let index = segmentIndex(number), segments[index].isSound, segments[index].byteCount > 0
    else { return false }
    do {
      if segments[index].needsTruncation {
        try storage.truncate(path(number), to: segments[index].byteCount)
        segments[index].needsTruncation = false
        return true
      }
      let byteCount = try storage.size(path(number))
      if byteCount == segments[index].byteCount { return true }
      segments[index].isWritable = false
      segments[index].isSound = false
      reclaim(&queue, from: number, offset: byteCount, toWrite: mayAddFile)
    } catch .notFound {
      reclaim(&queue, from: number, offset: 0, toWrite: mayAddFile)
      segments.removeAll { $0.number == number }
    } catch {
      segments[index].isWritable = false
    }
    return false
  }

  /// Notes the messages that lay in a segment from an offset on to be written again, as far as
  /// their bytes are still in memory.
  private func reclaim(
    _ queue: inout MessageQueue, from segment: UInt64, offset: Int, toWrite: Bool
  ) {
    var again: [UInt64] = []
    for position in 0..<queue.count {
      guard let place = queue[position].place, place.segment == segment,
        place.offset + place.count > offset, queue[position].bytes != nil
      else { continue }
      queue[position].place = nil
      again.append(queue[position].sequence)
    }
    if again.isEmpty { return }
    if let index = segmentIndex(segment) { segments[index].liveCount -= again.count }
    if toWrite { unwritten = (again + unwritten).sorted() }
  }

  /// Writes everything noted into the buffer.
  private func fillBuffer(
    _ queue: MessageQueue, _ segment: Segment
  ) -> [(UInt64, JournalPlace)] {
    buffer.removeAll(keepingCapacity: true)
    if segment.byteCount == 0 { buffer.append(contentsOf: JournalFormat.head) }
    var places: [(UInt64, JournalPlace)] = []
    places.reserveCapacity(unwritten.count)
    for sequence in unwritten {
      guard let position = queue.index(of: sequence), let bytes = queue[position].bytes else {
        continue
      }
      let start = buffer.count
      JournalFormat.append(queue[position].record, bytes, to: &buffer)
      places.append(
        (
          sequence,
          JournalPlace(
            segment: segment.number, offset: segment.byteCount + start,
            count: buffer.count - start)
        ))
    }
    if !removals.isEmpty {
      JournalFormat.append(removalOf: removals.map { $0.sequence }, to: &buffer)
    }
    for aging in agings {
      JournalFormat.append(agingOf: aging.sequence, from: aging.stamp, to: &buffer)
    }
    return places
  }

  /// Cuts off what a failed append may have left, so that the segment can be added to again.
  private func repair(_ index: Int, after error: StorageError) {
    if error == .notPermitted {
      segments[index].isWritable = false
      return
    }
    do {
      try storage.truncate(path(segments[index].number), to: segments[index].byteCount)
    } catch  where error == .notFound && segments[index].byteCount == 0 {
      return
    } catch {
      segments[index].isWritable = false
      segments[index].isSound = false
    }
  }
}
