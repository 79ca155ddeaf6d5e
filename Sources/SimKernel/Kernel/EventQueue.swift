/// The pending events, as a heap with four children a node.
///
/// Order (determinism rule 1): by instant; at one instant by a seeded tie-break between actors;
/// within one actor first in, first out. The tie-break is a pure function of (seed, actor,
/// instant): when the events were scheduled plays no part in it.
///
/// The heap holds 16-byte keys only, so that the four children of a node fill one cache line; what
/// an event says lies in a table of slots beside it. Taking the first event leaves a hole at the
/// root, which the next scheduling fills: most events schedule one follow-up, and one walk through
/// the heap then does the work of two. Cancelled events keep their place until their turn and are
/// skipped.
///
/// Complexity: scheduling and taking are O(log n), cancelling is O(1).
public struct EventQueue: ~Copyable {
  @usableFromInline let seed: UInt64
  /// `heap[0..<length]` are in use, and one more line behind them always compares as last.
  @usableFromInline var heap: UnsafeMutablePointer<Key>
  @usableFromInline var slots: UnsafeMutablePointer<Slot>
  /// Events in the heap, cancelled ones included.
  @usableFromInline var count: Int = 0
  /// Whether the root is vacant; the events then lie in `heap[1...count]`.
  @usableFromInline var hasHole: Bool = false
  @usableFromInline var capacity: Int
  @usableFromInline var usedSlots: UInt32 = 0
  /// The first of a chain of free slots, linked through their payloads.
  @usableFromInline var firstFree: UInt32 = Slot.noNext
  @usableFromInline var sequence: UInt64 = 0
  @usableFromInline var cancelled: Int = 0

  /// The most events that a queue can hold.
  public static let largestCount: Int = 1 << Key.slotBits

  /// Makes an empty queue.
  /// - Parameters:
  ///   - seed: decides the order between actors at one instant.
  ///   - capacity: how many events fit before the queue grows.
  public init(seed: UInt64, capacity: Int = 256) {
    precondition(capacity > 0 && capacity <= EventQueue.largestCount, "capacity out of range")
    self.seed = seed
    self.capacity = capacity
    heap = EventQueue.allocateHeap(capacity: capacity)
    slots = .allocate(capacity: capacity)
  }

  deinit {
    EventQueue.deallocateHeap(heap)
    slots.deallocate()
  }

  /// How many events will still be delivered.
  @inlinable public var pending: Int { count &- cancelled }

  /// Puts an event in the queue.
  @discardableResult
  @inlinable public mutating func schedule(_ event: Event) -> EventHandle {
    if sequence == Key.sequenceLimit { renumber() }
    let slot = takeSlot()
    slots[Int(slot)].fill(event)
    let key = Key(event, seed: seed, sequence: sequence, slot: slot)
    sequence &+= 1
    if hasHole {
      hasHole = false
      count &+= 1
      siftDown(key)
    } else {
      count &+= 1
      siftUp(key, from: count &- 1)
    }
    return EventHandle(slot: slot, age: slots[Int(slot)].age)
  }

  /// Takes an event back.
  /// - Returns: whether the event was still pending.
  @discardableResult
  @inlinable public mutating func cancel(_ handle: EventHandle) -> Bool {
    guard handle.slot < usedSlots, slots[Int(handle.slot)].age == handle.age else { return false }
    slots[Int(handle.slot)].age |= Slot.cancelledBit
    cancelled &+= 1
    return true
  }

  /// The instant of the next event, if there is one.
  @inlinable public mutating func nextInstant() -> Instant? {
    settle()
    return count == 0 ? nil : heap[0].instant
  }

  /// Takes the next event, unless it lies after `limit`.
  @inlinable public mutating func takeNext(notAfter limit: Instant = .endOfTime) -> Event? {
    settle()
    if count == 0 { return nil }
    let top = heap[0]
    if top.instant > limit { return nil }
    count &-= 1
    hasHole = true
    let slot = top.slot
    let event = slots[Int(slot)].event(at: top.instant)
    release(slot)
    return event
  }

