import Testing

@testable import SimKernel

/// The queue written the obvious way: a list that is searched for the least. It knows the rule of
/// order, and shares nothing with the heap but the tie-break's formula.
private struct NaiveQueue {
  struct Item {
    var event: Event
    var tie: UInt64
    var inserted: Int
    var handle: EventHandle
  }

  let seed: UInt64
  var items: [Item] = []
  var inserted = 0

  mutating func schedule(_ event: Event, handle: EventHandle) {
    let instant = UInt64(bitPattern: event.instant.nanoseconds)
    let tie = mixBits(seed ^ (UInt64(event.actor) &* 0x9e37_79b9_7f4a_7c15) ^ instant) >> 46
    items.append(Item(event: event, tie: tie, inserted: inserted, handle: handle))
    inserted += 1
  }

  mutating func cancel(_ handle: EventHandle) -> Bool {
    guard let index = items.firstIndex(where: { $0.handle == handle }) else { return false }
    items.remove(at: index)
    return true
  }

  var first: Int? {
    items.indices.min { left, right in
      let a = items[left]
      let b = items[right]
      return (a.event.instant.nanoseconds, a.tie, a.inserted)
        < (b.event.instant.nanoseconds, b.tie, b.inserted)
    }
  }

  mutating func takeNext(notAfter limit: Instant) -> Event? {
    guard let first, items[first].event.instant <= limit else { return nil }
    return items.remove(at: first).event
  }
}

/// The queue as an object: the test macros copy what they look at, and a queue cannot be copied.
private final class Queue {
  private var queue: EventQueue

  init(seed: UInt64, capacity: Int = 256) { queue = EventQueue(seed: seed, capacity: capacity) }

  var pending: Int { queue.pending }
  var sequence: UInt64 {
    get { queue.sequence }
    set { queue.sequence = newValue }
  }
  @discardableResult
  func schedule(_ event: Event) -> EventHandle { queue.schedule(event) }
  func cancel(_ handle: EventHandle) -> Bool { queue.cancel(handle) }
  func nextInstant() -> Instant? { queue.nextInstant() }
  func takeNext(notAfter limit: Instant = .endOfTime) -> Event? { queue.takeNext(notAfter: limit) }
  func checkInvariants() { queue._checkInvariants() }
}

@Suite struct EventQueueTests {
  /// Random schedules, cancels and takings with few instants and few actors, so that equal instants
  /// are the rule, against the naive queue.
  @Test(arguments: 0..<60 as Range<UInt64>)
  func agreesWithANaiveQueue(seed: UInt64) {
    var random = RandomStream(state: seed)
    let queue = Queue(seed: seed, capacity: random.int(1...20))
    var model = NaiveQueue(seed: seed)
    var handles: [EventHandle] = [.none]
    let spread = [Int64(1), 4, 1_000][Int(random.below(3))]
    let actors = random.below(6) + 1
    // How often something is taken decides whether the queue grows, shrinks or stays.
    let takings = random.below(9) + 1
    var now: Int64 = -3
    for step in 0..<700 {
      switch random.below(10) {
      case 0..<takings:
        let limit = Instant(nanoseconds: now + random.within(0...spread * 3))
        let taken = queue.takeNext(notAfter: limit)
        let expected = model.takeNext(notAfter: limit)
        #expect(taken == expected)
        if let taken { now = taken.instant.nanoseconds }
      case 9 where step % 2 == 0:
        let handle = random.pick(handles)
        let expected = model.cancel(handle)
        #expect(queue.cancel(handle) == expected)
      default:
        let event = Event(
          instant: Instant(nanoseconds: now + random.within(0...spread)),
          actor: UInt32(random.below(actors)), kind: UInt16(random.below(5)),
          generation: UInt16(random.below(3)), payload: UInt32(step))
        let handle = queue.schedule(event)
        model.schedule(event, handle: handle)
        handles.append(handle)
      }
      queue.checkInvariants()
      #expect(queue.pending == model.items.count)
      if step % 7 == 0 {
        #expect(queue.nextInstant() == model.first.map { model.items[$0].event.instant })
      }
    }
    drain(queue, &model)
    queue.checkInvariants()
  }

