import FuzzHistory
import SimKernel

@testable import FuzzInvariants

/// What a calm history shows: all that happened to each process, and the requests that it made of
/// it.
final class CalmWitness: Invariant {
  /// A batch request as it went out.
  struct Request: Equatable {
    var instant: Instant
    /// Indices of the model's messages; -1 for one that no call explains.
    var messages: [Int32]
    /// When the app heard of its end.
    var end: Instant?
  }

  /// A call that gives the SDK's queue something to do.
  struct Call {
    enum Kind {
      case message(Int32)
      case flush
      case grant
      case revoke
      case other
    }

    var number: UInt32
    var instant: Instant
    /// See `ExpectedMessage.occurrence`.
    var occurrence: Int64
    var kind = Kind.other
  }

  /// One process as it was.
  struct Life {
    var number: Int32
    /// When the job ran that applied the config.
    var started: Instant?
    var options = ResolvedOptions()
    var loaded: Instant?
    var calls: [Call] = []
    /// When the app went to the background.
    var entries: [Instant] = []
    /// When the app came to the foreground.
    var returns: [Instant] = []
    var suspensions: [(from: Instant, until: Instant?)] = []
    /// The ends of the steps of the file system off the main thread.
    var diskSteps: [Instant] = []
    /// Those of them that look at a file before they add to it.
    var sizes: [Instant] = []
    /// Those of them that write a whole file.
    var writes: [Instant] = []
    /// The barriers behind a removal.
    var wipes: [Instant] = []
    /// How many of them look at what is there or wipe it, before the first that makes anything or
    /// looks for crash records, which is behind the start.
    var looks = 0
    /// The barriers of files of the queue.
    var queueBarriers: [Instant] = []
    /// The barriers.
    var barriers: [Instant] = []
    /// What earlier processes have left to send, with their numbers.
    var stored: [(message: Int32, process: Int32)] = []
    /// The process starts under consent.
    var startsWithConsent = false
    /// Its `$first_open`, and when it was told the facts for it, if it was told in time.
    var firstOpen: Int32?
    var told: Instant?
    /// When a token was told, or that there is none.
    var tokens: [Instant] = []
    var requests: [Request] = []
  }

  private(set) var lives: [Life] = []
  private(set) var messages: [ExpectedMessage] = []
  /// Messages on the wire whose bytes are not those of the model, in words.
  private(set) var unequal: [String] = []
  private var isForeground = false
  private var isRemoving = false
  private var open: [(exchange: UInt32, life: Int, place: Int)] = []

  init() {
    super.init(
      InvariantInfo(
        id: "witness", statement: "", kind: .liveness, requirements: [], antecedent: ""),
      on: [
        .launched, .callBegan, .phase, .disk, .requestStarted, .exchangeEnded, .calmEnded,
        .firstQueueJobEnded, .attributionTokenAsked, .attributionTokenTold,
      ])
  }

  override func judge(_ record: Record, _ context: JudgeContext) {
    if case .launched = record.fact {
      lives.append(Life(number: record.process))
      isForeground = false
      return
    }
    if case .calmEnded = record.fact { return finish(context) }
    guard let place = lives.lastIndex(where: { $0.number == record.process }) else { return }
    let due = context.model.processes[Int(record.process)].lifecycle.due
    if let due, due.told != nil,
      due.toldContinuous - due.sinceContinuous <= ReferenceModel.patience
    {
      lives[place].told = due.toldInstant
    }
    switch record.fact {
    case .callBegan(let call, _, _, _, _):
      take(context.history.calls[Int(call)], call, record.instant, place, context)
    case .phase(let phase): take(phase, record.instant, place)
    case .disk(let operation, _, let queue, _, let path, _, _, _):
      guard queue != 0 else { return }
      let isLook =
        operation == .read || operation == .list || operation == .size || operation == .remove
        || operation == .barrier
      if operation == .barrier, isRemoving { lives[place].wipes.append(record.instant) }
      isRemoving = operation == .remove
      if operation == .barrier { lives[place].barriers.append(record.instant) }
      if operation == .barrier, context.disk.isQueue(path) {
        lives[place].queueBarriers.append(record.instant)
      }
      if operation == .size, context.disk.isQueue(path) {
        lives[place].sizes.append(record.instant)
      }
      if operation == .write { lives[place].writes.append(record.instant) }
      if isLook, !context.disk.isCrash(path),
        lives[place].looks == lives[place].diskSteps.count
      {
        lives[place].looks += 1
      }
      lives[place].diskSteps.append(record.instant)
    case .requestStarted(let number, .collector, _, _, _, _, _, _, _, _, _):
      start(number, record, place, context)
    case .attributionTokenTold: lives[place].tokens.append(record.instant)
    case .exchangeEnded(let number, _, _, _, _):
      guard let known = open.firstIndex(where: { $0.exchange == number }) else { return }
      lives[open[known].life].requests[open[known].place].end = record.instant
      open.remove(at: known)
    default: break
    }
  }

