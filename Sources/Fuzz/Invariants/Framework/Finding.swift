import SimKernel

/// What an invariant says of itself.
public struct InvariantInfo: Hashable, Sendable {
  /// When an invariant is judged.
  public enum Kind: String, Hashable, Sendable {
    case safety
    case liveness
    case paired
    case campaign
  }

  public var id: String
  /// One sentence.
  public var statement: String
  public var kind: Kind
  public var requirements: [String]
  /// When the invariant has something to judge, in one sentence.
  public var antecedent: String

  public init(
    id: String, statement: String, kind: Kind, requirements: [String], antecedent: String
  ) {
    self.id = id
    self.statement = statement
    self.kind = kind
    self.requirements = requirements
    self.antecedent = antecedent
  }
}

/// A violation of an invariant in one history.
public struct Finding: Hashable, Sendable {
  public var invariant: String
  public var requirements: [String]
  public var instant: Instant
  /// The process it concerns, or -1.
  public var process: Int32
  /// What is wrong, with the facts, in one or two sentences.
  public var message: String
  /// Invariant and normalised cause, the same for one bug in every seed: no ids, times or counts.
  public var signature: String

  public init(
    invariant: String, requirements: [String], instant: Instant, process: Int32, message: String,
    signature: String
  ) {
    self.invariant = invariant
    self.requirements = requirements
    self.instant = instant
    self.process = process
    self.message = message
    self.signature = signature
  }
}

/// What became of the messages of a run, by the reference model.
public struct MessageCounts: Hashable, Sendable {
  public var accepted: Int = 0
  public var delivered: Int = 0
  public var queued: Int = 0
  /// By the reasons of A-02.
  public var dropped: [String: Int] = [:]

  public init() {}
}

/// The verdict over one history.
public struct Judgement: Sendable {
  public var findings: [Finding] = []
  /// For each invariant how often its antecedent held; absent is never.
  public var antecedents: [String: Int] = [:]
  public var messages = MessageCounts()
  /// One for each different crash whose event was sent.
  public var crashHashes: [CrashHash] = []

  public init() {}
}
