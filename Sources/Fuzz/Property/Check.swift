import SimKernel

/// A value for which a property does not hold, as simple as it could be found.
public struct Counterexample: Error, CustomStringConvertible, Sendable {
  public var property: String
  public var seed: UInt64
  /// The run that failed first, from 0; -1 for a replayed sequence.
  public var run: Int
  /// The value, as text.
  public var value: String
  /// What the property did instead of holding.
  public var reason: String
  /// Pasted as `replaying:`, it gives the value again.
  public var choices: [UInt64]
  /// How many sequences were tried to find it.
  public var attempts: Int

  public var description: String {
    """
    property "\(property)" does not hold: \(reason)
      for \(value)
      seed \(seed), run \(run), made simple in \(attempts) attempts
      replaying: \(choices)
    """
  }
}

/// A generator that refused nearly all of its values: the property was not tested.
public struct TooManyRejections: Error, CustomStringConvertible, Sendable {
  public var property: String
  public var accepted: Int
  public var rejected: Int

  public var description: String {
    "property \"\(property)\" saw only \(accepted) values; \(rejected) were refused"
  }
}

/// Checks that a property holds for random values.
///
/// In a test: `try check("reversing twice changes nothing", numbers) { … }`. A property fails where
/// it gives false or throws.
/// - Parameters:
///   - seed: another seed gives other values; the same one the same.
///   - runs: how many values are tried.
///   - replaying: a sequence of choices from an earlier failure, which alone is then tried.
///   - attempts: how many sequences may be tried to make a counterexample simple.
/// - Throws: `Counterexample`, or `TooManyRejections` where fewer than one value in ten was
///   accepted.
public func check<Value>(
  _ name: String, seed: UInt64 = 0, runs: Int = 200, _ generator: Generator<Value>,
  replaying: [UInt64]? = nil, attempts: Int = 20_000, _ property: (Value) throws -> Bool
) throws {
  try withoutActuallyEscaping(property) { property in
    let trial = Trial(generator: generator, property: property)
    if let replaying {
      if let failure = trial.failure(Choices(replaying: replaying)) {
        throw trial.counterexample(failure, name, seed, run: -1, attempts: 1)
      }
      return
    }
    var rejected = 0
    var accepted = 0
    let source = Randomness(seed: seed)
    var run = 0
    while accepted < runs {
      let stream = source.stream(StreamName("property.run"), UInt64(run))
      var isRejected = false
      if let failure = trial.failure(Choices(stream), isRejected: &isRejected) {
        throw trial.simplest(failure, name, seed, run: run, limit: attempts)
      }
      accepted += isRejected ? 0 : 1
      rejected += isRejected ? 1 : 0
      if rejected > 100 + 9 * accepted {
        throw TooManyRejections(property: name, accepted: accepted, rejected: rejected)
      }
      run += 1
    }
  }
}

/// One property with the values it is tried on.
private struct Trial<Value> {
  struct Failure {
    var choices: Choices
    var value: String
    var reason: String
    /// Failures of one kind are taken for the same when values are made simpler.
    var kind: String
  }

  let generator: Generator<Value>
  let property: (Value) throws -> Bool

  func failure(_ choices: Choices) -> Failure? {
    var isRejected = false
    return failure(choices, isRejected: &isRejected)
  }

  func failure(_ start: Choices, isRejected: inout Bool) -> Failure? {
    var choices = start
    guard let value = try? generator.value(from: &choices) else {
      isRejected = true
      return nil
    }
    do {
      if try property(value) { return nil }
      return Failure(choices: choices, value: shown(value), reason: "it is false", kind: "false")
    } catch {
      return Failure(
        choices: choices, value: shown(value), reason: "it throws \(error)",
        kind: "\(type(of: error))")
    }
  }

  private func shown(_ value: Value) -> String {
    let text = String(reflecting: value)
    return text.count <= 4_000 ? text : text.prefix(4_000) + "…"
  }

  func simplest(
    _ failure: Failure, _ name: String, _ seed: UInt64, run: Int, limit: Int
  ) -> Counterexample {
    var minimizer = Minimizer(failure.choices.made, failure.choices.groups, limit: limit) {
      sequence in
      guard let next = self.failure(Choices(replaying: sequence)), next.kind == failure.kind else {
        return nil
      }
      return (next.choices.made, next.choices.groups)
    }
    minimizer.run()
    let simplest = self.failure(Choices(replaying: minimizer.best)) ?? failure
    return counterexample(simplest, name, seed, run: run, attempts: minimizer.attempts)
  }

  func counterexample(
    _ failure: Failure, _ name: String, _ seed: UInt64, run: Int, attempts: Int
  ) -> Counterexample {
    Counterexample(
      property: name, seed: seed, run: run, value: failure.value, reason: failure.reason,
      choices: failure.choices.made, attempts: attempts)
  }
}
