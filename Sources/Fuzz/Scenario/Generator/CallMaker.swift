import FuzzHistory
import SimKernel

/// The kinds of calls that a visit is made of.
enum CallKind: Int, CaseIterable {
  case track
  case screen
  case identify
  case group
  case alias
  case reset
  case flush
  case getAnonymousId
  case getContext
  case oddTrack
  case oddOther

  /// The usual share of the kind, in parts of all shares.
  var share: UInt64 {
    switch self {
    case .track: return 60
    case .screen: return 14
    case .identify, .flush: return 6
    case .group, .alias, .getAnonymousId, .getContext: return 3
    case .reset, .oddOther: return 2
    case .oddTrack: return 5
    }
  }
}

/// How often each kind of call comes in one scenario: a swarm of its own.
struct CallMix {
  private var limits: [UInt64] = []
  /// The kinds that never come.
  private(set) var without: [CallKind] = []

  init(_ source: Randomness) {
    var total: UInt64 = 0
    for kind in CallKind.allCases {
      var draw = source.stream(Streams.mix, UInt64(kind.rawValue))
      let isOff = kind != .track && draw.chance(1, in: 6)
      if isOff { without.append(kind) }
      total += isOff ? 0 : kind.share * draw.pick([1, 2, 2, 3])
      limits.append(total)
    }
  }

  func pick(_ draw: inout RandomStream) -> CallKind {
    let value = draw.below(limits[limits.count - 1])
    var place = 0
    while limits[place] <= value { place += 1 }
    return CallKind(rawValue: place) ?? .track
  }
}

/// Makes the calls of a scenario, each from its own stream.
struct CallMaker {
  let source: Randomness
  let mix: CallMix
  let hostileOneIn: UInt64
  let hasBadIds: Bool
  /// Odd calls that only an odd moment could tell apart are left out.
  let isCalm: Bool
  /// Turns the canary words, so that scenarios differ.
  let canaryOffset: Int

  /// Some of the names that events have.
  static func someEvents(_ draw: inout RandomStream) -> [String] {
    [draw.pick(events), draw.pick(events), draw.pick(events)]
  }

  private static let events = [
    "Order Completed", "Product Viewed", "cart_updated", "Söker", "tap", "Video Paused",
    "checkout.step", "level up 🎉",
  ]
  private static let screens = ["Home", "Cart", "Détail", "Settings/Privacy", "?", "Profile"]

  /// How many calls one scenario may number, so that each has canary words of its own.
  static let ordinals = Int(CanaryWords.count) / ValueMaker.canariesPerCall

  /// The call of an ordinal: a number below `ordinals` that no other call of the scenario has.
  func call(_ ordinal: Int) -> HostCall {
    var draw = source.stream(Streams.call, UInt64(ordinal))
    let kind = mix.pick(&draw)
    return call(kind, ordinal, &draw)
  }

  /// A call of one kind.
  func call(_ kind: CallKind, _ ordinal: Int) -> HostCall {
    var draw = source.stream(Streams.call, UInt64(ordinal))
    return call(kind, ordinal, &draw)
  }

  /// A `track` whose message is nearly as large as one may be.
  func heavyTrack(_ ordinal: Int) -> HostCall {
    var draw = source.stream(Streams.call, UInt64(ordinal))
    let text = ValueMaker.long(draw.int(28_000...31_500))
    let properties = [
      PropertyEntry("n", .int(Int64(ordinal))), PropertyEntry("blob", .string(text)),
    ]
    return .track(event: draw.pick(CallMaker.events), properties: properties, messageId: nil)
  }

