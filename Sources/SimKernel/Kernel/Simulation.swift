/// Receives the events of a simulation in order.
public protocol EventHandler: AnyObject {
  func handle(_ event: Event)
}

/// Why a simulation stopped.
public enum StopReason: Hashable, Sendable {
  /// No event is left.
  case idle
  /// The next event lies after the limit.
  case reachedLimit
  /// The handler asked for it.
  case stopped
  /// More events than the bound allows.
  case eventBound
  /// More events at one instant than the bound allows: time does not move. The actor of the last.
  case livelock(actor: UInt32)
}

/// Time, order and the trace of one run.
public final class Simulation {
  /// How far a run may go before it counts as a runaway.
  public struct Bounds: Hashable, Sendable {
    public var events: UInt64
    public var eventsAtOneInstant: UInt32

    public init(events: UInt64 = 5_000_000, eventsAtOneInstant: UInt32 = 100_000) {
      self.events = events
      self.eventsAtOneInstant = eventsAtOneInstant
    }
  }

  public var now: Instant = .start
  public let trace: Trace
  public let bounds: Bounds
  /// How many events were delivered.
  public var delivered: UInt64 = 0

  @usableFromInline var queue: EventQueue
  @usableFromInline var stopRequested: Bool = false
  @usableFromInline var atThisInstant: UInt32 = 0

  public init(seed: UInt64, bounds: Bounds = Bounds(), sink: TraceSink? = nil) {
    self.bounds = bounds
    trace = Trace(seed: seed, sink: sink)
    queue = EventQueue(seed: mixBits(seed ^ 0x7469_6562_7265_616b))
  }

  /// How many events will still be delivered.
  @inlinable public var pending: Int { queue.pending }

  /// Schedules an event; an instant in the past becomes now.
  @discardableResult
  @inlinable public func schedule(_ event: Event) -> EventHandle {
    var event = event
    if event.instant < now { event.instant = now }
    return queue.schedule(event)
  }

  /// Takes an event back; does nothing if it was delivered.
  @discardableResult
  @inlinable public func cancel(_ handle: EventHandle) -> Bool { queue.cancel(handle) }

  /// The instant of the next event, if there is one.
  public var nextInstant: Instant? { queue.nextInstant() }

  /// Ends the run after the event that is being handled.
  public func stop() { stopRequested = true }

  /// Delivers events in order until one of the reasons to stop holds.
  /// - Parameter limit: the last instant whose events are delivered. When it is reached, `now` is it.
  @inlinable public func run<Handler: EventHandler>(
    until limit: Instant = .endOfTime, handler: Handler
  ) -> StopReason {
    stopRequested = false
    while true {
      guard let event = queue.takeNext(notAfter: limit) else {
        if queue.pending == 0 { return .idle }
        advance(to: limit)
        return .reachedLimit
      }
      if event.instant == now {
        atThisInstant &+= 1
        if atThisInstant > bounds.eventsAtOneInstant { return .livelock(actor: event.actor) }
      } else {
        atThisInstant = 0
        advance(to: event.instant)
      }
      delivered &+= 1
      if delivered > bounds.events { return .eventBound }
      trace.note(
        instant: event.instant, actor: event.actor, kind: event.kind, detail: UInt64(event.payload))
      handler.handle(event)
      if stopRequested { return .stopped }
    }
  }

  @inlinable func advance(to instant: Instant) {
    precondition(instant >= now, "time never runs backwards")
    now = instant
  }
}
