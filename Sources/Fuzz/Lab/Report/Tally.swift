/// Names with counts, sorted by name: what dictionaries become before anything is printed.
public struct Tally: Hashable, Sendable {
  /// A name and how often it was counted.
  public struct Entry: Hashable, Sendable {
    public var name: String
    public var count: Int
  }

  public private(set) var entries: [Entry] = []

  public init() {}

  /// Takes over a dictionary; its own order is lost here and nowhere else.
  public init(_ counts: [String: Int]) {
    entries = counts.map { Entry(name: $0.key, count: $0.value) }
      .sorted { $0.name < $1.name }
  }

  public var isEmpty: Bool { entries.isEmpty }
  public var total: Int { entries.reduce(0) { $0 + $1.count } }

  /// The count of a name; 0 when it is absent. Complexity: O(log n).
  public subscript(name: String) -> Int {
    let index = place(of: name)
    return index < entries.count && entries[index].name == name ? entries[index].count : 0
  }

  /// Adds to the count of a name.
  public mutating func add(_ name: String, _ count: Int = 1) {
    let index = place(of: name)
    if index < entries.count, entries[index].name == name {
      entries[index].count += count
    } else {
      entries.insert(Entry(name: name, count: count), at: index)
    }
  }

  public mutating func add(_ other: Tally) {
    for entry in other.entries { add(entry.name, entry.count) }
  }

  /// The entries as words: `a 3, b 1`, or `none`.
  public var words: String {
    entries.isEmpty ? "none" : entries.map { "\($0.name) \($0.count)" }.joined(separator: ", ")
  }

  private func place(of name: String) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].name < name { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
