/// One thing that will happen: a fixed-size value, never a closure.
///
/// What `kind` and `payload` mean is the handler's business. `generation` lets a handler drop
/// events of a process that is dead.
public struct Event: Hashable, Sendable {
  /// When it happens.
  public var instant: Instant
  /// The thread, queue or connection in which it happens; events of one actor keep their order.
  public var actor: UInt32
  /// An index or a small value of the handler's.
  public var payload: UInt32
  /// What happens, in the handler's numbering.
  public var kind: UInt16
  /// The life of the actor that it belongs to.
  public var generation: UInt16

  /// Makes an event; nothing happens until it is scheduled.
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
