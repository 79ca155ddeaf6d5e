/// A hash table that can be asked but not walked.
///
/// The order in which a hash table gives its elements differs from process to process, so a single
/// loop over one ends determinism. This type is no `Sequence`, has no keys and no values: where an
/// order is needed, keep an array beside it (determinism rule 3). Works with any hashable key: an
/// integer, a string, or bytes as `[UInt8]`.
public struct Lookup<Key: Hashable, Value> {
  @usableFromInline var storage: [Key: Value]

  /// Makes an empty table.
  /// - Parameter minimumCapacity: how many entries fit before it grows.
  @inlinable public init(minimumCapacity: Int = 0) {
    storage = Dictionary(minimumCapacity: minimumCapacity)
  }

  /// How many keys have a value.
  @inlinable public var count: Int { storage.count }

  /// Whether no key has a value.
  @inlinable public var isEmpty: Bool { storage.isEmpty }

  /// The value of a key; setting nil removes the key.
  @inlinable public subscript(key: Key) -> Value? {
    get { storage[key] }
    _modify { yield &storage[key] }
  }

  /// The value of a key, or `defaultValue` while it has none; changing it in place stores it.
  @inlinable
  public subscript(
    key: Key, default defaultValue: @autoclosure () -> Value
  ) -> Value {
    get { storage[key] ?? defaultValue() }
    _modify { yield &storage[key, default: defaultValue()] }
  }

  /// Whether a key has a value.
  @inlinable public func contains(_ key: Key) -> Bool { storage[key] != nil }

  /// Takes a key out.
  /// - Returns: the value it had.
  @discardableResult
  @inlinable public mutating func remove(_ key: Key) -> Value? {
    storage.removeValue(forKey: key)
  }

  /// Takes all keys out.
  /// - Parameter keepingCapacity: whether the memory is kept for the entries to come.
  @inlinable public mutating func removeAll(keepingCapacity: Bool = false) {
    storage.removeAll(keepingCapacity: keepingCapacity)
  }
}

extension Lookup: Sendable where Key: Sendable, Value: Sendable {}

extension Lookup where Value == Void {
  /// Adds a key to a table that is used as a set.
  /// - Returns: whether the key is new.
  @discardableResult
  @inlinable public mutating func insert(_ key: Key) -> Bool {
    storage.updateValue((), forKey: key) == nil
  }
}
