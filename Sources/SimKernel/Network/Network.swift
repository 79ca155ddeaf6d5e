/// The links between the device and its servers.
///
/// A request travels (`up`), is answered (`server`), and its answer travels back (`down`); its fate
/// may end it anywhere. While the app is suspended requests fail or finish, and it hears of neither
/// until it is resumed. A request of a dead process may still reach its server.
public final class Network {
  static let suspendStream = StreamName("network.suspend")
  static let deathStream = StreamName("network.death")
  static let interfaceStream = StreamName("network.interface")

  /// What a payload of an event means: the exchange, and which of its steps.
  private static let secondCopyBit: UInt32 = 1 << 31
  private static let timeoutBit: UInt32 = 1 << 30

  private unowned let simulation: Simulation
  private let randomness: Randomness
  private let eventKind: UInt16
  public unowned var owner: NetworkOwner?
  private var exchanges: [Exchange] = []
  private var isSuspended = false
  /// Which network the device has.
  public private(set) var link: LinkKind
  /// How often an interface change breaks a request in flight.
  public var interfaceChangeBreaks: Ratio = Ratio(1, 2)

  public init(simulation: Simulation, randomness: Randomness, eventKind: UInt16, link: LinkKind) {
    self.simulation = simulation
    self.randomness = randomness
    self.eventKind = eventKind
    self.link = link
  }

  /// How many requests the app still waits for.
  public var inFlight: Int {
    var count = 0
    for exchange in exchanges where exchange.phase != .over && !exchange.isOrphan { count += 1 }
    return count
  }

  /// Starts a request; its number is the count of those before it.
  /// - Parameters:
  ///   - key: a stable identity of the request.
  ///   - instant: when it leaves the app.
  ///   - idle: the longest silence.
  ///   - total: the longest time in all.
  public func start(
    key: UInt64, plan: ExchangePlan, at instant: Instant, idle: TimeSpan, total: TimeSpan
  ) -> UInt32 {
    let id = UInt32(exchanges.count)
    var exchange = Exchange(
      id: id, key: key, plan: plan, idleSpan: idle, idleDeadline: instant + idle,
      totalDeadline: instant + total)
    let first: TimeSpan?
    switch plan.fate {
    case .offline: first = .milliseconds(1)
    case .dnsFailure: first = .milliseconds(40)
    case .tlsFailure: first = plan.up * 2
    case .blackHole: first = nil
    default: first = plan.up
    }
    if let first { exchange.step = schedule(exchange, at: instant + first) }
    let deadline = min(exchange.idleDeadline, exchange.totalDeadline)
    exchange.timeout = schedule(exchange, at: deadline, bits: Network.timeoutBit)
    exchanges.append(exchange)
    return id
  }

  /// The app gives a request up. The owner is told of its end as `.cancelled`.
  public func cancel(_ id: UInt32) {
    let place = Int(id)
    guard exchanges[place].phase != .over, !exchanges[place].isOrphan else { return }
    if exchanges[place].phase == .travelling { simulation.cancel(exchanges[place].step) }
    end(place, .cancelled)
  }

  /// Handles an event of this network.
  public func handle(_ event: Event) {
    let place = Int(event.payload & ~(Network.secondCopyBit | Network.timeoutBit))
    if event.payload & Network.timeoutBit != 0 {
      timeoutFired(place)
    } else if event.payload & Network.secondCopyBit != 0 {
      secondCopy(place)
    } else {
      step(place)
    }
  }

  // MARK: Disturbances

  /// The device changes its network.
  public func setLink(_ newLink: LinkKind) {
    let old = link
    link = newLink
    if old == newLink { return }
    for place in exchanges.indices {
      let exchange = exchanges[place]
      if exchange.phase == .over || exchange.phase == .held || exchange.isOrphan { continue }
      if exchange.isTorn { continue }
      let breaks =
        newLink == .none
        || randomness.happens(
          interfaceChangeBreaks, Network.interfaceStream, exchange.key,
          UInt64(bitPattern: simulation.now.nanoseconds))
      if breaks {
        owner?.exchangeDisturbed(exchange.id, by: .networkInterfaceChange)
        disconnect(place)
      }
    }
  }

  /// The app is suspended: each request in flight fails or finishes without it.
  public func appSuspended() {
    isSuspended = true
    for place in exchanges.indices {
      let exchange = exchanges[place]
      if exchange.phase == .over || exchange.isOrphan { continue }
      owner?.exchangeDisturbed(exchange.id, by: .processSuspendedInFlight)
      if randomness.happens(Ratio(1, 2), Network.suspendStream, exchange.key) {
        exchanges[place].isTorn = true
        if exchange.phase == .travelling { simulation.cancel(exchange.step) }
        simulation.cancel(exchange.timeout)
      }
    }
  }

  /// The app runs again and hears what became of its requests.
  public func appResumed() {
    isSuspended = false
    for place in exchanges.indices where !exchanges[place].isOrphan {
      if exchanges[place].phase == .held, let heldEnd = exchanges[place].heldEnd {
        finish(place, heldEnd)
      } else if exchanges[place].isTorn, exchanges[place].phase != .over {
        end(place, .connectionLost)
      }
    }
  }

