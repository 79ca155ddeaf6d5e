import FuzzHistory
import SimKernel

/// What the files of the queue say, kept up with every change of them.
extension DiskShadow {
  /// Takes back all that a journal file said: its messages are gone, its removals are void.
  func withdraw(_ place: Int) {
    let journal = files[place].journal
    guard journal >= 0 else { return }
    for index in journals[journal].messages { records[index].isGone = true }
    for index in journals[journal].removed { records[index].removals -= 1 }
    journals[journal] = JournalFile()
  }

  func reread(_ place: Int, _ record: Record) {
    withdraw(place)
    readOn(place, trustedFrom: .max, record)
  }

  /// A file was cut: only a cut inside what was read makes it new.
  func cut(_ place: Int, _ record: Record) {
    let journal = files[place].journal
    guard journal >= 0 else { return }
    let cursor = journals[journal].cursor
    if files[place].content.count < cursor.readTo || cursor.isGivenUp {
      reread(place, record)
    }
  }

  /// Reads the records that are complete by now.
  /// - Parameter trustedFrom: see `JournalReader`.
  func readOn(_ place: Int, trustedFrom: Int, _ record: Record) {
    let journal = files[place].journal
    guard journal >= 0 else { return }
    let reader = JournalReader(record: record, journal: journal, trustedFrom: trustedFrom)
    var cursor = journals[journal].cursor
    files[place].content.withUnsafeBytes { content in
      while let found = reader.next(content, &cursor) {
        switch found {
        case .message(let message): add(message)
        case .removal(let start, let count):
          for index in 0..<count {
            addRemoval(JournalReader.number64(content, start + index * 8), journal)
          }
        }
      }
    }
    if cursor.isGivenUp, cursor.givenUpInstant == nil { cursor.givenUpInstant = record.instant }
    journals[journal].cursor = cursor
    newRecords = newRecords.lowerBound..<records.count
  }

  func add(_ message: JournalRecord) {
    var message = message
    let key = mixBits(message.sequence) ^ message.identifierHash
    let older = Int(latest[key])
    // Numbers begin anew after a wipe: only the same stamp makes it the same message.
    if older >= 0, records[older].uptime == message.uptime, records[older].boot == message.boot {
      message.expected = records[older].expected
      message.older = older
      message.removals = records[older].removals
      if message.removals > 0 { hand(older, to: records.count) }
    }
    journals[message.journal].messages.append(records.count)
    latest[key] = Int32(records.count)
    bySequence[mixBits(message.sequence)] = Int32(records.count)
    records.append(message)
  }

  /// Files that say that a message was removed say so of its newer record too: when one of them
  /// goes, what it said is void for both.
  func hand(_ older: Int, to newer: Int) {
    for journal in journals.indices {
      for removed in journals[journal].removed where removed == older {
        journals[journal].removed.append(newer)
      }
    }
  }

  /// A removal speaks of all records of its message, wherever they stand.
  func addRemoval(_ sequence: UInt64, _ journal: Int) {
    var index = Int(bySequence[mixBits(sequence)])
    guard index >= 0 else { return }
    if records[index].removals == 0, !records[index].isGone { takenOff.append(index) }
    while index >= 0 {
      records[index].removals += 1
      journals[journal].removed.append(index)
      index = records[index].older
    }
  }

  /// Ties a record to the call that the model found for it.
  func bind(_ index: Int, to expected: Int32) { records[index].expected = expected }

  func verify(_ index: Int) {
    let record = records[index]
    guard let place = files.firstIndex(where: { $0.journal == record.journal }) else {
      records[index].checksum = .wrong
      return
    }
    let content = files[place].content
    let isRight = content.withUnsafeBytes {
      JournalReader.checksum($0, record.payloadStart, record.payloadCount) == record.storedChecksum
    }
    records[index].checksum = isRight ? .right : .wrong
  }
}
