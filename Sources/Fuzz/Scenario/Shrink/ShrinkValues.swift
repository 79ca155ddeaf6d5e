import FuzzHistory
import SimKernel

extension ShrinkPass {
  private static func changeCall(
    _ id: UInt32, _ words: String,
    _ change: @escaping @Sendable (inout UInt16, inout HostCall) -> Void
  ) -> ShrinkMove {
    ShrinkMove(action: id, words) { action in
      guard case .call(var thread, var call) = action.kind else { return }
      change(&thread, &call)
      action.kind = .call(thread: thread, call)
    }
  }

  /// Simpler calls: no properties, the main thread, short names, no ids.
  static func values(_ scenario: Scenario) -> ShrinkPass {
    var moves = [
      ShrinkMove("all calls without properties and traits") { scenario in
        for place in scenario.actions.indices {
          guard case .call(let thread, var call) = scenario.actions[place].kind else { continue }
          call.entries = []
          scenario.actions[place].kind = .call(thread: thread, call)
        }
      },
      ShrinkMove("all calls on the main thread") { scenario in
        for place in scenario.actions.indices {
          guard case .call(_, let call) = scenario.actions[place].kind else { continue }
          scenario.actions[place].kind = .call(thread: 0, call)
        }
      },
    ]
    for action in scenario.actions {
      guard case .call(_, let call) = action.kind else { continue }
      let id = action.id
      moves.append(changeCall(id, "on the main thread") { thread, _ in thread = 0 })
      if !call.entries.isEmpty {
        moves.append(changeCall(id, "without properties") { _, call in call.entries = [] })
      }
      for (place, simpler) in call.simpler.enumerated() {
        moves.append(
          changeCall(id, simpler.words) { _, call in
            let simpler = call.simpler
            if place < simpler.count { call = simpler[place].call }
          })
      }
    }
    return ShrinkPass("calls", moves)
  }

  /// Fewer and simpler properties and traits.
  static func entries(_ scenario: Scenario) -> ShrinkPass {
    var moves: [ShrinkMove] = []
    for action in scenario.actions {
      guard case .call(_, let call) = action.kind else { continue }
      let id = action.id
      for entry in call.entries {
        let key = entry.key
        moves.append(
          changeCall(id, "without \(Quoted.text(key))") { _, call in
            call.entries.removeAll { $0.key == key }
          })
        for (place, value) in entry.value.simpler.enumerated() {
          moves.append(
            changeCall(
              id, "\(Quoted.text(key)) is simpler (\(ScenarioSize.detail(value)))"
            ) { _, call in
              guard let at = call.entries.firstIndex(where: { $0.key == key }) else { return }
              let simpler = call.entries[at].value.simpler
              if place < simpler.count { call.entries[at].value = simpler[place] }
            })
        }
      }
    }
    return ShrinkPass("properties", moves)
  }
}

extension HostCall {
  /// Properties or traits, where the call has any.
  var entries: [PropertyEntry] {
    get {
      switch self {
      case .track(_, let entries, _), .screen(_, let entries), .identify(_, let entries),
        .group(_, let entries):
        return entries
      default: return []
      }
    }
    set {
      switch self {
      case .track(let event, _, let id):
        self = .track(event: event, properties: newValue, messageId: id)
      case .screen(let name, _): self = .screen(name: name, properties: newValue)
      case .identify(let id, _): self = .identify(userId: id, traits: newValue)
      case .group(let id, _): self = .group(groupId: id, traits: newValue)
      default: break
      }
    }
  }

  /// The same call with one argument simpler.
  var simpler: [(words: String, call: HostCall)] {
    switch self {
    case .track(let event, let entries, let id):
      return [
        ("no message id", .track(event: event, properties: entries, messageId: nil)),
        ("a short name", .track(event: "a", properties: entries, messageId: id)),
        ("a short id", .track(event: event, properties: entries, messageId: id.map { _ in "m" })),
      ]
    case .screen(_, let entries): return [("a short name", .screen(name: "a", properties: entries))]
    case .identify(let id, let entries):
      return [
        ("no user", .identify(userId: nil, traits: entries)),
        ("a short id", .identify(userId: id.map { _ in "u" }, traits: entries)),
      ]
    case .group(_, let entries): return [("a short id", .group(groupId: "g", traits: entries))]
    case .alias(let userId, let previousId):
      return [
        ("no previous id", .alias(userId: userId, previousId: nil)),
        ("a short id", .alias(userId: "b", previousId: previousId)),
      ]
    case .consent(let analytics, let marketing):
      return [
        ("without marketing", .consent(analytics: analytics, marketing: nil)),
        ("without analytics", .consent(analytics: nil, marketing: marketing)),
      ]
    case .load(let writeKey, let options):
      var simpler: [(words: String, call: HostCall)] = [
        ("no options", .load(writeKey: writeKey, options: HostOptions())),
        ("a short key", .load(writeKey: "k", options: options)),
      ]
      for field in OptionField.all where field.isSet(options) {
        var fewer = options
        field.clear(&fewer)
        simpler.append(("no \(field.name)", .load(writeKey: writeKey, options: fewer)))
      }
      return simpler
    case .reset, .flush, .getAnonymousId, .getContext: return []
    }
  }
}

extension PropertyValue {
  /// Values that are simpler than this one, the simplest first.
  var simpler: [PropertyValue] {
    var values: [PropertyValue] = [
      .null, .bool(false), .bool(true), .int(0), .int(1), .string(""), .string("a"),
    ]
    switch self {
    case .string(let text):
      let scalars = text.unicodeScalars
      for count in ShrinkPass.halves(Int64(scalars.count)) where count > 1 {
        values.append(.string(String(scalars.prefix(Int(count)))))
      }
    case .data(let bytes):
      values += ShrinkPass.halves(Int64(bytes.count)).map { .data(Array(bytes.prefix(Int($0)))) }
    case .int(let number):
      values += ShrinkPass.halves(Int64(clamping: number.magnitude)).map {
        .int(number < 0 ? -$0 : $0)
      }
    case .nested(let depth):
      values += ShrinkPass.halves(Int64(depth)).map { .nested(depth: Int($0)) }
    case .array(let inner):
      values += inner
      for place in inner.indices {
        var fewer = inner
        fewer.remove(at: place)
        values.append(.array(fewer))
      }
    case .object(let entries):
      values += entries.map(\.value)
      for place in entries.indices {
        var fewer = entries
        fewer.remove(at: place)
        values.append(.object(fewer))
      }
    case .optional(let inner?): values += [inner, .optional(nil)]
    case .double: values.append(.double(bits: 0))
    case .url: values.append(.url("a:b"))
    case .date: values.append(.date(milliseconds: 0))
    default: break
    }
    let size = ScenarioSize.detail(self)
    return values.filter { ScenarioSize.detail($0) < size }
  }
}
