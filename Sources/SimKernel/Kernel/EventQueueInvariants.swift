extension EventQueue {
  /// Traps when the structure is broken: for tests, since it looks at every event.
  public borrowing func _checkInvariants() {
    let first = hasHole ? 1 : 0
    let length = count + first
    precondition(pending >= 0, "more events cancelled than there are")
    precondition(length <= capacity, "the heap outgrew its memory")
    for index in length..<length + 4 where index < capacity + 4 {
      precondition(heap[index].bits == .max, "a key behind the heap would be taken for an event")
    }
    var seen = [Bool](repeating: false, count: Int(usedSlots))
    var cancelledSeen = 0
    for index in first..<length {
      let key = heap[index]
      let parent = (index - 1) >> 2
      if index > 0 && parent >= first {
        precondition(heap[parent].precedes(key), "a child precedes its parent")
      }
      precondition(key.slot < usedSlots, "a key names no slot")
      precondition(!seen[Int(key.slot)], "two keys share a slot")
      seen[Int(key.slot)] = true
      if slots[Int(key.slot)].isCancelled { cancelledSeen += 1 }
    }
    precondition(cancelledSeen == cancelled, "the count of cancelled events is wrong")
    var free = firstFree
    var freeCount = 0
    while free != Slot.noNext {
      precondition(!seen[Int(free)], "a free slot is in use or twice in the chain")
      seen[Int(free)] = true
      freeCount += 1
      free = slots[Int(free)].payload
    }
    precondition(freeCount + count == Int(usedSlots), "a slot is lost")
  }
}
