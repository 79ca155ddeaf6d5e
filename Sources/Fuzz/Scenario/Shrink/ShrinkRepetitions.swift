import SimKernel

extension ShrinkPass {
  private static func change(
    _ id: UInt32, _ change: @escaping @Sendable (inout Repetition) -> Void
  ) -> @Sendable (inout Scenario) -> Void {
    { scenario in
      guard let place = scenario.actions.firstIndex(where: { $0.id == id }),
        case .repeated(var repetition) = scenario.actions[place].kind
      else { return }
      change(&repetition)
      scenario.actions[place].kind = .repeated(repetition)
    }
  }

  /// Fewer turns and fewer steps in repetitions.
  static func repetitions(_ scenario: Scenario) -> ShrinkPass {
    var moves: [ShrinkMove] = []
    for action in scenario.actions {
      guard case .repeated(let repetition) = action.kind else { continue }
      for times in halves(Int64(repetition.times)) where times > 0 {
        moves.append(
          ShrinkMove(
            "action \(action.id) only \(times) times", change(action.id) { $0.times = Int(times) }))
      }
      for step in repetition.steps {
        moves.append(
          ShrinkMove(
            "action \(action.id) without a step",
            change(action.id) { repetition in
              if let place = repetition.steps.firstIndex(of: step) {
                repetition.steps.remove(at: place)
              }
            }))
      }
    }
    return ShrinkPass("repetitions", moves)
  }
}
