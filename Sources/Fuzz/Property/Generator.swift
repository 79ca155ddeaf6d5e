import SimKernel

/// Makes random values out of choices.
public struct Generator<Value>: Sendable {
  private let make: @Sendable (inout Choices) throws(Rejection) -> Value

  public init(_ make: @escaping @Sendable (inout Choices) throws(Rejection) -> Value) {
    self.make = make
  }

  /// The value that belongs to the choices.
  public func value(from choices: inout Choices) throws(Rejection) -> Value {
    try make(&choices)
  }

  /// The value that belongs to a recorded sequence; nothing where it is refused.
  public func value(replaying sequence: [UInt64]) -> Value? {
    var choices = Choices(replaying: sequence)
    return try? make(&choices)
  }

  /// Values turned into others.
  public func map<Other>(
    _ transform: @escaping @Sendable (Value) -> Other
  ) -> Generator<Other> {
    Generator<Other> { (choices) throws(Rejection) in transform(try make(&choices)) }
  }

  /// A generator that depends on a value.
  public func flatMap<Other>(
    _ next: @escaping @Sendable (Value) -> Generator<Other>
  ) -> Generator<Other> {
    Generator<Other> { (choices) throws(Rejection) in
      let value = try make(&choices)
      return try next(value).value(from: &choices)
    }
  }

  /// Values that fulfil a condition.
  /// - Parameter tries: after so many misses in a row the whole value is refused.
  public func filter(
    tries: Int = 30, _ condition: @escaping @Sendable (Value) -> Bool
  ) -> Generator {
    Generator { (choices) throws(Rejection) in
      for _ in 0..<tries {
        let value = try choices.group { (choices) throws(Rejection) in try make(&choices) }
        if condition(value) { return value }
      }
      throw Rejection()
    }
  }

  /// Nothing, or a value.
  public var optional: Generator<Value?> {
    Generator<Value?> { (choices) throws(Rejection) in
      try choices.flip(Ratio(3, 4)) ? try make(&choices) : nil
    }
  }

  /// Arrays of such values; an element more is a group of its own, so that shrinking takes it out.
  public func array(_ counts: ClosedRange<Int> = 0...8) -> Generator<[Value]> {
    precondition(counts.lowerBound >= 0, "an array has no negative count")
    let spread = UInt64(counts.upperBound - counts.lowerBound)
    return Generator<[Value]> { (choices) throws(Rejection) in
      var values: [Value] = []
      for _ in 0..<counts.lowerBound {
        values.append(try choices.group { (choices) throws(Rejection) in try make(&choices) })
      }
      // With this chance to go on, arrays have about half of the elements they may have.
      while values.count < counts.upperBound {
        let next = try choices.group { (choices) throws(Rejection) -> Value? in
          try choices.flip(Ratio(spread, spread + 2)) ? try make(&choices) : nil
        }
        guard let next else { break }
        values.append(next)
      }
      return values
    }
  }

  /// Always the same value.
  public static func always(_ value: Value) -> Generator where Value: Sendable {
    Generator { (_) throws(Rejection) in value }
  }

  /// One of some values; the first is the simplest.
  public static func element(of values: [Value]) -> Generator where Value: Sendable {
    precondition(!values.isEmpty, "there is nothing to choose from")
    return Generator { (choices) throws(Rejection) in
      values[Int(try choices.chooseEvenly(through: UInt64(values.count - 1)))]
    }
  }

  /// A value of one of some generators; the first is the simplest.
  public static func oneOf(_ generators: Generator...) -> Generator {
    precondition(!generators.isEmpty, "there is nothing to choose from")
    return Generator { (choices) throws(Rejection) in
      let place = Int(try choices.chooseEvenly(through: UInt64(generators.count - 1)))
      return try generators[place].value(from: &choices)
    }
  }
}

/// Two values made one after the other.
public func zip<First, Second>(
  _ first: Generator<First>, _ second: Generator<Second>
) -> Generator<(First, Second)> {
  Generator { (choices) throws(Rejection) in
    (try first.value(from: &choices), try second.value(from: &choices))
  }
}

/// Three values made one after the other.
public func zip<First, Second, Third>(
  _ first: Generator<First>, _ second: Generator<Second>, _ third: Generator<Third>
) -> Generator<(First, Second, Third)> {
  Generator { (choices) throws(Rejection) in
    (
      try first.value(from: &choices), try second.value(from: &choices),
      try third.value(from: &choices)
    )
  }
}
