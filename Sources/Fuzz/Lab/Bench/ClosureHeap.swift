import SimKernel

/// What one would write first: a binary heap of closures ordered by instant. The yardstick of
/// `KernelBenchmark`, run through the same hold model.
struct ClosureHeap {
  private struct Entry {
    var nanoseconds: Int64
    var order: UInt64
    var action: (inout ClosureHeap) -> Void

    func precedes(_ other: Entry) -> Bool {
      (nanoseconds, order) < (other.nanoseconds, other.order)
    }
  }

  private var entries: [Entry] = []
  private var inserted: UInt64 = 0
  private var random = RandomStream(state: 7)
  private var now: Int64 = 0

  /// Measures the heap once; events a second.
  static func measure(pending: Int, events: Int) -> Double {
    var heap = ClosureHeap()
    for _ in 0..<pending { heap.scheduleOne() }
    for _ in 0..<pending * 4 { heap.deliverOne() }
    return Double(events) / KernelBenchmark.time { for _ in 0..<events { heap.deliverOne() } }
  }

  private mutating func scheduleOne() {
    let span = HoldModel.increment(random.next())
    let entry = Entry(nanoseconds: now + span.nanoseconds, order: inserted) { $0.scheduleOne() }
    inserted += 1
    entries.append(entry)
    var child = entries.count - 1
    while child > 0, entries[child].precedes(entries[(child - 1) / 2]) {
      entries.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func deliverOne() {
    entries.swapAt(0, entries.count - 1)
    let event = entries.removeLast()
    var parent = 0
    while true {
      var child = parent * 2 + 1
      if child >= entries.count { break }
      if child + 1 < entries.count, entries[child + 1].precedes(entries[child]) { child += 1 }
      if !entries[child].precedes(entries[parent]) { break }
      entries.swapAt(child, parent)
      parent = child
    }
    now = event.nanoseconds
    event.action(&self)
  }
}