  /// The process is dead: nobody hears of its requests, but they may still arrive.
  public func appDied() {
    isSuspended = false
    for place in exchanges.indices {
      let exchange = exchanges[place]
      if exchange.phase == .over || exchange.isOrphan { continue }
      exchanges[place].isOrphan = true
      simulation.cancel(exchange.timeout)
      let arrives = randomness.happens(Ratio(1, 2), Network.deathStream, exchange.key)
      if exchange.phase == .travelling, !arrives || exchange.isTorn {
        simulation.cancel(exchange.step)
        exchanges[place].phase = .over
      } else if exchange.phase == .held {
        exchanges[place].phase = .over
      }
    }
  }

  // MARK: Steps

  private func schedule(_ exchange: Exchange, at instant: Instant, bits: UInt32 = 0) -> EventHandle
  {
    // One connection is one actor: its events keep their order.
    let actor = 0x4000_0000 | UInt32(truncatingIfNeeded: exchange.key & 0x3fff_ffff)
    return simulation.schedule(
      Event(instant: instant, actor: actor, kind: eventKind, payload: exchange.id | bits))
  }

  private func step(_ place: Int) {
    switch exchanges[place].phase {
    case .travelling: arrive(place)
    case .atServer: answer(place)
    case .returning: end(place, returnEnd(exchanges[place].plan.fate))
    case .held, .over: break
    }
  }

  private func arrive(_ place: Int) {
    let exchange = exchanges[place]
    switch exchange.plan.fate {
    case .offline: end(place, .notConnected)
    case .dnsFailure: end(place, .cannotFindHost)
    case .refused: end(place, .cannotConnect)
    case .tlsFailure: end(place, .secureConnectionFailed)
    case .resetBefore: end(place, .connectionLost)
    case .blackHole: break
    case .intercepted:
      exchanges[place].phase = .returning
      exchanges[place].step = schedule(exchange, at: simulation.now + exchange.plan.down)
      owner?.exchangeIntercepted(exchange.id)
    case .normal, .resetAfter, .truncatedBody, .duplicateArrival:
      exchanges[place].phase = .atServer
      exchanges[place].idleDeadline = simulation.now + exchange.idleSpan
      exchanges[place].step = schedule(exchange, at: simulation.now + exchange.plan.server)
      owner?.exchangeArrived(exchange.id, copy: 0)
      if case .duplicateArrival(let gap) = exchange.plan.fate {
        exchanges[place].second = schedule(
          exchange, at: simulation.now + gap, bits: Network.secondCopyBit)
      }
    }
  }

  private func answer(_ place: Int) {
    let exchange = exchanges[place]
    owner?.exchangeAnswered(exchange.id, copy: 0)
    if exchange.isOrphan || exchange.isTorn {
      if exchange.isOrphan { exchanges[place].phase = .over }
      return
    }
    exchanges[place].phase = .returning
    exchanges[place].step = schedule(exchange, at: simulation.now + exchange.plan.down)
  }

  private func secondCopy(_ place: Int) {
    owner?.exchangeArrived(exchanges[place].id, copy: 1)
    owner?.exchangeAnswered(exchanges[place].id, copy: 1)
  }

  private func returnEnd(_ fate: ExchangeFate) -> ExchangeEnd {
    switch fate {
    case .resetAfter, .truncatedBody: return .connectionLost
    default: return .answer
    }
  }

  private func timeoutFired(_ place: Int) {
    let exchange = exchanges[place]
    if exchange.phase == .over || exchange.phase == .held || exchange.isOrphan { return }
    let deadline = min(exchange.idleDeadline, exchange.totalDeadline)
    if deadline > simulation.now {
      exchanges[place].timeout = schedule(exchange, at: deadline, bits: Network.timeoutBit)
      return
    }
    if exchange.phase == .travelling { simulation.cancel(exchange.step) }
    end(place, .timedOut)
  }

  /// The connection breaks now; what has arrived at the server stays there.
  private func disconnect(_ place: Int) {
    if exchanges[place].phase == .travelling { simulation.cancel(exchanges[place].step) }
    if isSuspended {
      exchanges[place].isTorn = true
      simulation.cancel(exchanges[place].timeout)
    } else {
      end(place, .connectionLost)
    }
  }

  private func end(_ place: Int, _ how: ExchangeEnd) {
    simulation.cancel(exchanges[place].timeout)
    if exchanges[place].isOrphan {
      exchanges[place].phase = .over
    } else if isSuspended {
      exchanges[place].phase = .held
      exchanges[place].heldEnd = how
    } else {
      finish(place, how)
    }
  }

  private func finish(_ place: Int, _ how: ExchangeEnd) {
    // A server that still works on the request goes on; nobody waits for it.
    if exchanges[place].phase == .atServer {
      exchanges[place].isOrphan = true
    } else {
      exchanges[place].phase = .over
    }
    owner?.exchangeEnded(exchanges[place].id, how)
  }
}
