import SimKernel

/// Names for the numbers in a trace.
public enum TraceWords {
  /// One actor.
  public static func actor(_ actor: UInt32) -> String { "actor \(actor)" }

  /// The kind of an actor, the same in every run.
  public static func actorClass(_ actor: UInt32) -> String { "actor" }

  /// The kind of an entry.
  public static func kind(_ kind: UInt16) -> String { "kind \(kind)" }
}
