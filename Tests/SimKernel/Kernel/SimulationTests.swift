import SimKernel
import Testing

/// Keeps what it is given and does with it what a test says.
private final class Recorder: EventHandler {
  var seen: [Event] = []
  var action: (Event) -> Void = { _ in }

  func handle(_ event: Event) {
    seen.append(event)
    action(event)
  }
}

private func event(
  _ nanoseconds: Int64, actor: UInt32 = 0, kind: UInt16 = 0, payload: UInt32 = 0
) -> Event {
  Event(instant: Instant(nanoseconds: nanoseconds), actor: actor, kind: kind, payload: payload)
}

@Suite struct SimulationTests {
  @Test func deliversInOrderAndMovesTime() {
    let simulation = Simulation(seed: 1)
    let recorder = Recorder()
    var clock: [Int64] = []
    recorder.action = { _ in clock.append(simulation.now.nanoseconds) }
    for nanoseconds in [30, 10, 20] as [Int64] { simulation.schedule(event(nanoseconds)) }
    #expect(simulation.nextInstant == Instant(nanoseconds: 10))
    #expect(simulation.run(handler: recorder) == .idle)
    #expect(clock == [10, 20, 30])
    #expect(recorder.seen.map(\.instant.nanoseconds) == clock)
    #expect(simulation.delivered == 3)
    #expect(simulation.nextInstant == nil)
  }

  @Test func stopsAtTheLimitAndGoesOn() {
    let simulation = Simulation(seed: 1)
    let recorder = Recorder()
    for nanoseconds in [10, 20, 21] as [Int64] { simulation.schedule(event(nanoseconds)) }
    #expect(simulation.run(until: Instant(nanoseconds: 20), handler: recorder) == .reachedLimit)
    #expect(recorder.seen.count == 2)
    #expect(simulation.now == Instant(nanoseconds: 20))
    #expect(simulation.run(until: Instant(nanoseconds: 5), handler: recorder) == .reachedLimit)
    #expect(simulation.now == Instant(nanoseconds: 20), "time never runs backwards")
    #expect(simulation.run(handler: recorder) == .idle)
    #expect(recorder.seen.count == 3)
  }

  @Test func anInstantInThePastBecomesNow() {
    let simulation = Simulation(seed: 1)
    let recorder = Recorder()
    recorder.action = { if $0.kind == 0 { simulation.schedule(event(3, kind: 1)) } }
    simulation.schedule(event(100))
    #expect(simulation.run(handler: recorder) == .idle)
    #expect(recorder.seen.last?.instant == Instant(nanoseconds: 100))
  }

  @Test func aCancelledEventIsNotDelivered() {
    let simulation = Simulation(seed: 1)
    let recorder = Recorder()
    let handle = simulation.schedule(event(20))
    recorder.action = { if $0.kind == 1 { #expect(simulation.cancel(handle)) } }
    simulation.schedule(event(10, kind: 1))
    #expect(simulation.pending == 2)
    #expect(simulation.run(handler: recorder) == .idle)
    #expect(recorder.seen.map(\.kind) == [1])
    #expect(simulation.delivered == 1)
  }

  @Test func stopsWhenAsked() {
    let simulation = Simulation(seed: 1)
    let recorder = Recorder()
    recorder.action = { if $0.instant.nanoseconds == 2 { simulation.stop() } }
    for nanoseconds in 1...4 as ClosedRange<Int64> { simulation.schedule(event(nanoseconds)) }
    #expect(simulation.run(handler: recorder) == .stopped)
    #expect(recorder.seen.count == 2)
    #expect(simulation.run(handler: recorder) == .idle)
    #expect(recorder.seen.count == 4)
  }

  @Test func aRunawayMeetsTheEventBound() {
    let simulation = Simulation(seed: 1, bounds: Simulation.Bounds(events: 1_000))
    let recorder = Recorder()
    recorder.action = { simulation.schedule(event($0.instant.nanoseconds + 1)) }
    simulation.schedule(event(0))
    #expect(simulation.run(handler: recorder) == .eventBound)
    #expect(recorder.seen.count == 1_000)
    #expect(simulation.delivered == 1_000)
  }

  /// Time that stands still is a livelock of the actor that was next.
  @Test func aLoopAtOneInstantIsALivelock() {
    let simulation = Simulation(seed: 1, bounds: Simulation.Bounds(eventsAtOneInstant: 50))
    let recorder = Recorder()
    recorder.action = { if $0.actor == 9 { simulation.schedule(event(0, actor: 9)) } }
    simulation.schedule(event(7, actor: 9))
    simulation.schedule(event(3, actor: 2))
    #expect(simulation.run(handler: recorder) == .livelock(actor: 9))
    #expect(recorder.seen.count == 51, "one at the instant before, fifty at this one")
  }

  @Test func asManyEventsAsTheBoundAtEachInstantAreNoLivelock() {
    let simulation = Simulation(seed: 1, bounds: Simulation.Bounds(eventsAtOneInstant: 50))
    let recorder = Recorder()
    for index in 0..<150 as Range<Int64> { simulation.schedule(event(index / 50)) }
    #expect(simulation.run(handler: recorder) == .idle)
    #expect(recorder.seen.count == 150)
  }

  @Test func anAvalancheMeetsThePendingBound() {
    let simulation = Simulation(seed: 1, bounds: Simulation.Bounds(pending: 64))
    let recorder = Recorder()
    recorder.action = {
      for _ in 0..<2 { simulation.schedule(event($0.instant.nanoseconds + 1)) }
    }
    simulation.schedule(event(0))
    #expect(simulation.run(handler: recorder) == .pendingBound)
    #expect(simulation.pending == 64)
    #expect(simulation.run(handler: recorder) == .pendingBound, "the run is over")
  }

  /// Runs one busy schedule and gives its hash.
  private func hash(seed: UInt64, change: @escaping (inout Event) -> Void = { _ in }) -> UInt64 {
    let simulation = Simulation(seed: seed)
    let recorder = Recorder()
    let random = Randomness(seed: 77)
    recorder.action = { event in
      guard event.payload < 400 else { return }
      let key = UInt64(event.payload)
      var next = Event(
        instant: event.instant
          + TimeSpan(nanoseconds: Int64(random.bits(StreamName("span"), key) & 3)),
        actor: UInt32(random.bits(StreamName("actor"), key) & 7), kind: event.kind,
        payload: event.payload + 1)
      change(&next)
      simulation.schedule(next)
    }
    for kind in 0..<4 as Range<UInt16> { simulation.schedule(event(0, actor: 1, kind: kind)) }
    #expect(simulation.run(handler: recorder) == .idle)
    return simulation.trace.hashValue64
  }

  @Test func oneSeedGivesOneHash() {
    #expect(hash(seed: 5) == hash(seed: 5))
    #expect(hash(seed: 5) != hash(seed: 6))
  }

  @Test func everyFieldOfAnEventReachesTheHash() {
    let plain = hash(seed: 5)
    #expect(plain != hash(seed: 5) { if $0.payload == 200 { $0.kind ^= 8 } })
    #expect(plain != hash(seed: 5) { if $0.payload == 200 { $0.actor ^= 8 } })
    #expect(plain != hash(seed: 5) { if $0.payload == 200 { $0.payload += 1 } })
    #expect(
      plain
        != hash(seed: 5) {
          if $0.payload == 200 { $0.instant = $0.instant + TimeSpan(nanoseconds: 1) }
        })
  }
}
