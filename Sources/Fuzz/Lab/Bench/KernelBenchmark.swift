import SimKernel

/// The speed of the bare kernel, measured with the hold model that the field calls PHOLD.
///
/// The queue is filled with a fixed number of events; each event that is delivered schedules
/// exactly one new event a random span ahead, for a random actor. So the queue keeps its size, and
/// what is measured is one taking, one scheduling, one trace entry and one call of the handler an
/// event. The trace hash is on, as in every run of the lab.
public enum KernelBenchmark {
  /// What a measurement came to.
  public struct Result: Hashable, Sendable {
    /// How many events waited in the queue throughout.
    public var pending: Int
    /// How many events were delivered in each run.
    public var events: Int
    /// The median over the runs.
    public var eventsPerSecond: Double
    /// Every run in the order made.
    public var runs: [Double]
    /// Events a second of a plain binary heap of closures without a trace, measured in the same
    /// minute: what the machine gave. The ratio of the two is comparable between machines and
    /// loads.
    public var baselineEventsPerSecond: Double
    /// The trace hash, the same for every run of one size on every machine.
    public var traceHash: UInt64
  }

  /// Measures one size once.
  /// - Parameters:
  ///   - pending: how many events wait in the queue.
  ///   - events: how many events are delivered while the clock runs.
  /// - Returns: events a second.
  public static func run(pending: Int, events: Int) -> Double {
    measure(pending: pending, events: events).eventsPerSecond
  }

  /// Measures one size several times and takes the median, as other programs share the machine.
  /// - Parameters:
  ///   - pending: how many events wait in the queue.
  ///   - events: how many events are delivered in each run.
  ///   - repetitions: how many runs; at least one.
  public static func median(pending: Int, events: Int, repetitions: Int = 5) -> Result {
    precondition(repetitions > 0, "a median needs a run")
    var runs: [Double] = []
    var baselines: [Double] = []
    var traceHash: UInt64 = 0
    // In turns, so that a neighbour's load meets both alike.
    for _ in 0..<repetitions {
      let measured = measure(pending: pending, events: events)
      runs.append(measured.eventsPerSecond)
      traceHash = measured.traceHash
      baselines.append(ClosureHeap.measure(pending: pending, events: max(events / 8, 1)))
    }
    return Result(
      pending: pending, events: events, eventsPerSecond: middle(runs), runs: runs,
      baselineEventsPerSecond: middle(baselines), traceHash: traceHash)
  }

  private static func middle(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  /// Seconds on the machine's own clock that `work` takes.
  static func time(_ work: () -> Void) -> Double {
    let parts = ContinuousClock().measure(work).components
    return Double(parts.seconds) + Double(parts.attoseconds) / 1e18
  }

  private static func measure(
    pending: Int, events: Int
  ) -> (eventsPerSecond: Double, traceHash: UInt64) {
    precondition(pending > 0 && events > 0, "a benchmark needs events")
    let simulation = Simulation(
      seed: 1, bounds: Simulation.Bounds(events: .max, eventsAtOneInstant: .max))
    let model = HoldModel(simulation: simulation, warmUp: pending * 4, measured: events)
    for _ in 0..<pending { model.scheduleOne() }
    // Not measured: caches are cold, and the spread of instants has not settled yet.
    _ = simulation.run(handler: model)
    let seconds = time { _ = simulation.run(handler: model) }
    return (Double(events) / seconds, simulation.trace.hashValue64)
  }
}

/// Answers every event with one new event.
final class HoldModel: EventHandler {
  let simulation: Simulation
  var random = RandomStream(state: 7)
  /// Events until the loop is stopped, for the warm-up and then for the measured part.
  var remaining: Int
  let measured: Int

  init(simulation: Simulation, warmUp: Int, measured: Int) {
    self.simulation = simulation
    remaining = warmUp
    self.measured = measured
  }

  func handle(_ event: Event) {
    scheduleOne()
    remaining -= 1
    if remaining == 0 {
      remaining = measured
      simulation.stop()
    }
  }

  func scheduleOne() {
    let bits = random.next()
    simulation.schedule(
      Event(
        instant: simulation.now + HoldModel.increment(bits),
        actor: UInt32(truncatingIfNeeded: bits) & 63, kind: 1))
  }

  /// An exponential-like span in whole numbers: minus the binary logarithm of a uniform draw, with
  /// straight lines between the powers of two; its mean is about a microsecond and a half.
  static func increment(_ bits: UInt64) -> TimeSpan {
    let draw = bits | 1 << 16
    let zeros = draw.leadingZeroBitCount
    let fraction = (draw << UInt64(zeros + 1)) >> 54
    return TimeSpan(nanoseconds: Int64((UInt64(zeros + 1) << 10) - fraction))
  }
}
