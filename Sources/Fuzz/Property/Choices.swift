import SimKernel

/// Thrown by a generator that cannot make a value out of the choices it got.
public struct Rejection: Error, Hashable, Sendable {
  public init() {}
}

/// Where a generator takes its decisions from: a sequence of whole numbers.
///
/// A fresh sequence is drawn at random and recorded. A recorded one gives the same value again, and
/// a changed one gives a similar value: so values shrink by shrinking the numbers behind them,
/// through every `map` and `filter`, without a word about shrinking in any generator. Small numbers
/// must mean simple values.
public struct Choices: Sendable {
  /// A run of choices that belong together, such as one element of an array.
  public struct Group: Hashable, Sendable {
    public var start: Int
    public var end: Int
  }

  /// What was chosen so far.
  public private(set) var made: [UInt64] = []
  /// The complete groups, outer ones after those inside them.
  public private(set) var groups: [Group] = []
  private let replayed: [UInt64]
  private var stream: RandomStream?

  /// More choices than this and the value is refused: no generator runs away.
  public static let limit = 100_000

  /// Choices that are drawn at random.
  public init(_ stream: RandomStream) {
    replayed = []
    self.stream = stream
  }

  /// Choices that were recorded; where they end, every further one is 0.
  public init(replaying replayed: [UInt64]) {
    self.replayed = replayed
    stream = nil
  }

  /// Chooses a number from 0 to `bound`; fresh ones are often small or near to an edge.
  public mutating func choose(
    through bound: UInt64
  ) throws(Rejection) -> UInt64 {
    try record(bound) { stream in Choices.edgy(bound, &stream) }
  }

  /// Chooses a number from 0 to `bound`, each as likely as any other.
  public mutating func chooseEvenly(through bound: UInt64) throws(Rejection) -> UInt64 {
    try record(bound) { stream in bound == .max ? stream.next() : stream.below(bound + 1) }
  }

  /// Chooses 1 with a chance, else 0.
  public mutating func flip(_ chance: Ratio) throws(Rejection) -> Bool {
    try record(1) { stream in stream.chance(chance.numerator, in: chance.denominator) ? 1 : 0 } == 1
  }

  /// Marks everything that `body` chooses as one group.
  public mutating func group<Value>(
    _ body: (inout Choices) throws(Rejection) -> Value
  ) throws(Rejection) -> Value {
    let start = made.count
    let value = try body(&self)
    if made.count > start { groups.append(Group(start: start, end: made.count)) }
    return value
  }

  private mutating func record(
    _ bound: UInt64, _ draw: (inout RandomStream) -> UInt64
  ) throws(Rejection) -> UInt64 {
    if made.count >= Choices.limit { throw Rejection() }
    let value: UInt64
    if stream != nil {
      value = draw(&stream!)
    } else {
      value = made.count < replayed.count ? min(replayed[made.count], bound) : 0
    }
    made.append(value)
    return value
  }

  /// One in four is an edge, one in two has a random number of bits, the rest is even.
  private static func edgy(_ bound: UInt64, _ stream: inout RandomStream) -> UInt64 {
    if bound < 4 { return stream.below(bound + 1) }
    switch stream.below(8) {
    case 0: return 0
    case 1: return stream.chance(1, in: 2) ? bound : bound - 1
    case 2...5:
      let bits = 64 - UInt64(bound.leadingZeroBitCount)
      let width = stream.below(bits + 1)
      return min(bound, width == 64 ? stream.next() : stream.next() & ((1 << width) - 1))
    default: return bound == .max ? stream.next() : stream.below(bound + 1)
    }
  }
}

/// Whether one sequence is simpler than another: shorter, or of one length and smaller from the
/// left.
public func isSimpler(_ left: [UInt64], than right: [UInt64]) -> Bool {
  left.count != right.count
    ? left.count < right.count : left.lexicographicallyPrecedes(right)
}
