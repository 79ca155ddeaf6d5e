import FuzzHistory
import SimKernel

extension ShrinkPass {
  /// Whether a calm scenario still keeps its promise without the action: the rest belongs to the
  /// frame that makes it calm.
  private static func isFree(_ action: Action, in scenario: Scenario) -> Bool {
    if !scenario.isCalm { return true }
    switch action.kind {
    case .foreground, .background, .launch: return false
    default: return true
    }
  }

  private static func drop(_ ids: [UInt32]) -> @Sendable (inout Scenario) -> Void {
    { scenario in
      // Both lists rise, so one walk is enough.
      var next = ids[...]
      scenario.actions.removeAll { action in
        while let first = next.first, first < action.id { next = next.dropFirst() }
        return next.first == action.id
      }
    }
  }

  /// Whole visits, from the user's coming to the next: first runs of them, then each.
  static func visits(_ scenario: Scenario) -> ShrinkPass {
    var visits: [[UInt32]] = []
    for action in scenario.actions {
      if case .foreground = action.kind { visits.append([]) }
      if !visits.isEmpty { visits[visits.count - 1].append(action.id) }
    }
    return chunks("visits", visits) { part in
      part.count == 1 ? "drop a visit" : "drop \(part.count) visits"
    }
  }

  /// All actions of one kind, and all calls of one method.
  static func kinds(_ scenario: Scenario) -> ShrinkPass {
    var words: [String] = []
    var ids: [[UInt32]] = []
    for action in scenario.actions where isFree(action, in: scenario) {
      let word = ActionWords.word(action.kind)
      if let place = words.firstIndex(of: word) {
        ids[place].append(action.id)
      } else {
        words.append(word)
        ids.append([action.id])
      }
    }
    return ShrinkPass("kinds of actions", count: words.count) { [words, ids] place in
      ShrinkMove("drop every \(words[place])", drop(ids[place]))
    }
  }

  /// Runs of actions: halves, quarters and so on, down to each single one.
  static func actions(_ scenario: Scenario) -> ShrinkPass {
    let ids = scenario.actions.filter { isFree($0, in: scenario) }.map { [$0.id] }
    return chunks("actions", ids) { part in
      part.count == 1 ? "drop action \(part[0])" : "drop \(part.count) actions from \(part[0])"
    }
  }

  /// Runs of parts, the longest first and of one length the last first: what comes after the
  /// finding is needed least.
  private static func chunks(
    _ name: String, _ parts: [[UInt32]], _ describe: @escaping @Sendable ([UInt32]) -> String
  ) -> ShrinkPass {
    var sizes: [Int] = []
    var size = parts.count / 2
    while size > 1 {
      sizes.append(size)
      size /= 2
    }
    if !parts.isEmpty { sizes.append(1) }
    var firsts: [Int] = []
    var total = 0
    for size in sizes {
      firsts.append(total)
      total += (parts.count + size - 1) / size
    }
    return ShrinkPass(name, count: total) { [sizes, firsts] index in
      let level = firsts.lastIndex { $0 <= index } ?? 0
      let end = parts.count - (index - firsts[level]) * sizes[level]
      let part = parts[Swift.max(0, end - sizes[level])..<end]
      return ShrinkMove(describe(part.map { $0.first ?? 0 }), drop(part.flatMap { $0 }))
    }
  }

  /// Triggers become simpler, or a plain instant is left of them.
  static func triggers(_ scenario: Scenario) -> ShrinkPass {
    var moves: [ShrinkMove] = []
    for action in scenario.actions {
      guard case .after(let trigger) = action.moment else { continue }
      let id = action.id
      func add(_ words: String, _ change: @escaping @Sendable (inout Trigger) -> Void) {
        moves.append(
          ShrinkMove(action: id, words) { action in
            guard case .after(var trigger) = action.moment else { return }
            change(&trigger)
            action.moment = .after(trigger)
          })
      }
      add("right after its event") { trigger in
        trigger.plus = .zero
        trigger.plusDiskSteps = 0
      }
      for steps in halves(Int64(trigger.plusDiskSteps)) {
        add("after \(steps) disk steps") { $0.plusDiskSteps = Int(steps) }
      }
      for occurrence in halves(Int64(trigger.occurrence)) where occurrence > 0 {
        add("at occurrence \(occurrence)") { $0.occurrence = Int(occurrence) }
      }
      for plus in TimeMoves.rounded(trigger.plus) {
        add("after \(SpanText.text(plus))") { $0.plus = plus }
      }
    }
    return ShrinkPass("triggers", moves)
  }

  /// 0, 1, and numbers that approach the given one: half, three quarters, and so on, one less.
  static func halves(_ number: Int64) -> [Int64] {
    var numbers: [Int64] = number > 0 ? [0] : []
    if number > 1 { numbers.append(1) }
    var distance = number / 2
    while distance > 0 {
      if number - distance > 1 { numbers.append(number - distance) }
      distance /= 2
    }
    return numbers
  }

  /// Drops the claim to be calm, after which everything may be simplified.
  static func calmClaim(_ scenario: Scenario) -> ShrinkPass {
    ShrinkPass(
      "calm claim",
      scenario.isCalm ? [ShrinkMove("drop the claim to be calm") { $0.isCalm = false }] : [])
  }
}