  private func take(
    _ call: HostCall, _ number: UInt32, _ instant: Instant, _ place: Int, _ context: JudgeContext
  ) {
    func add(_ kind: Call.Kind) {
      lives[place].calls.append(
        Call(
          number: number, instant: instant, occurrence: context.model.occurrences, kind: kind))
    }
    switch call {
    case .load: lives[place].loaded = lives[place].loaded ?? instant
    case .getContext, .getAnonymousId: break
    case .consent(analytics: true, marketing: _):
      add(.grant)
    case .consent(analytics: false, marketing: _):
      add(.revoke)
    case .flush: add(.flush)
    default: add(.other)
    }
  }

  private func take(_ phase: AppPhase, _ instant: Instant, _ place: Int) {
    if phase != .suspended, let last = lives[place].suspensions.indices.last,
      lives[place].suspensions[last].until == nil
    {
      lives[place].suspensions[last].until = instant
    }
    switch phase {
    case .active, .inactive:
      if !isForeground { lives[place].returns.append(instant) }
      isForeground = true
    case .background:
      if isForeground { lives[place].entries.append(instant) }
      isForeground = false
    case .suspended: lives[place].suspensions.append((instant, nil))
    case .resumed: break
    }
  }

  private func start(_ number: UInt32, _ record: Record, _ place: Int, _ context: JudgeContext) {
    var request = Request(instant: record.instant, messages: [])
    for sighting in context.model.sightings {
      request.messages.append(sighting.expected)
      guard sighting.expected >= 0 else { continue }
      let wire = context.ledger.messages[sighting.wire]
      let message = context.model.messages[Int(sighting.expected)]
      var due = Array(context.model.buffer.bytes[message.bytes])
      let rule = context.model.advertisingRule(Int(sighting.expected), record.process, context)
      if rule == .mustNot {
        let start = message.bytes.lowerBound
        due.removeSubrange(
          message.advertising.lowerBound - start..<message.advertising.upperBound - start)
      }
      if !due.elementsEqual(context.bytes(wire.bytes)) {
        unequal.append(
          "due \(String(decoding: due, as: UTF8.self)), sent \(context.text(wire.bytes))")
      }
    }
    open.append((number, place, lives[place].requests.count))
    lives[place].requests.append(request)
  }

  private func finish(_ context: JudgeContext) {
    messages = context.model.messages
    for place in lives.indices {
      let state = context.model.processes[Int(lives[place].number)]
      lives[place].started = state.startedInstant
      lives[place].options = state.options
      let own = messages.indices.filter {
        messages[$0].process == lives[place].number && messages[$0].loss == nil
      }
      for index in own {
        guard case .call(let number) = messages[index].cause,
          let call = lives[place].calls.firstIndex(where: { $0.number == number })
        else { continue }
        lives[place].calls[call].kind = .message(Int32(index))
      }
      for index in own {
        switch messages[index].cause {
        case .call: break
        case .appOpen, .appUpdated, .screenLeave, .automaticScreen, .crash, .hang:
          insert(Int32(index), messages[index], place)
        case .firstOpen: lives[place].firstOpen = Int32(index)
        }
      }
      let sent = lives[..<place].flatMap(\.requests).flatMap(\.messages)
      lives[place].stored = messages.indices.filter {
        messages[$0].process < lives[place].number && messages[$0].loss == nil
          && messages[$0].enqueuedInstant != nil && !sent.contains(Int32($0))
      }.map { (Int32($0), messages[$0].process) }
      lives[place].startsWithConsent = !state.startedWithoutAnalytics
    }
  }

  /// What the app's life makes comes in the order of the calls.
  private func insert(_ index: Int32, _ message: ExpectedMessage, _ life: Int) {
    let place = lives[life].calls.firstIndex { call in
      call.instant != message.callInstant
        ? call.instant > message.callInstant : call.occurrence > message.occurrence
    }
    lives[life].calls.insert(
      Call(
        number: .max, instant: message.callInstant, occurrence: message.occurrence,
        kind: .message(index)),
      at: place ?? lives[life].calls.count)
  }
}
