/// What a journal holds when a process finds it.
struct LoadedJournal {
  /// The messages still queued, in the order of their sequence numbers.
  var messages: [QueuedMessage] = []
  /// The messages that are said to be removed.
  var removed: [UInt64] = []
  /// No sequence number on disk is higher.
  var highestSequence: UInt64 = 0
  /// Records that were skipped.
  var damagedRecords: Int = 0
  /// Why files could not be read.
  var failures: [StorageError] = []
}

extension Journal {
  /// More than a segment usually has.
  private static let windowByteCount = 320 * 1_024

  /// What is gathered over all segments.
  struct Gathering {
    var result = LoadedJournal()
    /// Where in `messages` each message stands, or stood in an earlier load.
    var seen = Lookup<UInt64, Int>()
    var removed = Lookup<UInt64, Void>()
    /// Removals with the segment that holds them.
    var removals: [(sequence: UInt64, by: UInt64)] = []
    var agings = Lookup<UInt64, Stamp>()
    /// Ages with the segment that tells them.
    var aged: [(sequence: UInt64, by: UInt64)] = []
    var messages: [QueuedMessage] = []
    /// Segments with a message of which another one holds a newer copy.
    var moved: [UInt64] = []
  }

  /// Reads the headers of all records; the bytes of messages stay on disk.
  /// - Throws: if the directory itself cannot be read. A missing one is an empty journal.
  func load(queuedAt: Int64) throws(StorageError) -> LoadedJournal {
    let names: [String]
    do {
      names = try storage.listPatiently(directory)
    } catch .notFound {
      return LoadedJournal()
    }
    var gathering = Gathering()
    for name in names {
      guard let number = JournalFormat.segmentNumber(name) else { continue }
      segments.append(read(number, queuedAt: queuedAt, into: &gathering))
    }
    segments.sort { $0.number < $1.number }
    settle(&gathering)
    needsSweep = !segments.isEmpty
    // The process before may have ended ahead of its barrier.
    unsynced = segments.map { $0.number }
    needsDirectoryBarrier = true
    return finish(gathering)
  }

  /// Tries again to read the segments that could not be read.
  func loadUnreadable(queuedAt: Int64) -> LoadedJournal {
    var gathering = gathered ?? Gathering()
    for index in segments.indices where segments[index].isUnreadable {
      segments[index] = read(segments[index].number, queuedAt: queuedAt, into: &gathering)
    }
    settle(&gathering)
    return finish(gathering)
  }

  /// While a segment cannot be read, what the others say of its messages is kept: a removal must
  /// hold also for a message that is read later (INV-07).
  private func finish(_ gathering: Gathering) -> LoadedJournal {
    gathered = nil
    if hasUnreadableSegment {
      var kept = gathering
      kept.messages = []
      kept.removals = []
      kept.result = LoadedJournal()
      gathered = kept
    }
    return gathering.result
  }

  private func read(_ number: UInt64, queuedAt: Int64, into gathering: inout Gathering) -> Segment {
    var segment = Segment(number: number)
    gathering.result.highestSequence = max(
      gathering.result.highestSequence, max(number, 1) - 1)
    do {
      try scan(&segment, queuedAt: queuedAt, into: &gathering)
    } catch .notFound {
      // It vanished since it was listed.
      segment.byteCount = 0
    } catch {
      gathering.result.failures.append(error)
      segment.isUnreadable = true
      segment.isWritable = false
      segment.isSound = false
    }
    return segment
  }

  /// Reads a segment's records. Nothing is noted unless all could be read: a removal further on may
  /// concern a message at the beginning.
  private func scan(
    _ segment: inout Segment, queuedAt: Int64, into gathering: inout Gathering
  ) throws(StorageError) {
    let path = path(segment.number)
    var window = try storage.readPatiently(path, offset: 0, count: Self.windowByteCount)
    guard window.starts(with: JournalFormat.head) else {
      // A file that died before its head was whole, or one of another format: it holds nothing.
      segment.isWritable = false
      segment.isSound = false
      return
    }
    var found: [(JournalFormat.Record, JournalPlace)] = []
    var damaged = 0
    var base = 0
    var offset = JournalFormat.head.count
    reading: while true {
      switch window.withUnsafeBytes({ JournalFormat.frame($0, at: offset - base) }) {
      case .record(let record, let byteCount):
        found.append(
          (record, JournalPlace(segment: segment.number, offset: offset, count: byteCount)))
        offset += byteCount
      case .damaged(let byteCount):
        damaged += 1
        offset += byteCount
      case .incomplete(let byteCount):
        let isAtEnd = window.count < Self.windowByteCount
        if isAtEnd || offset == base && window.count >= byteCount {
          segment.needsTruncation = offset < base + window.count
          break reading
        }
        base = offset
        window = try storage.readPatiently(path, offset: base, count: Self.windowByteCount)
      case .lost:
        damaged += 1
        segment.needsTruncation = true
        break reading
      }
    }
    segment.byteCount = offset
    gathering.result.damagedRecords += damaged
    for (record, place) in found { note(record, place, queuedAt: queuedAt, into: &gathering) }
  }

