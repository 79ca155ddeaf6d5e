import FuzzHistory
import SimKernel

/// Judges histories: pure functions over what is stored.
public enum Judge {
  /// Runs the reference model and every invariant over a history in one pass.
  public static func judge(_ history: History) -> Judgement {
    judge(history, with: makeInvariants())
  }

  /// Runs the reference model and the given invariants over a history.
  /// - Parameter invariants: fresh instances; each judges one history only.
  public static func judge(_ history: History, with invariants: [Invariant]) -> Judgement {
    history.arena.withUnsafeBytes { arena in
      let context = JudgeContext(history: history, arena: arena)
      pass(over: history, invariants, context)
      var judgement = Judgement()
      judgement.findings = context.findings
      judgement.messages = context.model.counts(context)
      for invariant in invariants where invariant.antecedentCount > 0 {
        judgement.antecedents[invariant.info.id, default: 0] += invariant.antecedentCount
      }
      for invariant in invariants { invariant.conclude(&judgement) }
      return judgement
    }
  }

  /// All invariants, by id.
  public static let catalogue: [InvariantInfo] = makeInvariants().map(\.info)
    .sorted { $0.id < $1.id }

  private static func pass(
    over history: History, _ invariants: [Invariant], _ context: JudgeContext
  ) {
    // The list given holds the invariants; counting references for each call costs more than most
    // calls do.
    var listeners: [[Unmanaged<Invariant>]] = Array(
      repeating: [], count: FactKind.allCases.count)
    for invariant in invariants {
      for kind in invariant.subscriptions {
        listeners[Int(kind.rawValue)].append(.passUnretained(invariant))
      }
    }
    defer { withExtendedLifetime(invariants) {} }
    let records = history.records
    for index in records.indices {
      let record = records[index]
      context.recordIndex = index
      context.take(record)
      for listener in listeners[Int(record.fact.kind.rawValue)] {
        listener._withUnsafeGuaranteedRef { $0.judge(record, context) }
      }
    }
  }
}
