import SimKernel

extension ShrinkPass {
  /// Crashes become simpler: fewer frames and words, the main thread, a plain end.
  static func crashes(_ scenario: Scenario) -> ShrinkPass {
    var moves: [ShrinkMove] = []
    for action in scenario.actions {
      guard case .crash(let plan) = action.kind else { continue }
      let id = action.id
      func add(_ words: String, _ change: @escaping @Sendable (inout CrashPlan) -> Void) {
        moves.append(
          ShrinkMove(action: id, words) { action in
            guard case .crash(var plan) = action.kind else { return }
            change(&plan)
            action.kind = .crash(plan)
          })
      }
      moves.append(ShrinkMove(action: id, "a plain end") { $0.kind = .end(.memoryKill) })
      add("a bare signal") { $0 = CrashPlan(.abort) }
      add("on the main thread") { plan in
        plan.thread = 0
        plan.threadName = ""
      }
      add("no second crash") { $0.crashesAgain = false }
      add("a stack with room") { $0.isStackOverflow = false }
      add("no kill") { $0.killedAfterBytes = nil }
      add("no reason") { $0.reason = "" }
      add("no frames") { $0.frames = [] }
      if plan.frames.count > 1 { add("one frame") { $0.frames = Array($0.frames.prefix(1)) } }
    }
    return ShrinkPass("crashes", moves)
  }
}
