/// Mixes 64 bits so that every input bit reaches every output bit (the SplitMix64 finalizer).
@inlinable public func mixBits(_ value: UInt64) -> UInt64 {
  var bits = value
  bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
  bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
  return bits ^ (bits >> 31)
}

/// The name of a random stream, hashed once.
public struct StreamName: Hashable, Sendable {
  public let hash: UInt64

  public init(_ name: StaticString) {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    name.withUTF8Buffer { for byte in $0 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 } }
    self.hash = mixBits(hash)
  }
}

/// All randomness of one run: a pure function of (scenario randomness, stream name, key).
///
/// Nothing here counts draws, so taking one action out of a scenario changes no other draw
/// (determinism rule 2). Keys are stable identities: a call's id, lane and attempt, file and step.
public struct Randomness: Hashable, Sendable {
  public let seed: UInt64

  public init(seed: UInt64) { self.seed = seed }

  /// The 64 bits that belong to a name and a key.
  @inlinable public func bits(_ name: StreamName, _ key: UInt64, _ second: UInt64 = 0) -> UInt64 {
    mixBits(mixBits(mixBits(seed ^ name.hash) &+ key) ^ (second &* 0x9e37_79b9_7f4a_7c15))
  }

  /// A generator of many draws that belong together under one name and key.
  @inlinable public func stream(_ name: StreamName, _ key: UInt64, _ second: UInt64 = 0)
    -> RandomStream
  {
    RandomStream(state: bits(name, key, second))
  }

  /// Whether something with the chance `ratio` happens for this name and key.
  @inlinable public func happens(
    _ ratio: Ratio, _ name: StreamName, _ key: UInt64, _ second: UInt64 = 0
  ) -> Bool {
    if ratio.numerator == 0 { return false }
    return RandomStream.scale(bits(name, key, second), to: ratio.denominator) < ratio.numerator
  }
}

/// A probability as a ratio of whole numbers: the kernel uses no floating point.
public struct Ratio: Hashable, Sendable {
  public var numerator: UInt64
  public var denominator: UInt64

  @inlinable public init(_ numerator: UInt64, _ denominator: UInt64) {
    precondition(denominator > 0, "a ratio needs a denominator above zero")
    precondition(numerator <= denominator, "a chance is at most one")
    self.numerator = numerator
    self.denominator = denominator
  }

  public static let never = Ratio(0, 1)
  public static let always = Ratio(1, 1)
}

/// SplitMix64: a small generator whose whole state is one word.
public struct RandomStream: RandomNumberGenerator, Sendable {
  @usableFromInline var state: UInt64

  @inlinable public init(state: UInt64) { self.state = state }

  @inlinable public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    return mixBits(state)
  }

  /// A whole number in `0..<bound`; `bound` is above zero.
  @inlinable public mutating func below(_ bound: UInt64) -> UInt64 {
    RandomStream.scale(next(), to: bound)
  }

  /// A whole number in a closed range.
  @inlinable public mutating func within(_ range: ClosedRange<Int64>) -> Int64 {
    let width = UInt64(bitPattern: range.upperBound &- range.lowerBound)
    if width == .max { return Int64(bitPattern: next()) }
    return range.lowerBound &+ Int64(bitPattern: below(width &+ 1))
  }

  /// A whole number in a closed range of `Int`.
  @inlinable public mutating func int(_ range: ClosedRange<Int>) -> Int {
    Int(within(Int64(range.lowerBound)...Int64(range.upperBound)))
  }

  /// Whether something with the chance `numerator / denominator` happens.
  @inlinable public mutating func chance(_ numerator: UInt64, in denominator: UInt64) -> Bool {
    below(denominator) < numerator
  }

  /// One of the elements; the array must not be empty.
  @inlinable public mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int(below(UInt64(elements.count)))]
  }

  /// Maps 64 random bits to `0..<bound`.
  @inlinable public static func scaled(_ bits: UInt64, to bound: UInt64) -> UInt64 {
    scale(bits, to: bound)
  }

  @inlinable static func scale(_ bits: UInt64, to bound: UInt64) -> UInt64 {
    precondition(bound > 0, "a draw needs room")
    return bits.multipliedFullWidth(by: bound).high
  }
}