  private func note(
    _ record: JournalFormat.Record, _ place: JournalPlace, queuedAt: Int64,
    into gathering: inout Gathering
  ) {
    switch record {
    case .message(let header, let byteCount):
      gathering.result.highestSequence = max(
        gathering.result.highestSequence, header.sequence)
      // A record that was written twice is one message.
      if let known = gathering.seen[header.sequence] {
        noteCopy(of: header.sequence, at: known, place, into: &gathering)
        return
      }
      gathering.seen[header.sequence] = gathering.messages.count
      gathering.messages.append(
        QueuedMessage(
          record: header, bytes: nil, byteCount: byteCount, traits: [], aging: header.stamp,
          queuedAt: queuedAt, place: place))
    case .removal(let sequences):
      gathering.result.removed += sequences
      for sequence in sequences {
        gathering.removed.insert(sequence)
        gathering.removals.append((sequence, place.segment))
        if sequence <= JournalFormat.highestSequence {
          gathering.result.highestSequence = max(gathering.result.highestSequence, sequence)
        }
      }
    case .aging(let sequence, let stamp):
      gathering.agings[sequence] = stamp
      gathering.aged.append((sequence, place.segment))
    }
  }

  /// Of two copies the one in the newer segment counts: it was written because the older segment is
  /// damaged.
  private func noteCopy(
    of sequence: UInt64, at known: Int, _ place: JournalPlace, into gathering: inout Gathering
  ) {
    guard known < gathering.messages.count, gathering.messages[known].sequence == sequence,
      let other = gathering.messages[known].place
    else {
      gathering.moved.append(place.segment)
      return noteCopy(of: sequence, in: place.segment)
    }
    if other.segment == place.segment { return }
    if other.segment < place.segment { gathering.messages[known].place = place }
    let older = min(other.segment, place.segment)
    gathering.moved.append(older)
    noteCopy(of: sequence, in: older)
  }

  /// Takes out what was removed, and works out which removals another segment still needs.
  private func settle(_ gathering: inout Gathering) {
    var places = Lookup<UInt64, UInt64>()
    for var message in gathering.messages {
      guard let place = message.place, let index = segmentIndex(place.segment) else { continue }
      places[message.sequence] = place.segment
      if gathering.removed.contains(message.sequence) { continue }
      if let aging = gathering.agings[message.sequence] { message.aging = aging }
      segments[index].liveCount += 1
      gathering.result.messages.append(message)
    }
    for removal in gathering.removals {
      guard let index = segmentIndex(removal.by) else { continue }
      let target = places[removal.sequence] ?? Removal.unknownSegment
      for segment in [target] + (copies[removal.sequence] ?? []) where segment != removal.by {
        segments[index].removals.append(Removal(sequence: removal.sequence, segment: segment))
      }
    }
    for aging in gathering.aged {
      guard let index = segmentIndex(aging.by), !gathering.removed.contains(aging.sequence)
      else { continue }
      let target = places[aging.sequence] ?? Removal.unknownSegment
      if target == aging.by { continue }
      segments[index].aged.append(Removal(sequence: aging.sequence, segment: target))
    }
    gathering.aged = []
    for number in gathering.moved {
      if let index = segmentIndex(number) { segments[index].hasMoved = true }
    }
    gathering.moved = []
    for index in segments.indices {
      for place in segments[index].removals.indices
      where segments[index].removals[place].segment == Removal.unknownSegment {
        let found = places[segments[index].removals[place].sequence]
        segments[index].removals[place].segment = found ?? Removal.unknownSegment
      }
      for place in segments[index].aged.indices
      where segments[index].aged[place].segment == Removal.unknownSegment {
        let found = places[segments[index].aged[place].sequence]
        segments[index].aged[place].segment = found ?? Removal.unknownSegment
      }
    }
    gathering.result.messages.sort { $0.sequence < $1.sequence }
  }
}

extension StoragePort {
  /// How often a read that failed by an input or output error is tried at once.
  private static var mostTries: Int { 3 }

  /// Reads, and tries again where the error may be a passing one.
  func readPatiently(_ path: String, offset: Int, count: Int) throws(StorageError) -> [UInt8] {
    for _ in 1..<Self.mostTries {
      do {
        return try read(path, offset: offset, count: count)
      } catch {
        if error != .inputOutput { throw error }
      }
    }
    return try read(path, offset: offset, count: count)
  }

  /// Lists, and tries again where the error may be a passing one.
  func listPatiently(_ directory: String) throws(StorageError) -> [String] {
    for _ in 1..<Self.mostTries {
      do {
        return try list(directory)
      } catch {
        if error != .inputOutput { throw error }
      }
    }
    return try list(directory)
  }
}

/// What came of reading a message back.
enum ReadMessage: Equatable {
  case bytes([UInt8])
  /// It cannot be read now, which says nothing about later.
  case unreadable(StorageError)
  /// It is gone or damaged.
  case lost
}

extension Journal {
  /// Reads one message back.
  func read(_ place: JournalPlace, sequence: UInt64) -> ReadMessage {
    let bytes: [UInt8]
    do {
      bytes = try storage.readPatiently(
        path(place.segment), offset: place.offset, count: place.count)
    } catch .notFound {
      return .lost
    } catch {
      return .unreadable(error)
    }
    let frame = bytes.withUnsafeBytes { JournalFormat.frame($0, at: 0) }
    guard case .record(.message(let record, let byteCount), _) = frame,
      record.sequence == sequence
    else { return .lost }
    return .bytes(Array(bytes.suffix(byteCount)))
  }
}
