import FuzzHistory
import SimKernel

/// Judges histories: pure functions over what is stored.
public enum Judge {
  /// Runs the reference model and every invariant over a history.
  public static func judge(_ history: History) -> Judgement { Judgement() }

  /// All invariants, by id.
  public static let catalogue: [InvariantInfo] = []
}
