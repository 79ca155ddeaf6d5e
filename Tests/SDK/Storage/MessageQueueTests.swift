import FuzzProperty
import Testing

@testable import SDK

@Suite("The queue in memory")
struct MessageQueueTests {
  private static func message(_ sequence: UInt64) -> QueuedMessage {
    let stamp = Stamp(time: 0, boot: 0, uptime: 0)
    return QueuedMessage(
      record: MessageRecord(
        type: .track, flags: [], sequence: sequence, identifierHash: sequence % 7, anchor: 0,
        stamp: stamp, traitsGap: 0, advertisingIdGap: 0),
      bytes: [], byteCount: 0, traits: [], aging: stamp, queuedAt: 0, place: nil)
  }

  @Test("it behaves like a sorted array")
  func model() throws {
    let steps = zip(Generator<UInt64>.integer(in: 0...200), Generator<Int>.integer(in: 0...300))
      .array(0...300)
    try check("same as an array", runs: 100, steps) { steps in
      var queue = MessageQueue()
      var model: [UInt64] = []
      var next: UInt64 = 1_000
      for (number, place) in steps {
        if place < 150 {
          // Mostly at the end, now and then in between.
          next += 1
          let sequence = place < 130 ? next : number
          if model.contains(sequence) { continue }
          queue.insert(Self.message(sequence))
          model.append(sequence)
          model.sort()
        } else if !model.isEmpty {
          let index = place < 250 ? 0 : place % model.count
          guard queue.remove(at: index).sequence == model.remove(at: index) else { return false }
        }
        guard queue.count == model.count, queue.isEmpty == model.isEmpty else { return false }
        guard
          queue.firstIndex(from: number) == model.firstIndex(where: { $0 >= number }) ?? model.count
        else { return false }
        guard queue.index(of: number) == model.firstIndex(of: number) else { return false }
        guard queue.contains(identifierHash: 3) == model.contains(where: { $0 % 7 == 3 }) else {
          return false
        }
      }
      return model.indices.allSatisfy { queue[$0].sequence == model[$0] }
    }
  }
}