  /// Fills the root, with an event that will be delivered.
  @inlinable mutating func settle() {
    if hasHole { fillHole() }
    while cancelled > 0, count > 0, slots[Int(heap[0].slot)].isCancelled {
      release(heap[0].slot)
      cancelled &-= 1
      count &-= 1
      fillHole()
    }
  }

  @inlinable mutating func fillHole() {
    hasHole = false
    let last = heap[count]
    heap[count] = .last
    if count > 0 { siftDown(last) }
  }

  @inlinable mutating func siftUp(_ key: Key, from start: Int) {
    var hole = start
    while hole > 0 {
      let parent = (hole &- 1) >> 2
      if !key.precedes(heap[parent]) { break }
      heap[hole] = heap[parent]
      hole = parent
    }
    heap[hole] = key
  }

  @inlinable mutating func siftDown(_ key: Key) {
    var hole = 0
    while true {
      let first = (hole << 2) &+ 1
      if first >= count { break }
      // As sums, not as choices, so that no branch comes of them: which child is smallest cannot be
      // predicted, and a wrong guess costs more than all comparisons of a node.
      let left = first &+ (heap[first &+ 1].precedes(heap[first]) ? 1 : 0)
      let right = first &+ 2 &+ (heap[first &+ 3].precedes(heap[first &+ 2]) ? 1 : 0)
      let best = left &+ (heap[right].precedes(heap[left]) ? right &- left : 0)
      if !heap[best].precedes(key) { break }
      heap[hole] = heap[best]
      hole = best
    }
    heap[hole] = key
  }

  @inlinable mutating func takeSlot() -> UInt32 {
    let free = firstFree
    if free != Slot.noNext {
      firstFree = slots[Int(free)].payload
      return free
    }
    if Int(usedSlots) == capacity { grow() }
    let slot = usedSlots
    usedSlots &+= 1
    slots.advanced(by: Int(slot)).initialize(to: Slot())
    return slot
  }

  @inlinable mutating func release(_ slot: UInt32) {
    slots[Int(slot)].age = (slots[Int(slot)].age &+ 1) & ~Slot.cancelledBit
    slots[Int(slot)].payload = firstFree
    firstFree = slot
  }
}

// What happens seldom.
extension EventQueue {
  @usableFromInline mutating func grow() {
    precondition(capacity < EventQueue.largestCount, "more pending events than a queue can hold")
    let newCapacity = min(capacity * 2, EventQueue.largestCount)
    let newHeap = EventQueue.allocateHeap(capacity: newCapacity)
    newHeap.update(from: heap, count: count + (hasHole ? 1 : 0))
    EventQueue.deallocateHeap(heap)
    heap = newHeap
    let newSlots = UnsafeMutablePointer<Slot>.allocate(capacity: newCapacity)
    newSlots.moveInitialize(from: slots, count: Int(usedSlots))
    slots.deallocate()
    slots = newSlots
    capacity = newCapacity
  }

  /// Gives all events small sequence numbers again, in the order that they have. A sorted array is
  /// a heap, so nothing else is to do.
  @usableFromInline mutating func renumber() {
    if hasHole { fillHole() }
    var keys = UnsafeMutableBufferPointer(start: heap, count: count)
    keys.sort { $0.precedes($1) }
    for index in keys.indices { keys[index].renumber(UInt64(index)) }
    sequence = UInt64(count)
  }

  private static let lineBytes = 64

  /// Memory in which the children of a node lie on one cache line: index 1 starts a line.
  private static func allocateHeap(capacity: Int) -> UnsafeMutablePointer<Key> {
    let padded = capacity + lineBytes / MemoryLayout<Key>.stride
    let lead = lineBytes - MemoryLayout<Key>.stride
    let bytes = UnsafeMutableRawPointer.allocate(
      byteCount: lead + padded * MemoryLayout<Key>.stride, alignment: lineBytes)
    let keys = (bytes + lead).bindMemory(to: Key.self, capacity: padded)
    keys.initialize(repeating: .last, count: padded)
    return keys
  }

  private static func deallocateHeap(_ keys: UnsafeMutablePointer<Key>) {
    (UnsafeMutableRawPointer(keys) - (lineBytes - MemoryLayout<Key>.stride)).deallocate()
  }
}
