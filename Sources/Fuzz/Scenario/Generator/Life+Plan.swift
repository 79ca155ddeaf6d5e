import SimKernel

extension Life {
  /// One stay of the user in the app.
  struct Visit {
    var start: Int64
    /// When the user leaves.
    var end: Int64
    /// The start of the next visit, or the end of the run.
    var next: Int64
    var calls: Int
  }

  /// Lays the visits over the duration of the run.
  mutating func plan(days: Int?) {
    var draw = source.stream(Streams.shape, 1)
    let count: Int
    switch draw.below(8) {
    case 0: count = draw.int(5...12)
    case 1: count = draw.int(36...50)
    default: count = draw.int(20...33)
    }
    let drawn = Life.hours(&draw) * 3_600_000 + draw.within(0...3_599) * 1_000
    durationMilliseconds = days.map { Int64($0) * 86_400_000 } ?? drawn
    var lengths: [Int64] = []
    var weights: [Int64] = []
    var calls: [Int] = []
    for _ in 0..<count {
      lengths.append(draw.pick([15, 40, 60, 90, 120, 180, 300, 900]) * 1_000)
      weights.append(draw.pick([1, 2, 4, 8, 16, 64]))
      calls.append(min(Life.callsPerVisitBound, Int(2 + draw.below(callsPerVisit * 2))))
    }
    let total = lengths.reduce(0, +)
    // Short runs have short visits: at most half of the time is spent in the app.
    if total > durationMilliseconds / 2 {
      lengths = lengths.map { max(4_000, $0 * (durationMilliseconds / 2) / total) }
    }
    spread(lengths, weights, calls, &draw)
  }

  /// How many hours a run lasts: mostly days, and one in twenty-five more than a month.
  private static func hours(_ draw: inout RandomStream) -> Int64 {
    if draw.chance(1, in: 25) { return draw.within(33 * 24...45 * 24) }
    return draw.pick([8, 20, 25, 26, 28, 30, 36, 44, 50, 72, 72, 100, 120, 170, 240, 400])
  }

  private mutating func spread(
    _ lengths: [Int64], _ weights: [Int64], _ calls: [Int], _ draw: inout RandomStream
  ) {
    let free = durationMilliseconds - lengths.reduce(0, +)
    let weight = weights.reduce(0, +)
    var start = draw.within(0...2_000)
    for (index, length) in lengths.enumerated() {
      var gap = free / weight * weights[index]
      // Some users come back at once; in the calm a process has the time to become quiet.
      if !profile.isCalm, gap > 60_000, draw.chance(1, in: 6) { gap = draw.within(200...30_000) }
      let isLast = index == lengths.count - 1
      let next = isLast ? durationMilliseconds : min(durationMilliseconds, start + length + gap)
      visits.append(
        Visit(start: start, end: min(start + length, next), next: next, calls: calls[index]))
      start = next
    }
  }
}
