/// The calls made before the config is applied, oldest first (API-07 to API-09, A-30).
///
/// It has room for 200. A further call evicts the oldest: its message is lost, its effect on user,
/// visitor and consent is not (S-28).
struct HoldBuffer: Sendable {
  static let room = 200

  /// What evicted calls did to the state, folded: they were all made before the calls still held.
  struct EvictedEffects: Sendable {
    /// An evicted call passed `analytics: false`: what is stored goes, whatever followed.
    var hasWithdrawal = false
    var analytics: Bool?
    var marketing: Bool?
    /// The ordinal of the last evicted reset.
    var resetOrdinal: UInt64?
    /// The user of the last evicted identify after the last evicted reset.
    var userId: String?
  }

  private var calls: [Call] = []
  /// Where the oldest call stands in `calls` once they have wrapped around.
  private var oldest = 0
  private(set) var evicted = EvictedEffects()

  var count: Int { calls.count }

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

  /// Takes all calls out, oldest first.
  mutating func takeAll() -> [Call] {
    let ordered = Array(calls[oldest...] + calls[..<oldest])
    calls = []
    oldest = 0
    return ordered
  }

  private mutating func evict(_ call: Call) -> String? {
    switch call.kind {
    case .consent(let analytics, let marketing):
      if analytics == false { evicted.hasWithdrawal = true }
      evicted.analytics = analytics ?? evicted.analytics
      evicted.marketing = marketing ?? evicted.marketing
      return nil
    case .reset:
      evicted.resetOrdinal = call.ordinal
      evicted.userId = nil
      return nil
    case .message(let type):
      if type == .identify, !call.name.isEmpty { evicted.userId = call.name }
      return call.messageId
    }
  }
}
