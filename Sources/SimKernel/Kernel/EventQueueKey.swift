extension EventQueue {
  /// What orders an event, in one number of 128 bits that compares without branches.
  ///
  /// From the top: the instant (64 bits), the tie-break between actors (18), the sequence number
  /// (24) and the slot (22), which never decides, since no two pending events share a sequence
  /// number. Two actors whose tie-breaks are equal by chance (1 in 262 144) go first in, first out.
  @usableFromInline struct Key {
    @usableFromInline static var slotBits: UInt64 { 22 }
    @usableFromInline static var sequenceBits: UInt64 { 24 }
    @usableFromInline static var tieMask: UInt64 { ~0 << (slotBits + sequenceBits) }
    @usableFromInline static var slotMask: UInt64 { (1 << slotBits) - 1 }
    /// Sequence numbers stay below this; the queue renumbers its events when it is reached.
    @usableFromInline static var sequenceLimit: UInt64 { 1 << sequenceBits }
    /// Comes after every event.
    @usableFromInline static var last: Key { Key(bits: .max) }

    @usableFromInline var bits: UInt128

    @inlinable init(bits: UInt128) { self.bits = bits }

    @inlinable init(_ event: Event, seed: UInt64, sequence: UInt64, slot: UInt32) {
      let instant = UInt64(bitPattern: event.instant.nanoseconds)
      let tie = mixBits(seed ^ (UInt64(event.actor) &* 0x9e37_79b9_7f4a_7c15) ^ instant)
      let low = (tie & Key.tieMask) | (sequence << Key.slotBits) | UInt64(slot)
      // The flipped sign makes instants before the start compare as smaller.
      bits = UInt128(instant ^ (1 << 63)) << 64 | UInt128(low)
    }

    @inlinable func precedes(_ other: Key) -> Bool { bits < other.bits }

    @inlinable var instant: Instant {
      Instant(nanoseconds: Int64(bitPattern: UInt64(truncatingIfNeeded: bits >> 64) ^ (1 << 63)))
    }

    @inlinable var slot: UInt32 { UInt32(truncatingIfNeeded: bits) & UInt32(Key.slotMask) }

    mutating func renumber(_ sequence: UInt64) {
      let kept = UInt64(truncatingIfNeeded: bits) & (Key.tieMask | Key.slotMask)
      bits = (bits >> 64) << 64 | UInt128(kept | sequence << Key.slotBits)
    }
  }

  /// What an event says, and whether a handle still names it.
  @usableFromInline struct Slot {
    @usableFromInline static var cancelledBit: UInt32 { 1 << 31 }
    @usableFromInline static var noNext: UInt32 { .max }

    @usableFromInline var actor: UInt32 = 0
    /// While the slot is free, the next free one.
    @usableFromInline var payload: UInt32 = 0
    @usableFromInline var kind: UInt16 = 0
    @usableFromInline var generation: UInt16 = 0
    /// How often the slot was used; the top bit says that its event was cancelled.
    @usableFromInline var age: UInt32 = 0

    @inlinable init() {}

    @inlinable var isCancelled: Bool { age & Slot.cancelledBit != 0 }

    @inlinable mutating func fill(_ event: Event) {
      actor = event.actor
      payload = event.payload
      kind = event.kind
      generation = event.generation
    }

    @inlinable func event(at instant: Instant) -> Event {
      Event(
        instant: instant, actor: actor, kind: kind, generation: generation, payload: payload)
    }
  }
}