  private func drain(_ queue: Queue, _ model: inout NaiveQueue) {
    while let event = queue.takeNext() {
      let expected = model.takeNext(notAfter: .endOfTime)
      #expect(event == expected)
    }
    #expect(model.items.isEmpty)
  }

  @Test func keepsTheOrderWithinAnActor() {
    let queue = Queue(seed: 3)
    for payload in 0..<500 as Range<UInt32> {
      queue.schedule(Event(instant: .start, actor: payload % 7, kind: 0, payload: payload))
    }
    var last = [Int64](repeating: -1, count: 7)
    while let event = queue.takeNext() {
      #expect(last[Int(event.actor)] < Int64(event.payload))
      last[Int(event.actor)] = Int64(event.payload)
    }
    #expect(last == [497, 498, 499, 493, 494, 495, 496])
  }

  /// The order of actors at one instant, when they schedule in the order given.
  private func order(of actors: [UInt32], seed: UInt64, at instant: Int64 = 5) -> [UInt32] {
    let queue = Queue(seed: seed)
    for actor in actors {
      queue.schedule(Event(instant: Instant(nanoseconds: instant), actor: actor, kind: 0))
    }
    var order: [UInt32] = []
    while let event = queue.takeNext() { order.append(event.actor) }
    return order
  }

  @Test func orderBetweenActorsDoesNotDependOnWhoWasFirst() {
    let actors = Array(0..<12 as Range<UInt32>)
    for seed in 0..<40 as Range<UInt64> {
      #expect(order(of: actors, seed: seed) == order(of: actors.reversed(), seed: seed))
    }
  }

  @Test func orderBetweenActorsChangesWithSeedAndInstant() {
    let actors = Array(0..<12 as Range<UInt32>)
    let bySeed = (0..<20 as Range<UInt64>).map { order(of: actors, seed: $0) }
    #expect(Set(bySeed).count == 20)
    let byInstant = (0..<20 as Range<Int64>).map { order(of: actors, seed: 1, at: $0) }
    #expect(Set(byInstant).count == 20)
  }

  /// Each of two actors is first in about half of the seeds.
  @Test func noActorIsFavoured() {
    let first = (0..<2_000 as Range<UInt64>).filter { order(of: [1, 2], seed: $0)[0] == 1 }.count
    #expect((880...1_120).contains(first))
  }

  @Test func aHandleNamesOneEventOnly() {
    let queue = Queue(seed: 0)
    let first = queue.schedule(Event(instant: .start, actor: 0, kind: 1))
    #expect(queue.takeNext()?.kind == 1)
    #expect(!queue.cancel(first))
    let second = queue.schedule(Event(instant: .start, actor: 0, kind: 2))
    #expect(!queue.cancel(first), "the slot was used again, the handle is an old one")
    #expect(queue.cancel(second))
    #expect(!queue.cancel(second))
    #expect(queue.pending == 0)
    #expect(queue.takeNext() == nil)
    #expect(!queue.cancel(.none))
    queue.checkInvariants()
  }

  @Test func instantsBeforeTheStartComeFirst() {
    let queue = Queue(seed: 0)
    for nanoseconds in [0, -1, .max - 1, .min, 7] as [Int64] {
      queue.schedule(Event(instant: Instant(nanoseconds: nanoseconds), actor: 0, kind: 0))
    }
    var seen: [Int64] = []
    while let event = queue.takeNext() { seen.append(event.instant.nanoseconds) }
    #expect(seen == [.min, -1, 0, 7, .max - 1])
  }

  /// Sequence numbers run out after 2^24 events; the order must survive that.
  @Test(arguments: [false, true])
  func orderSurvivesRenumbering(withHole: Bool) {
    let queue = Queue(seed: 9)
    queue.sequence = EventQueue.Key.sequenceLimit - 20
    var model = NaiveQueue(seed: 9)
    for payload in 0..<60 as Range<UInt32> {
      if withHole && payload % 3 == 2 {
        let expected = model.takeNext(notAfter: .endOfTime)
        #expect(queue.takeNext() == expected)
      }
      let event = Event(
        instant: Instant(nanoseconds: Int64(payload % 2)), actor: payload % 4, kind: 0,
        payload: payload)
      model.schedule(event, handle: queue.schedule(event))
      queue.checkInvariants()
    }
    #expect(queue.sequence < 100)
    drain(queue, &model)
  }
}
