import FuzzHistory
import SimKernel

extension ShrinkPass {
  /// All faults, and each family of them.
  static func faultFamilies(_ scenario: Scenario) -> ShrinkPass {
    var families: [String] = []
    for fault in scenario.faults where !families.contains(fault.kind.family) {
      families.append(fault.kind.family)
    }
    var moves = families.map { family in
      ShrinkMove("drop the faults of \(family)") { scenario in
        scenario.faults.removeAll { $0.kind.family == family }
      }
    }
    if families.count > 1 { moves.insert(ShrinkMove("drop all faults") { $0.faults = [] }, at: 0) }
    return ShrinkPass("fault families", moves)
  }

  static func faults(_ scenario: Scenario) -> ShrinkPass {
    let faults = scenario.faults
    return ShrinkPass("faults", count: faults.count) { place in
      ShrinkMove("drop \(faults[place].kind.name)") { scenario in
        if let found = scenario.faults.firstIndex(of: faults[place]) {
          scenario.faults.remove(at: found)
        }
      }
    }
  }

  static func rules(_ scenario: Scenario) -> ShrinkPass {
    let rules = scenario.rules
    var moves = rules.map { rule in
      ShrinkMove("drop a rule for \(rule.host)") { scenario in
        if let found = scenario.rules.firstIndex(of: rule) { scenario.rules.remove(at: found) }
      }
    }
    if rules.count > 1 { moves.insert(ShrinkMove("drop all rules") { $0.rules = [] }, at: 0) }
    return ShrinkPass("rules", moves)
  }

  /// Faults that always strike, in no window or a shorter one, with the usual amount.
  static func faultDetails(_ scenario: Scenario) -> ShrinkPass {
    var moves: [ShrinkMove] = []
    for fault in scenario.faults {
      func add(_ words: String, _ change: @escaping @Sendable (inout FaultSetting) -> Void) {
        moves.append(
          ShrinkMove("\(fault.kind.name): \(words)") { scenario in
            // A fault is known by its kind and its window; where two have both in common the first
            // that changes is taken.
            for place in scenario.faults.indices {
              let before = scenario.faults[place]
              guard before.kind == fault.kind, before.from == fault.from,
                before.until == fault.until
              else { continue }
              change(&scenario.faults[place])
              if scenario.faults[place] != before { return }
            }
          })
      }
      if fault.chance != .always { add("always") { $0.chance = .always } }
      if fault.amount != nil { add("the usual amount") { $0.amount = nil } }
      guard let until = fault.until else {
        if fault.from != nil { add("from the start") { $0.from = nil } }
        continue
      }
      add("without a window") { fault in
        fault.from = nil
        fault.until = nil
      }
      let from = fault.from ?? .zero
      let half = TimeMoves.half(until - from)
      add("only the first half of its window") { $0.until = from + half }
      add("only the second half of its window") { $0.from = from + half }
    }
    return ShrinkPass("fault details", moves)
  }

  /// Answers that are plainer and come for fewer requests.
  static func ruleDetails(_ scenario: Scenario) -> ShrinkPass {
    var moves: [ShrinkMove] = []
    for (place, rule) in scenario.rules.enumerated() {
      func add(_ words: String, _ change: @escaping @Sendable (inout ServerRule) -> Void) {
        moves.append(
          ShrinkMove("rule \(place + 1): \(words)") { scenario in
            if place < scenario.rules.count { change(&scenario.rules[place]) }
          })
      }
      add("always") { $0.condition = .always }
      add("healthy answers") { $0.answer = ScriptedAnswer() }
      add("with a healthy body") { $0.answer.body = .healthy }
      add("without a fault of the network") { $0.answer.fault = nil }
      add("with status 200") { $0.answer.status = 200 }
      add("without a delay") { $0.answer.delayMilliseconds = nil }
      add("with an empty body") { $0.answer.body = .empty }
      for header in rule.answer.headers {
        add("without \(Quoted.text(header))") { $0.answer.headers.removeAll { $0 == header } }
      }
      for first in halves(Int64(rule.first)) where first > 0 {
        add("from request \(first)") { $0.first = Int(first) }
      }
      for count in halves(Int64(rule.count ?? 0)) where count > 0 {
        add("for \(count) requests") { $0.count = Int(count) }
      }
    }
    return ShrinkPass("rule details", moves)
  }
}
