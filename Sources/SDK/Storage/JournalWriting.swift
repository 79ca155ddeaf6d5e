/// How the journal's files are added to.
extension Journal {
  /// Adds all that is noted to the last segment. One that may not be written to is left alone, and
  /// a new one is tried (B07).
  func appendRecords(_ queue: inout MessageQueue, mayAddFile: Bool) -> StorageError? {
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

  /// Takes out the removals that can go where their messages lie: who can read a message can then
  /// read that it was removed. Those of the last segment go with everything else.
  func takeOwnRemovals() -> [Removal] {
    let active = hasWritableSegment ? segments.last?.number : nil
    let own = removals.filter { removal in
      guard removal.segment != active, let index = segmentIndex(removal.segment) else {
        return false
      }
      return segments[index].isSound
    }
    if !own.isEmpty { removals.removeAll { own.contains($0) } }
    return own
  }

  /// Adds removals to the segments of their messages.
  /// - Returns: those for which it failed.
  func appendOwnRemovals(
    _ own: [Removal], _ queue: inout MessageQueue, mayAddFile: Bool
  ) -> [Removal] {
    var left = own
    for number in segments.map({ $0.number }) {
      let sequences = own.filter { $0.segment == number }.map { $0.sequence }
      guard !sequences.isEmpty, makeReady(number, &queue, mayAddFile: mayAddFile),
        let index = segmentIndex(number)
      else { continue }
      var bytes: [UInt8] = []
      JournalFormat.append(removalOf: sequences, to: &bytes)
      do {
        try storage.append(path(number), bytes)
      } catch {
        repair(index, after: error)
        continue
      }
      segments[index].byteCount += bytes.count
      noteUnsynced(number)
      left.removeAll { $0.segment == number }
    }
    return left
  }

  /// Nothing waits any more to be written once more.
  func releaseSources() {
    for index in segments.indices { segments[index].isSource = false }
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
    for aging in agings {
      guard let position = queue.index(of: aging.sequence), let place = queue[position].place,
        place.segment != number
      else { continue }
      segments[index].aged.append(Removal(sequence: aging.sequence, segment: place.segment))
    }
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
    if let last = segments.last, isOpen(last) { return segments.count - 1 }
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
      let count = buffer.count - start
      // One that is written once more ages as before.
      if queue[position].aging != queue[position].record.stamp {
        JournalFormat.append(agingOf: sequence, from: queue[position].aging, to: &buffer)
      }
      places.append(
        (
          sequence,
          JournalPlace(
            segment: segment.number, offset: segment.byteCount + start, count: count)
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
