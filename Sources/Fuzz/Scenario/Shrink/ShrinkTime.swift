import SimKernel

/// Candidates for spans.
enum TimeMoves {
  private static let units: [Int64] = [
    86_400_000_000_000, 3_600_000_000_000, 60_000_000_000, 10_000_000_000, 1_000_000_000,
    100_000_000, 1_000_000,
  ]

  /// Half of a span in whole milliseconds: what is shorter helps no reader.
  static func half(_ span: TimeSpan) -> TimeSpan {
    .milliseconds((span.milliseconds + 1) / 2)
  }

  /// Zero, then the span rounded down to ever finer units.
  static func rounded(_ span: TimeSpan) -> [TimeSpan] {
    if span <= .zero { return [] }
    var spans = [TimeSpan.zero]
    for unit in units {
      let rounded = TimeSpan(nanoseconds: span.nanoseconds / unit * unit)
      if rounded != span, rounded != spans[spans.count - 1] { spans.append(rounded) }
    }
    return spans
  }
}

extension ShrinkPass {
  private static func lastInstant(_ scenario: Scenario) -> TimeSpan {
    var last = TimeSpan.zero
    for action in scenario.actions {
      if case .at(let span) = action.moment { last = Swift.max(last, span) }
    }
    return last
  }

  /// A shorter run before the calm.
  static func duration(_ scenario: Scenario) -> ShrinkPass {
    let last = lastInstant(scenario)
    var spans = [last, last + .seconds(1), last + .minutes(1), last + .hours(1)]
    spans.append(TimeMoves.half(scenario.duration))
    spans += TimeMoves.rounded(scenario.duration).dropFirst()
    return ShrinkPass(
      "duration",
      spans.map { span in
        ShrinkMove("the run lasts \(SpanText.text(span))") { $0.duration = span }
      })
  }

  /// Less time before an action: it and all that is later moves forward.
  static func gaps(_ scenario: Scenario) -> ShrinkPass {
    let lengths: [TimeSpan] = [
      .zero, .milliseconds(1), .seconds(1), .seconds(40), .minutes(10), .hours(1),
    ]
    let ids = scenario.actions.compactMap { action in
      if case .at = action.moment { return action.id }
      return nil
    }
    return ShrinkPass("gaps", count: ids.count * (lengths.count + 1)) { index in
      let id = ids[index / (lengths.count + 1)]
      let choice = index % (lengths.count + 1)
      if choice == lengths.count {
        return ShrinkMove("half the time before action \(id)") { scenario in
          shorten(&scenario, before: id, TimeMoves.half)
        }
      }
      let length = lengths[choice]
      return ShrinkMove("\(SpanText.text(length)) before action \(id)") { scenario in
        shorten(&scenario, before: id) { Swift.min($0, length) }
      }
    }
  }

  /// Gives the gap between an action and the one before it another length.
  private static func shorten(
    _ scenario: inout Scenario, before id: UInt32, _ length: (TimeSpan) -> TimeSpan
  ) {
    guard let action = scenario.actions.first(where: { $0.id == id }),
      case .at(let instant) = action.moment
    else { return }
    var before = TimeSpan.zero
    for action in scenario.actions {
      if case .at(let span) = action.moment, span < instant { before = Swift.max(before, span) }
    }
    let gap = instant - before
    let saved = gap - length(gap)
    if saved > .zero { move(&scenario, from: instant, by: saved) }
  }

  /// Moves every action and window at or after an instant forward.
  private static func move(_ scenario: inout Scenario, from: TimeSpan, by saved: TimeSpan) {
    for place in scenario.actions.indices {
      if case .at(let span) = scenario.actions[place].moment, span >= from {
        scenario.actions[place].moment = .at(span - saved)
      }
    }
    for place in scenario.faults.indices {
      if let span = scenario.faults[place].from, span >= from {
        scenario.faults[place].from = span - saved
      }
      if let span = scenario.faults[place].until, span >= from {
        scenario.faults[place].until = Swift.max(
          span - saved, scenario.faults[place].from ?? .zero)
      }
    }
    if scenario.duration >= from { scenario.duration = scenario.duration - saved }
  }

  /// Rounder instants: first all of them, then each.
  static func rounding(_ scenario: Scenario) -> ShrinkPass {
    var moves: [ShrinkMove] = []
    for (unit, word) in [(1_000_000_000, "seconds"), (100_000_000, "tenths of a second")] {
      moves.append(
        ShrinkMove("all instants in whole \(word)") { scenario in
          for place in scenario.actions.indices {
            guard case .at(let span) = scenario.actions[place].moment else { continue }
            scenario.actions[place].moment = .at(
              TimeSpan(nanoseconds: span.nanoseconds / Int64(unit) * Int64(unit)))
          }
        })
    }
    for action in scenario.actions {
      guard case .at(let span) = action.moment else { continue }
      let id = action.id
      // Earlier than its unit says would be a move to another place, which is for the gaps.
      for rounded in TimeMoves.rounded(span).suffix(3) {
        moves.append(
          ShrinkMove("action \(id) at \(SpanText.text(rounded))") { scenario in
            guard let place = scenario.actions.firstIndex(where: { $0.id == id }) else { return }
            scenario.actions[place].moment = .at(rounded)
          })
      }
    }
    return ShrinkPass("rounding", moves)
  }
}
