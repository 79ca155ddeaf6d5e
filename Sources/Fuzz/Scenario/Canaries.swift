import FuzzHistory
import SimKernel

extension Scenario {
  /// The secrets of this scenario, in the order in which they first occur: the words in traits and
  /// properties, the write keys, and the names of app and device.
  ///
  /// A word is a run of four Cherokee letters or more, wherever in a value it stands. A word that
  /// stands in both traits and properties is a property: there it may be stored. One of a crash
  /// that stands in either is theirs.
  public var canaries: [Canary] {
    var walk = CanaryWalk()
    if let start { walk.add(.writeKey, start.writeKey) }
    walk.add(.appIdentity, device.appName)
    walk.add(.appIdentity, device.appNamespace)
    walk.add(.appIdentity, device.deviceModel)
    walk.add(.advertisingId, device.advertisingId)
    walk.add(.vendorId, device.vendorId)
    walk.add(.token, attribution.token)
    if collector != nil { walk.add(.networkAddress, HistoryHeader().networkAddress) }
    for action in actions { walk.visit(action.kind) }
    return walk.canaries
  }
}

/// Collects the canaries of calls.
private struct CanaryWalk {
  private(set) var canaries: [Canary] = []
  /// Places by a hash of the bytes: hashing strings of rare letters would cost more than all the
  /// rest.
  private var places = Lookup<UInt64, Int>(minimumCapacity: 512)

  mutating func add(_ kind: Canary.Kind, _ text: String) {
    var text = text
    text.withUTF8 { add(kind, UnsafeRawBufferPointer($0)) }
  }

  mutating func add(_ kind: Canary.Kind, _ bytes: UnsafeRawBufferPointer) {
    if bytes.isEmpty { return }
    var hash = TraceHash()
    hash.combine(bytes: bytes)
    var key = hash.value
    while let place = places[key] {
      if canaries[place].text.utf8.elementsEqual(bytes) {
        let known = canaries[place].kind
        if kind == .property && known == .trait
          || known == .crash && [.property, .trait].contains(kind)
        {
          canaries[place].kind = kind
        }
        return
      }
      key &+= 1
    }
    places[key] = canaries.count
    canaries.append(Canary(kind: kind, text: String(decoding: bytes, as: UTF8.self)))
  }

  mutating func visit(_ kind: ActionKind) {
    switch kind {
    case .call(_, let call): visit(call)
    case .crash(let plan):
      scan([plan.name, plan.reason, plan.threadName] + plan.frames.map(\.symbol))
    case .blockMain(_, let stack): scan(stack.map(\.symbol))
    case .newDevice(let model, let advertisingId):
      add(.appIdentity, model)
      add(.advertisingId, advertisingId)
    case .repeated(let repetition): for step in repetition.steps { visit(step.kind) }
    default: break
    }
  }

  /// Rare words and long numbers in what an exception or a stack says; both stand only in private
  /// parts.
  private mutating func scan(_ texts: [String]) {
    for text in texts {
      var text = text
      text.withUTF8 { scan(.crash, UnsafeRawBufferPointer($0)) }
      for run in text.utf8.split(whereSeparator: { $0 < 0x30 || $0 > 0x39 })
      where run.count >= 10 { add(.crash, String(Substring(run))) }
    }
  }

  private mutating func visit(_ call: HostCall) {
    switch call {
    case .load(let writeKey, _): add(.writeKey, writeKey)
    case .track(_, let entries, _), .screen(_, let entries): visit(.property, entries)
    case .identify(_, let entries), .group(_, let entries): visit(.trait, entries)
    case .alias, .reset, .consent, .flush, .getAnonymousId, .getContext: break
    }
  }

  private mutating func visit(_ kind: Canary.Kind, _ entries: [PropertyEntry]) {
    for entry in entries { visit(kind, entry.value) }
  }

  private mutating func visit(_ kind: Canary.Kind, _ value: PropertyValue) {
    switch value {
    case .string(let text):
      var text = text
      text.withUTF8 { scan(kind, UnsafeRawBufferPointer($0)) }
    case .data(let bytes): bytes.withUnsafeBytes { scan(kind, $0) }
    case .array(let values): for value in values { visit(kind, value) }
    case .object(let entries): visit(kind, entries)
    case .optional(let inner): if let inner { visit(kind, inner) }
    default: break
    }
  }

  /// Adds each run of Cherokee letters: three bytes each, from E1 8E A0 to E1 8F B4.
  private mutating func scan(_ kind: Canary.Kind, _ bytes: UnsafeRawBufferPointer) {
    var place = 0
    while place + 12 <= bytes.count {
      guard bytes[place] == 0xE1 else {
        place += 1
        continue
      }
      let start = place
      while CanaryWords.isLetter(bytes, at: place) { place += 3 }
      if place - start >= 12 {
        add(kind, UnsafeRawBufferPointer(rebasing: bytes[start..<place]))
      }
      if place == start { place += 1 }
    }
  }
}
