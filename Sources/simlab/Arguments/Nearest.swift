/// Finds the word a person most likely meant.
enum Nearest {
  /// The candidate that takes the fewest edits; of several the first.
  static func word(to word: String, among candidates: [String]) -> String? {
    candidates.map { (distance: distance(word, $0), word: $0) }
      .reduce(nil as (distance: Int, word: String)?) { best, next in
        if let best, best.distance <= next.distance { return best }
        return next
      }?.word
  }

  /// Insertions, deletions, changes and swaps of neighbours that turn one word into the other; a
  /// word that begins the other is nearer than any.
  static func distance(_ left: String, _ right: String) -> Int {
    if !left.isEmpty, right.hasPrefix(left) { return 0 }
    let left = Array(left)
    let right = Array(right)
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    for row in 0..<left.count {
      var next = [row + 1] + [Int](repeating: 0, count: right.count)
      for column in 0..<right.count {
        let change = left[row] == right[column] ? 0 : 1
        next[column + 1] = min(last[column] + change, last[column + 1] + 1, next[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          next[column + 1] = min(next[column + 1], beforeLast[column - 1] + 1)
        }
      }
      beforeLast = last
      last = next
    }
    return last[right.count]
  }
}