  private func call(_ kind: CallKind, _ ordinal: Int, _ draw: inout RandomStream) -> HostCall {
    precondition(ordinal < CallMaker.ordinals, "more calls than there are canary words for")
    var values = ValueMaker(
      draw: RandomStream(state: draw.next()),
      nextCanary: ordinal * ValueMaker.canariesPerCall, canaryOffset: canaryOffset,
      hostileOneIn: hostileOneIn)
    let isTwin = !isCalm && draw.chance(1, in: 60)
    let told: Int? = isTwin ? nil : ordinal
    switch kind {
    case .track:
      let id = messageId(ordinal, &draw)
      return .track(
        event: draw.pick(CallMaker.events), properties: values.properties(ordinal: told),
        messageId: id)
    case .screen:
      return .screen(
        name: draw.pick(CallMaker.screens),
        properties: values.properties(ordinal: told, path: true))
    case .identify:
      let user = draw.chance(1, in: 4) ? nil : userId(&draw)
      return .identify(userId: user, traits: values.traits(ordinal: told))
    case .group:
      return .group(
        groupId: Numerals.text("team-", Int(draw.below(4))), traits: values.traits(ordinal: told))
    case .alias:
      let previous = draw.chance(1, in: 2) ? Numerals.text("guest-", Int(draw.below(9))) : nil
      return .alias(userId: Numerals.text("alias-", ordinal), previousId: previous)
    case .reset: return .reset
    case .flush: return .flush
    case .getAnonymousId: return .getAnonymousId
    case .getContext: return .getContext
    case .oddTrack: return oddTrack(ordinal, &values, &draw)
    case .oddOther: return oddOther(ordinal, &values, &draw)
    }
  }

  private func userId(_ draw: inout RandomStream) -> String {
    switch draw.below(24) {
    case 0: return "ada@example.org"
    case 1: return "+49 170 5550123"
    case 2: return "usér 🚲"
    default: return Numerals.text("user-", Int(draw.below(5)))
    }
  }

  private func messageId(_ ordinal: Int, _ draw: inout RandomStream) -> String? {
    // Two neighbours now and then share an id: a retry by an app that knows no better (S-16).
    if hasBadIds, !isCalm,
      source.happens(Ratio(1, 10), Streams.pair, UInt64(ordinal / 2))
    {
      return Numerals.text("pair-", ordinal / 2)
    }
    if draw.chance(4, in: 5) { return nil }
    return Numerals.text("m-", ordinal)
  }

  /// Calls of `track` with refused names and odd message ids.
  private func oddTrack(
    _ ordinal: Int, _ values: inout ValueMaker, _ draw: inout RandomStream
  ) -> HostCall {
    if draw.chance(1, in: 3) {
      let name = draw.pick(["$app_open", "$", "", "$crash"])
      return .track(event: name, properties: values.properties(ordinal: ordinal), messageId: nil)
    }
    return .track(
      event: "odd id", properties: values.properties(ordinal: ordinal),
      messageId: hasBadIds ? oddId(ordinal, &draw) : Numerals.text("~!{}", ordinal))
  }

  private func oddId(_ ordinal: Int, _ draw: inout RandomStream) -> String {
    switch draw.below(10) {
    case 0: return ""
    case 1: return " "
    case 2: return Numerals.text("with space ", ordinal)
    case 3: return Numerals.text("tab\t", ordinal)
    case 4: return Numerals.text("ümlaut-", ordinal)
    case 5: return Numerals.text("del\u{7F}", ordinal)
    case 6: return ValueMaker.long(101)
    case 7: return ValueMaker.long(99) + Numerals.text("", ordinal % 10)
    case 8: return Numerals.text("!", ordinal % 10)
    // An id that other calls use too.
    default: return isCalm ? Numerals.text("id-", ordinal) : Numerals.text("id-", ordinal % 4)
    }
  }

  /// Calls that their arguments refuse, or nearly.
  private func oddOther(
    _ ordinal: Int, _ values: inout ValueMaker, _ draw: inout RandomStream
  ) -> HostCall {
    switch draw.below(8) {
    case 0: return .alias(userId: "", previousId: nil)
    case 1: return .alias(userId: "same", previousId: "same")
    case 2: return .alias(userId: Numerals.text("user-", Int(draw.below(5))), previousId: nil)
    case 3: return .group(groupId: "", traits: values.traits(ordinal: ordinal))
    case 4: return .screen(name: "", properties: values.properties(ordinal: ordinal))
    case 5: return .identify(userId: nil, traits: [])
    case 6: return .identify(userId: "", traits: values.traits(ordinal: ordinal))
    default: return .consent(analytics: nil, marketing: nil)
    }
  }
}
