import SimKernel
import Testing

@Suite struct LookupTests {
  @Test func agreesWithADictionary() {
    var random = RandomStream(state: 1)
    var table = Lookup<UInt64, Int>()
    var model: [UInt64: Int] = [:]
    for step in 0..<5_000 {
      let key = random.below(200)
      switch random.below(5) {
      case 0:
        let removed = table.remove(key)
        let expected = model.removeValue(forKey: key)
        #expect(removed == expected)
      case 1:
        table[key, default: 0] += 1
        model[key, default: 0] += 1
      case 2 where step % 3 == 0:
        table[key] = nil
        model[key] = nil
      default:
        table[key] = step
        model[key] = step
      }
      #expect(table[key] == model[key])
      #expect(table.contains(key) == (model[key] != nil))
      #expect(table.count == model.count)
    }
    table.removeAll()
    #expect(table.isEmpty)
    #expect(table[1, default: 9] == 9)
    #expect(table.isEmpty, "reading a default stores nothing")
  }

  @Test func takesBytesAsKeys() {
    var table = Lookup<[UInt8], Int>(minimumCapacity: 4)
    table[[1, 2]] = 3
    #expect(table[[1, 2]] == 3)
    #expect(table[[1, 2, 0]] == nil)
  }

  @Test func worksAsASet() {
    var seen = Lookup<UInt64, Void>()
    let isNew = [seen.insert(4), seen.insert(4)]
    #expect(isNew == [true, false])
    #expect(seen.contains(4))
    #expect(seen.count == 1)
  }

  /// The point of the type: nothing can walk it.
  @Test func isNoSequence() {
    #expect(!((Lookup<Int, Int>() as Any) is any Sequence))
  }
}
