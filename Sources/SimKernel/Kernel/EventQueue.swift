/// One thing that will happen: a fixed-size value, never a closure.
///
/// What `kind` and `payload` mean is the handler's business. `generation` lets a handler drop events
/// of a process that is dead.
public struct Event: Sendable {
  public var instant: Instant
  public var actor: UInt32
  public var payload: UInt32
  public var kind: UInt16
  public var generation: UInt16

  @inlinable public init(
    instant: Instant, actor: UInt32, kind: UInt16, generation: UInt16 = 0, payload: UInt32 = 0
  ) {
    self.instant = instant
    self.actor = actor
    self.payload = payload
    self.kind = kind
    self.generation = generation
  }
}

/// Names a scheduled event so that it can be cancelled; worthless once the event was delivered.
public struct EventHandle: Hashable, Sendable {
  @usableFromInline var slot: UInt32
  @usableFromInline var age: UInt32

  @inlinable init(slot: UInt32, age: UInt32) {
    self.slot = slot
    self.age = age
  }

  /// A handle of no event; cancelling it does nothing.
  public static let none = EventHandle(slot: .max, age: 0)
}

/// The pending events, as a heap with four children a node.
///
/// Order (determinism rule 1): by instant; at one instant by a seeded tie-break between actors; within
/// one actor first in, first out. The tie-break is a pure function of (seed, actor, instant).
/// Cancelled events stay in the heap until their turn and are then skipped.
/// Complexity: scheduling and taking are O(log n), cancelling is O(1).
public struct EventQueue: ~Copyable {
  @usableFromInline struct Entry {
    @usableFromInline var instant: Int64
    /// 24 bits of tie-break between actors, then 40 bits of insertion order.
    @usableFromInline var order: UInt64
    @usableFromInline var slot: UInt32
    @usableFromInline var actor: UInt32
    @usableFromInline var payload: UInt32
    @usableFromInline var kind: UInt16
    @usableFromInline var generation: UInt16

    @inlinable init(_ event: Event, order: UInt64, slot: UInt32) {
      self.instant = event.instant.nanoseconds
      self.order = order
      self.slot = slot
      self.actor = event.actor
      self.payload = event.payload
      self.kind = event.kind
      self.generation = event.generation
    }

    @inlinable func precedes(_ other: Entry) -> Bool {
      instant < other.instant || (instant == other.instant && order < other.order)
    }
  }

  @usableFromInline static var cancelledBit: UInt32 { 1 << 31 }

  @usableFromInline let seed: UInt64
  @usableFromInline var heap: UnsafeMutablePointer<Entry>
  @usableFromInline var count: Int = 0
  @usableFromInline var capacity: Int
  /// One word a slot: its age, and in the top bit whether its event was cancelled.
  @usableFromInline var slots: [UInt32] = []
  @usableFromInline var freeSlots: [UInt32] = []
  @usableFromInline var inserted: UInt64 = 0
  @usableFromInline var cancelled: Int = 0

  public init(seed: UInt64, capacity: Int = 256) {
    precondition(capacity > 0)
    self.seed = seed
    self.capacity = capacity
    heap = .allocate(capacity: capacity)
  }

  deinit { heap.deallocate() }

  /// How many events will still be delivered.
  @inlinable public var pending: Int { count - cancelled }

  /// Puts an event in the queue.
  @discardableResult
  @inlinable public mutating func schedule(_ event: Event) -> EventHandle {
    let tie = mixBits(
      seed ^ (UInt64(event.actor) &* 0x9e37_79b9_7f4a_7c15)
        ^ UInt64(bitPattern: event.instant.nanoseconds))
    let order = (tie & 0xffff_ff00_0000_0000) | inserted
    inserted &+= 1
    precondition(inserted < 1 << 40, "more events than one run may have")
    let slot: UInt32
    if let free = freeSlots.popLast() {
      slot = free
    } else {
      slot = UInt32(slots.count)
      slots.append(0)
    }
    if count == capacity { grow() }
    siftUp(Entry(event, order: order, slot: slot), from: count)
    count += 1
    return EventHandle(slot: slot, age: slots[Int(slot)])
  }

  /// Takes an event back.
  /// - Returns: whether the event was still pending.
  @discardableResult
  @inlinable public mutating func cancel(_ handle: EventHandle) -> Bool {
    guard handle.slot < slots.count, slots[Int(handle.slot)] == handle.age else { return false }
    slots[Int(handle.slot)] |= EventQueue.cancelledBit
    cancelled += 1
    return true
  }

  /// The instant of the next event, if there is one.
  @inlinable public mutating func nextInstant() -> Instant? {
    dropCancelledTop()
    return count == 0 ? nil : Instant(nanoseconds: heap[0].instant)
  }

  /// Takes the next event, unless it lies after `limit`.
  @inlinable public mutating func takeNext(notAfter limit: Instant = .endOfTime) -> Event? {
    dropCancelledTop()
    if count == 0 || heap[0].instant > limit.nanoseconds { return nil }
    let top = heap[0]
    removeTop()
    release(top.slot)
    return Event(
      instant: Instant(nanoseconds: top.instant), actor: top.actor, kind: top.kind,
      generation: top.generation, payload: top.payload)
  }

  @inlinable mutating func dropCancelledTop() {
    while count > 0, cancelled > 0, slots[Int(heap[0].slot)] & EventQueue.cancelledBit != 0 {
      let slot = heap[0].slot
      removeTop()
      cancelled -= 1
      release(slot)
    }
  }

  @inlinable mutating func release(_ slot: UInt32) {
    slots[Int(slot)] = (slots[Int(slot)] &+ 1) & ~EventQueue.cancelledBit
    freeSlots.append(slot)
  }

  @inlinable mutating func removeTop() {
    count -= 1
    if count > 0 { siftDown(heap[count]) }
  }

  @inlinable mutating func siftUp(_ entry: Entry, from start: Int) {
    var hole = start
    while hole > 0 {
      let parent = (hole - 1) >> 2
      if !entry.precedes(heap[parent]) { break }
      heap[hole] = heap[parent]
      hole = parent
    }
    heap[hole] = entry
  }

  @inlinable mutating func siftDown(_ entry: Entry) {
    var hole = 0
    while true {
      let first = (hole << 2) + 1
      if first >= count { break }
      var best = first
      let end = min(first + 4, count)
      var child = first + 1
      while child < end {
        if heap[child].precedes(heap[best]) { best = child }
        child += 1
      }
      if !heap[best].precedes(entry) { break }
      heap[hole] = heap[best]
      hole = best
    }
    heap[hole] = entry
  }

  @usableFromInline mutating func grow() {
    let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: heap, count: count)
    heap.deallocate()
    heap = larger
    capacity *= 2
  }
}
