/// A hash table that can be asked but not walked.
///
/// The order of a hash table's elements is another one in each process; what the SDK writes and
/// sends must not depend on it. So this type is no `Sequence` and shows neither its keys nor its
/// values: where an order matters, an array is kept beside it.
struct Lookup<Key: Hashable, Value> {
  private var storage: [Key: Value] = [:]

  init() {}

  /// How many keys have a value.
  var count: Int { storage.count }

  /// Whether no key has a value.
  var isEmpty: Bool { storage.isEmpty }

  /// The value of a key; setting nil removes the key.
  subscript(key: Key) -> Value? {
    get { storage[key] }
    _modify { yield &storage[key] }
  }

  /// Whether a key has a value.
  func contains(_ key: Key) -> Bool { storage[key] != nil }

  /// Takes a key out and gives the value it had.
  @discardableResult
  mutating func remove(_ key: Key) -> Value? { storage.removeValue(forKey: key) }

  /// Takes all keys out.
  mutating func removeAll(keepingCapacity: Bool = false) {
    storage.removeAll(keepingCapacity: keepingCapacity)
  }
}

extension Lookup: Sendable where Key: Sendable, Value: Sendable {}

extension Lookup where Value == Void {
  /// Adds a key to a table that is used as a set, and says whether it is new.
  @discardableResult
  mutating func insert(_ key: Key) -> Bool { storage.updateValue((), forKey: key) == nil }
}
