import SimKernel
import Testing

private final class Collector: TraceSink {
  var entries: [TraceEntry] = []
  var bytes: [[UInt8]] = []

  func receive(_ entry: TraceEntry, bytes: UnsafeRawBufferPointer) {
    entries.append(entry)
    self.bytes.append(Array(bytes))
  }
}

private func note(_ trace: Trace, _ index: Int, bytes: [UInt8]? = nil) {
  let instant = Instant(nanoseconds: Int64(index) * 10)
  let actor = UInt32(index % 3)
  if let bytes {
    bytes.withUnsafeBytes {
      trace.note(instant: instant, actor: actor, kind: 9, detail: UInt64(index), bytes: $0)
    }
  } else {
    trace.note(instant: instant, actor: actor, kind: 8, detail: UInt64(index))
  }
}

@Suite struct TraceTests {
  @Test(arguments: [0, 1, 63, 64, 65, 128, 1_000])
  func theRingHoldsTheNewestEntries(count: Int) {
    let trace = Trace(seed: 0)
    for index in 0..<count { note(trace, index) }
    let last = trace.lastEntries
    #expect(trace.entries == UInt64(count))
    #expect(last.count == min(count, 64))
    #expect(last.map(\.ordinal) == (UInt64(max(0, count - 64))..<UInt64(count)).map { $0 })
    #expect(last.allSatisfy { $0.detail == $0.ordinal && $0.kind == 8 })
  }

  @Test func theSinkSeesEverythingInOrder() {
    let collector = Collector()
    let trace = Trace(seed: 0, sink: collector)
    note(trace, 0)
    note(trace, 1, bytes: [1, 2, 3])
    note(trace, 2, bytes: [])
    #expect(collector.entries.map(\.ordinal) == [0, 1, 2])
    #expect(collector.entries.map(\.byteCount) == [0, 3, 0])
    #expect(collector.bytes == [[], [1, 2, 3], []])
    #expect(trace.lastEntries == collector.entries)
  }

  @Test func watchingChangesNothing() {
    let watched = Trace(seed: 4, sink: Collector())
    let alone = Trace(seed: 4)
    for index in 0..<100 {
      note(watched, index, bytes: index % 5 == 0 ? [UInt8(index)] : nil)
      note(alone, index, bytes: index % 5 == 0 ? [UInt8(index)] : nil)
    }
    #expect(watched.hashValue64 == alone.hashValue64)
  }

  @Test func bytesReachTheHash() {
    func hash(_ bytes: [UInt8]?) -> UInt64 {
      let trace = Trace(seed: 0)
      note(trace, 1, bytes: bytes)
      note(trace, 2)
      return trace.hashValue64
    }
    #expect(hash([1, 2, 3]) != hash([1, 2, 4]))
    #expect(hash([0]) != hash([0, 0]))
    #expect(hash([]) != hash([0]))
  }

  @Test func jsonLinesNameWhatTheyCan() {
    var written: [[UInt8]] = []
    let sink = JSONLinesSink(
      actorName: { $0 == 1 ? "queue.1" : nil }, kindName: { $0 == 9 ? "disk.step" : nil },
      blockBytes: 100
    ) { written.append($0) }
    let trace = Trace(seed: 0, sink: sink)
    note(trace, 0)
    note(trace, 1, bytes: [1, 2, 3])
    note(trace, 2)
    sink.flush()
    sink.flush()
    var hash = TraceHash()
    ([1, 2, 3] as [UInt8]).withUnsafeBytes { hash.combine(bytes: $0) }
    #expect(
      String(decoding: written.joined(), as: UTF8.self) == """
        {"n":0,"t":0,"actor":0,"kind":8,"detail":0}
        {"n":1,"t":10,"actor":"queue.1","kind":"disk.step","detail":1,"bytes":3,\
        "hash":"\(String(hash.value, radix: 16))"}
        {"n":2,"t":20,"actor":2,"kind":8,"detail":2}

        """)
    #expect(written.count == 2, "whole lines, gathered until a block is full")
  }
}
