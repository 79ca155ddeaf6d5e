/// The messages that wait to be sent, in the order of their sequence numbers (S-27).
struct MessageQueue {
  /// Messages from `start` on; what lies before it was removed.
  private var slots: [QueuedMessage] = []
  private var start = 0
  /// How many queued messages have an id with this hash.
  private var hashes = Lookup<UInt64, Int>()

  var count: Int { slots.count - start }
  var isEmpty: Bool { start == slots.count }

  /// The message at a place counted from the oldest.
  subscript(index: Int) -> QueuedMessage {
    get { slots[start + index] }
    _modify { yield &slots[start + index] }
  }

  /// The place of the first message with at least this sequence number.
  func firstIndex(from sequence: UInt64) -> Int {
    var low = start
    var high = slots.count
    while low < high {
      let middle = (low + high) / 2
      if slots[middle].record.sequence < sequence { low = middle + 1 } else { high = middle }
    }
    return low - start
  }

  /// The place of a message.
  func index(of sequence: UInt64) -> Int? {
    let index = firstIndex(from: sequence)
    return index < count && self[index].record.sequence == sequence ? index : nil
  }

  /// Whether a message's id may already be queued.
  func contains(identifierHash: UInt64) -> Bool { hashes[identifierHash] != nil }

  /// Adds a message at its place, which almost always is the end.
  mutating func insert(_ message: QueuedMessage) {
    hashes[message.record.identifierHash] = (hashes[message.record.identifierHash] ?? 0) + 1
    if let last = slots.last, start < slots.count, last.sequence > message.sequence {
      slots.insert(message, at: start + firstIndex(from: message.sequence))
    } else {
      slots.append(message)
    }
  }

  /// Takes the message at a place out.
  @discardableResult
  mutating func remove(at index: Int) -> QueuedMessage {
    let message: QueuedMessage
    if index == 0 {
      message = slots[start]
      // Bytes are let go at once; the slot itself goes with the next compaction.
      slots[start].bytes = nil
      slots[start].traits = []
      start += 1
      if start == slots.count {
        slots.removeAll(keepingCapacity: true)
        start = 0
      } else if start >= 64 && start * 2 >= slots.count {
        slots.removeSubrange(..<start)
        start = 0
      }
    } else {
      message = slots.remove(at: start + index)
    }
    let left = (hashes[message.record.identifierHash] ?? 1) - 1
    hashes[message.record.identifierHash] = left > 0 ? left : nil
    return message
  }
}
