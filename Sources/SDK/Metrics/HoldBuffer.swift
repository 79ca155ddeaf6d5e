/// The calls made before the config is applied, oldest first (API-07 to API-09, A-30), and what
/// happened to the app between them.
///
/// It has room for 200 calls. A further call evicts the oldest: its message is lost, its effect on
/// user, visitor and consent is not (S-28). Lifecycle inputs take no room and are never evicted.
struct HoldBuffer: Sendable {
  static let room = 200

  /// The first of the evicted calls that ends the view of a screen.
  struct Closing: Sendable {
    /// A reset, not a withdrawal.
    var isReset: Bool
    var ordinal: UInt64
    var uptime: Int64
    var current: CurrentContext
  }

  /// What evicted calls did to the state, folded: they were all made before the calls still held.
  struct EvictedEffects: Sendable {
    var closing: Closing?
    /// An evicted call passed `analytics: false`: what is stored goes, whatever followed.
    var hasWithdrawal = false
    var analytics: Bool?
    var marketing: Bool?
    /// The first evicted grant of analytics after the last evicted withdrawal.
    var grant: (uptime: Int64, current: CurrentContext)?
    /// The ordinal of the last evicted reset.
    var resetOrdinal: UInt64?
    /// When that reset was made, on the clock that runs in sleep.
    var resetUptime: Int64 = 0
    /// The user of the last evicted identify after the last evicted reset.
    var userId: String?
  }

  /// One thing to replay.
  enum Item: Sendable {
    case evicted(EvictedEffects)
    case call(Call)
    case lifecycle(LifecycleInput)
  }

  private var calls: [Call] = []
  /// Where the oldest call stands in `calls` once they have wrapped around.
  private var oldest = 0
  private var lifecycle: [LifecycleInput] = []
  /// The effects of evicted calls, apart for those that a lifecycle input lies between.
  private var evicted: [(inputsBefore: Int, effects: EvictedEffects)] = []

  var count: Int { calls.count }
  /// Whether a call that is held, or was evicted, passed `analytics: false`.
  var hasWithdrawal: Bool {
    calls.contains { call in
      if case .consent(analytics: false, _) = call.kind { return true }
      return false
    } || evicted.contains { $0.effects.hasWithdrawal }
  }

  /// Where `load` met the app.
  var isLoadedInForeground: Bool {
    lifecycle.contains { input in
      if case .load(isForeground: true) = input.kind { return true }
      return false
    }
  }

  /// Holds a call.
  /// - Returns: the id of the message that had to go for it.
  mutating func hold(_ call: Call) -> String? {
    if calls.count < Self.room {
      calls.append(call)
      return nil
    }
    let gone = calls[oldest]
    calls[oldest] = call
    oldest = (oldest + 1) % Self.room
    return evict(gone)
  }

  /// Holds something that happened to the app.
  mutating func hold(_ input: LifecycleInput) { lifecycle.append(input) }

  /// Says where the app stood at `load`, once that is known.
  mutating func settleLoad(isForeground: Bool) {
    for index in lifecycle.indices {
      if case .load = lifecycle[index].kind {
        lifecycle[index].kind = .load(isForeground: isForeground)
      }
    }
  }

  /// Takes everything out in the order in which it happened.
  mutating func takeAll() -> [Item] {
    let ordered = Array(calls[oldest...] + calls[..<oldest])
    var items: [Item] = []
    items.reserveCapacity(ordered.count + lifecycle.count + evicted.count)
    var next = 0
    func takeInputs(while condition: (Int) -> Bool) {
      while next < lifecycle.count, condition(next) {
        items.append(.lifecycle(lifecycle[next]))
        next += 1
      }
    }
    // All evicted calls were made before those still held.
    for segment in evicted {
      takeInputs { $0 < segment.inputsBefore }
      items.append(.evicted(segment.effects))
    }
    for call in ordered {
      takeInputs { lifecycle[$0].ordinal < call.ordinal }
      items.append(.call(call))
    }
    takeInputs { _ in true }
    self = HoldBuffer()
    return items
  }

  private mutating func evict(_ call: Call) -> String? {
    let before = lifecycle.reduce(0) { $1.ordinal < call.ordinal ? $0 + 1 : $0 }
    // What ends the view of a controller does so under the circumstances of its own instant.
    let isFirstClosing =
      call.endsView && evicted.last?.effects.closing == nil
      && lifecycle.contains { $0.isAppearance && $0.ordinal < call.ordinal }
    if isFirstClosing || evicted.last?.inputsBefore != before {
      evicted.append((before, EvictedEffects()))
    }
    return evicted[evicted.count - 1].effects.take(call)
  }
}

extension LifecycleInput {
  fileprivate var isAppearance: Bool {
    if case .appearance = kind { return true }
    return false
  }
}

extension Call {
  /// A reset or a withdrawal, after which the view that showed is timed no more.
  fileprivate var endsView: Bool {
    switch kind {
    case .reset: return true
    case .consent(let analytics, _): return analytics == false
    case .message: return false
    }
  }
}

extension HoldBuffer.EvictedEffects {
  /// Folds in what an evicted call did.
  /// - Returns: the id of its message.
  fileprivate mutating func take(_ call: Call) -> String? {
    switch call.kind {
    case .consent(let analytics, let marketing):
      if analytics == false {
        hasWithdrawal = true
        grant = nil
        close(call, isReset: false)
      }
      if analytics == true, grant == nil { grant = (call.uptime, call.current) }
      self.analytics = analytics ?? self.analytics
      self.marketing = marketing ?? self.marketing
      return nil
    case .reset:
      close(call, isReset: true)
      resetOrdinal = call.ordinal
      resetUptime = call.uptime
      userId = nil
      return nil
    case .message(let type):
      if type == .identify, !call.name.isEmpty { userId = call.name }
      return call.messageId
    }
  }

  private mutating func close(_ call: Call, isReset: Bool) {
    if closing != nil { return }
    closing = HoldBuffer.Closing(
      isReset: isReset, ordinal: call.ordinal, uptime: call.uptime, current: call.current)
  }
}
