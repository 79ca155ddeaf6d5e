/// Receives the events of a simulation in order.
public protocol EventHandler: AnyObject {
  /// Does what an event says; may schedule and cancel others.
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
  /// More events wait than the bound allows; those beyond it were dropped.
  case pendingBound
  /// More events at one instant than the bound allows: time does not move. The actor of the last.
  case livelock(actor: UInt32)
}

/// Time, order and the trace of one run.
///
/// One thread touches it, and no method here calls out while it works on what is stored, but `run`,
/// which holds no access to any of it while the handler works.
public final class Simulation {
  /// How far a run may go before it counts as a runaway.
  public struct Bounds: Hashable, Sendable {
    /// Events delivered in the whole run.
    public var events: UInt64
    /// Events delivered at one instant.
    public var eventsAtOneInstant: UInt32
    /// Events that wait at one time.
    public var pending: Int

    /// Sets the bounds of a run.
    public init(
      events: UInt64 = 5_000_000, eventsAtOneInstant: UInt32 = 100_000, pending: Int = 1_000_000
    ) {
      self.events = events
      self.eventsAtOneInstant = eventsAtOneInstant
      self.pending = pending
    }
  }

  /// The instant of the event that is being handled, or the limit that a run reached.
  @inlinable public var now: Instant { currentInstant }
  /// What happened so far.
  public let trace: Trace
  /// How far this run may go.
  public let bounds: Bounds
  /// How many events were delivered.
  @inlinable public var delivered: UInt64 { deliveredCount }

  @usableFromInline var queue: EventQueue
  @usableFromInline var currentInstant: Instant = .start
  @usableFromInline var deliveredCount: UInt64 = 0
  /// Events delivered at `now`.
  @usableFromInline var atThisInstant: UInt32 = 0
  /// Why the loop ends after the event that is being handled.
  @usableFromInline var requestedStop: StopReason?

  /// Makes a simulation at its start, with nothing scheduled.
  /// - Parameters:
  ///   - seed: decides the order between actors at one instant, and starts the trace hash.
  ///   - bounds: how far the run may go.
  ///   - sink: receives every trace entry.
  public init(seed: UInt64, bounds: Bounds = Bounds(), sink: (any TraceSink)? = nil) {
    precondition(bounds.pending <= EventQueue.largestCount, "more than a queue can hold")
    self.bounds = bounds
    trace = Trace(seed: seed, sink: sink)
    queue = EventQueue(seed: mixBits(seed ^ 0x7469_6562_7265_616b))
  }

  /// How many events will still be delivered.
  @inlinable public var pending: Int { queue.pending }

  /// Schedules an event; an instant in the past becomes now.
  ///
  /// Beyond the bound of pending events nothing is scheduled, and the run ends.
  @discardableResult
  @inlinable public func schedule(_ event: Event) -> EventHandle {
    if queue.count >= bounds.pending {
      requestedStop = .pendingBound
      return .none
    }
    var event = event
    if event.instant < currentInstant { event.instant = currentInstant }
    return queue.schedule(event)
  }

  /// Takes an event back.
  /// - Returns: whether the event was still pending.
  @discardableResult
  @inlinable public func cancel(_ handle: EventHandle) -> Bool { queue.cancel(handle) }

  /// The instant of the next event, if there is one.
  public var nextInstant: Instant? { queue.nextInstant() }

  /// Lets time pass to `instant` where no event is left before it.
  public func wait(until instant: Instant) {
    if instant > now { advance(to: instant) }
  }

  /// Ends the run after the event that is being handled.
  @inlinable public func stop() {
    if requestedStop == nil { requestedStop = .stopped }
  }

  /// Delivers events in order until one of the reasons to stop holds.
  /// - Parameters:
  ///   - limit: the last instant whose events are delivered. When it is reached, `now` is it.
  ///   - handler: receives the events. Its type is known where this is called, so that the loop is
  ///     compiled for it.
  /// - Returns: the reason.
  @inlinable public func run<Handler: EventHandler>(
    until limit: Instant = .endOfTime, handler: Handler
  ) -> StopReason {
    if requestedStop == .stopped { requestedStop = nil }
    while requestedStop == nil {
      guard let event = queue.takeNext(notAfter: limit) else {
        if queue.pending == 0 { return .idle }
        if limit > currentInstant { advance(to: limit) }
        return .reachedLimit
      }
      if event.instant != currentInstant { advance(to: event.instant) }
      if atThisInstant == bounds.eventsAtOneInstant { return .livelock(actor: event.actor) }
      if deliveredCount == bounds.events { return .eventBound }
      atThisInstant &+= 1
      deliveredCount &+= 1
      trace.note(
        instant: event.instant, actor: event.actor, kind: event.kind,
        detail: UInt64(event.payload))
      handler.handle(event)
    }
    return requestedStop ?? .stopped
  }

  @inlinable func advance(to instant: Instant) {
    precondition(instant >= currentInstant, "time never runs backwards")
    currentInstant = instant
    atThisInstant = 0
  }
}
