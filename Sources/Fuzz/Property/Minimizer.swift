/// Looks for the simplest sequence of choices that still fails.
///
/// Every pass tries sequences that are simpler than the best one in shortlex order, and the passes
/// are repeated until none of them finds anything: the result is minimal for all of them.
struct Minimizer {
  /// Runs a sequence: what was really chosen and its groups where it fails in the same way, else
  /// nothing.
  typealias Attempt = ([UInt64]) -> (made: [UInt64], groups: [Choices.Group])?

  private(set) var best: [UInt64]
  private(set) var groups: [Choices.Group]
  private(set) var attempts = 0
  private let limit: Int
  private let attempt: Attempt

  init(_ made: [UInt64], _ groups: [Choices.Group], limit: Int, _ attempt: @escaping Attempt) {
    best = made
    self.groups = groups
    self.limit = limit
    self.attempt = attempt
  }

  mutating func run() {
    var before: [UInt64]
    repeat {
      before = best
      deleteGroups()
      deleteBlocks()
      zeroGroups()
      lowerEach()
      lowerEqual()
      lowerAndDelete()
      moveBetween()
      sortPairs()
    } while isSimpler(best, than: before) && attempts < limit
  }

  /// Tries a sequence that is simpler than the best one.
  private mutating func tries(_ candidate: [UInt64]) -> Bool {
    guard isSimpler(candidate, than: best), attempts < limit else { return false }
    attempts += 1
    guard let result = attempt(candidate), isSimpler(result.made, than: best) else { return false }
    best = result.made
    groups = result.groups
    return true
  }

  /// Takes whole groups out, the longest first.
  private mutating func deleteGroups() {
    var place = 0
    var sorted = byLength(groups)
    while place < sorted.count {
      let group = sorted[place]
      var candidate = best
      if group.end <= candidate.count { candidate.removeSubrange(group.start..<group.end) }
      if tries(candidate) {
        sorted = byLength(groups)
      } else {
        place += 1
      }
    }
  }

  private func byLength(_ groups: [Choices.Group]) -> [Choices.Group] {
    groups.sorted {
      let (left, right) = ($0.end - $0.start, $1.end - $1.start)
      return left != right ? left > right : $0.start < $1.start
    }
  }

  /// Takes runs of choices out, from the end, where numbers that depend on others stand.
  private mutating func deleteBlocks() {
    for size in [16, 8, 4, 3, 2, 1] {
      var start = best.count - size
      while start >= 0 {
        if start + size <= best.count {
          var candidate = best
          candidate.removeSubrange(start..<start + size)
          if tries(candidate) {
            start = min(start, best.count - size)
            continue
          }
        }
        start -= 1
      }
    }
  }

  /// Makes groups the simplest they can be.
  private mutating func zeroGroups() {
    for group in byLength(groups) where group.end <= best.count {
      var candidate = best
      for place in group.start..<group.end { candidate[place] = 0 }
      _ = tries(candidate)
    }
  }

  /// Lowers each choice as far as it goes.
  private mutating func lowerEach() {
    var place = 0
    while place < best.count {
      lower(from: 0, to: best[place]) { [best] value in
        guard place < best.count else { return nil }
        var candidate = best
        candidate[place] = value
        return candidate
      }
      place += 1
    }
  }

  /// Lowers choices that are equal together, all of them and two at a time: a property may hang on
  /// their being so.
  private mutating func lowerEqual() {
    var place = 0
    while place < best.count {
      let value = best[place]
      if value > 0 {
        lower(from: 0, to: value) { [best] lowered in best.map { $0 == value ? lowered : $0 } }
      }
      var other = place + 1
      while other < best.count, place < best.count, best[place] > 0 {
        if best[other] == best[place] {
          lower(from: 0, to: best[place]) { [best] lowered in
            guard other < best.count else { return nil }
            var candidate = best
            candidate[place] = lowered
            candidate[other] = lowered
            return candidate
          }
        }
        other += 1
      }
      place += 1
    }
  }

  /// A low value of a range that still fails: 0 first, then by halving, then by steps of powers of
  /// two, which also get through where only every second or fourth value is accepted.
  private mutating func lower(from: UInt64, to: UInt64, _ candidate: (UInt64) -> [UInt64]?) {
    var low = from
    var high = to
    while low < high {
      let middle = low == from ? low : low + (high - low) / 2
      guard let next = candidate(middle) else { return }
      if tries(next) {
        high = middle
      } else {
        low = middle + 1
      }
    }
    var step = UInt64(1) << 63
    while step > 0, high > from {
      if step <= high - from, let next = candidate(high - step), tries(next) {
        high -= step
      } else {
        step >>= 1
      }
    }
  }

  /// Lowers a choice by one and takes out a group behind it: a count with its elements.
  private mutating func lowerAndDelete() {
    var place = 0
    while place < best.count {
      var isLowered = false
      if best[place] > 0 {
        for group in groups where group.start > place && group.end <= best.count {
          var candidate = best
          candidate[place] -= 1
          candidate.removeSubrange(group.start..<group.end)
          if tries(candidate) {
            isLowered = true
            break
          }
        }
      }
      if !isLowered { place += 1 }
    }
  }

  /// Moves value from one choice to a later one: their sum may be what matters.
  private mutating func moveBetween() {
    var place = 0
    while place < best.count {
      for distance in 1...4 where place + distance < best.count && best[place] > 0 {
        let other = place + distance
        let sum = best[place].addingReportingOverflow(best[other])
        if sum.overflow { continue }
        lower(from: 0, to: best[place]) { [best] value in
          guard other < best.count, sum.partialValue >= value else { return nil }
          var candidate = best
          candidate[place] = value
          candidate[other] = sum.partialValue - value
          return candidate
        }
      }
      place += 1
    }
  }

  /// Puts neighbouring groups, and neighbouring choices, in order.
  private mutating func sortPairs() {
    var place = 1
    while place < best.count {
      var candidate = best
      candidate.swapAt(place - 1, place)
      if tries(candidate), place > 1 { place -= 1 } else { place += 1 }
    }
    for left in groups {
      for right in groups where right.start == left.end && right.end <= best.count {
        let swapped = best[right.start..<right.end] + best[left.start..<left.end]
        _ = tries(Array(best[..<left.start] + swapped + best[right.end...]))
      }
    }
  }
}
