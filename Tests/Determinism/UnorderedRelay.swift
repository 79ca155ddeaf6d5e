import SimKernel

/// A component with the fault that the house forbids: it tells its subscribers in the order of a
/// hash table, so one who is told earlier in one run is told later in another.
final class UnorderedRelay: EventHandler {
  private let simulation: Simulation
  private let subscribers: Set<UInt32>
  private let isOrdered: Bool

  /// - Parameter isOrdered: mends the fault.
  init(isOrdered: Bool, sink: (any TraceSink)? = nil) {
    simulation = Simulation(seed: 1, sink: sink)
    self.isOrdered = isOrdered
    subscribers = Set(1...48)
  }

  /// The kind of a round, and of what each subscriber is told.
  static let round: UInt16 = 300
  static let told: UInt16 = 301

  func handle(_ event: Event) {
    guard event.kind == UnorderedRelay.round else { return }
    var delay = TimeSpan.zero
    for subscriber in isOrdered ? subscribers.sorted() : Array(subscribers) {
      delay = delay + .microseconds(1)
      simulation.schedule(
        Event(
          instant: event.instant + delay, actor: subscriber, kind: UnorderedRelay.told,
          payload: event.payload))
    }
  }

  /// Runs a relay for twelve rounds; its hash. The order of a table depends on the process and on
  /// where it lies, so runs differ while their relays live side by side.
  static func run(_ relay: UnorderedRelay) -> UInt64 {
    let simulation = relay.simulation
    for round in 0..<12 as Range<UInt32> {
      simulation.schedule(
        Event(
          instant: .start + .seconds(Int64(round)), actor: 0, kind: UnorderedRelay.round,
          payload: round))
    }
    _ = simulation.run(handler: relay)
    return simulation.trace.hashValue64
  }
}
