import Foundation
import Testing

@testable import SDK

@Suite("Sending")
struct TransportTests {
  @Test("the flushAt-th message starts a send, the one before does not (TRN-01)")
  func count() {
    let machine = ManualPlatform.healthy()
    let client = machine.start()
    for n in 0..<19 { client.track("a\(n)") }
    machine.advance(seconds: 1)
    #expect(machine.batchRequests.isEmpty)
    client.track("a19")
    machine.run()
    #expect(machine.batchRequests.count == 1)
    #expect(machine.sentNames == [(0..<20).map { "a\($0)" }])
  }

  @Test("a lone message goes after the interval (TRN-02), and then no timer is left")
  func interval() {
    let machine = ManualPlatform.healthy()
    let client = machine.start(.init(consent: .implied, flushInterval: 12))
    let start = machine.uptimeNanoseconds
    client.track("a")
    machine.advance(seconds: 5)
    client.track("b")
    machine.advance(seconds: 30)
    #expect(machine.batchTimes(since: start) == [12])
    #expect(machine.sentNames == [["a", "b"]])
    #expect(machine.pendingJobs == 0)
  }

  @Test("what is queued during a request waits for its own trigger")
  func laterMessages() {
    let machine = ManualPlatform.healthy()
    machine.answerDelayNanoseconds = 4_000_000_000
    let client = machine.start()
    let start = machine.uptimeNanoseconds
    client.track("a")
    client.flush()
    machine.advance(seconds: 1)
    client.track("b")
    machine.advance(seconds: 60)
    #expect(machine.batchTimes(since: start) == [0, 31])
    #expect(machine.sentNames == [["a"], ["b"]])
  }

  @Test("a trigger sends everything queued, batch after batch (B27)")
  func batches() {
    let machine = ManualPlatform.healthy()
    let client = machine.start(.init(consent: .implied, flushAt: 7))
    machine.responder = { _ in nil }
    for n in 0..<30 { client.track("a\(n)") }
    machine.run()
    #expect(machine.sentNames.map { $0.count } == [7])
    machine.responder = { _ in .success(.status(200)) }
    machine.answer(0, .success(.status(200)))
    machine.advance(seconds: 5)
    // 28 were covered by four triggers of seven; the rest goes after the interval.
    #expect(machine.sentNames.map { $0.count } == [7, 7, 7, 7])
    machine.advance(seconds: 30)
    #expect(machine.names(machine.sentMessages) == (0..<30).map { "a\($0)" })
  }

  @Test("a request holds at most 512 000 bytes (S-09)")
  func bytes() {
    let machine = ManualPlatform.healthy()
    let client = machine.start()
    let fill = String(repeating: "x", count: 31_000)
    for n in 0..<20 { client.track("a\(n)", properties: ["fill": fill]) }
    machine.advance(seconds: 2)
    #expect(machine.batchRequests.allSatisfy { $0.body.count <= 512_000 })
    #expect(machine.batchRequests.map { $0.body.count > 480_000 } == [true, false])
    #expect(machine.names(machine.sentMessages) == (0..<20).map { "a\($0)" })
  }

  @Test("a message of 32 768 bytes goes, one more is dropped and blocks nothing (S-08)")
  func messageSize() {
    let machine = ManualPlatform.healthy()
    let client = machine.start(.init(consent: .implied, debug: true))
    func size() -> Int {
      machine.diagnostics.compactMap {
        if case .messageQueued(_, let bytes) = $0 { return bytes } else { return nil }
      }.last ?? 0
    }
    client.track("first")
    client.track("e", properties: ["fill": ""])
    machine.run()
    let empty = size()
    for (name, extra) in [("e", 0), ("e", 1)] {
      let fill = String(repeating: "x", count: 32_768 - empty + extra)
      client.track(name, properties: ["fill": fill])
      client.group("g", traits: ["fill": String(repeating: "x", count: 40_000)])
    }
    client.track("last")
    machine.run()
    #expect(
      machine.diagnostics.filter {
        if case .messageDropped(_, .tooLarge) = $0 { return true } else { return false }
      }.count == 3)
    client.flush()
    machine.advance(seconds: 1)
    #expect(machine.names(machine.sentMessages) == ["first", "e", "e", "last"])
  }

  @Test(
    "every answer of the table",
    arguments: [
      (400, false), (403, false), (401, true), (404, true), (408, true), (425, true), (301, true),
      (500, true), (503, true), (418, true),
    ])
  func answers(_ status: Int, _ isKept: Bool) {
    let machine = ManualPlatform()
    machine.answer(statuses: [status, status])
    let client = machine.start()
    machine.diagnostics = []
    let start = machine.uptimeNanoseconds
    client.track("a")
    client.flush()
    machine.advance(seconds: 100)
    if isKept {
      let times = machine.batchTimes(since: start)
      #expect(times.count == 3)
      #expect((8.0...12.1).contains(times[1]))
      #expect((32.0...48.1).contains(times[2] - times[1]))
      #expect(machine.sentIds[0] == machine.sentIds[2])
    } else {
      #expect(machine.batchRequests.count == 1)
    }
    #expect(machine.diagnostics == (status == 401 ? [.writeKeyRefused, .writeKeyRefused] : []))
    #expect(machine.pendingJobs == 0)
  }

  @Test(
    "a 2xx is an acceptance if it is the collector's (A-11, B26)",
    arguments: [
      (200, "", true), (204, "", true), (202, "{}", true), (200, "<html>", false),
      (201, "ok", false),
      (200, "{\"rejected\"", false), (200, "[]", false),
    ])
  func otherSuccesses(_ status: Int, _ body: String, _ isAccepted: Bool) {
    let machine = ManualPlatform()
    machine.answer(statuses: [status], body: body)
    let client = machine.start()
    client.track("a")
    client.flush()
    machine.advance(seconds: 60)
    #expect(machine.batchRequests.count == (isAccepted ? 1 : 2))
  }

  @Test("a refused batch ends the pass; the rest goes one interval later at the latest (A-11)")
  func refusedBatch() {
    let machine = ManualPlatform()
    machine.answer(statuses: [400])
    let client = machine.start()
    for n in 0..<19 { client.track("a\(n)") }
    machine.run()
    client.identify("u")
    let start = machine.uptimeNanoseconds
    for n in 0..<5 { client.track("b\(n)") }
    client.flush()
    machine.advance(seconds: 60)
    #expect(machine.sentNames.map { $0.count } == [20, 5])
    let times = machine.batchTimes(since: start)
    #expect(times[0] == 0 && abs(times[1] - 30.05) < 0.001)
  }

  @Test("413: halves until the large one is alone, each small one once (B24)")
  func tooLarge() {
    let machine = ManualPlatform()
    machine.responder = { request in
      .success(.status(request.body.count > 16_000 ? 413 : 200))
    }
    let client = machine.start()
    for n in 0..<20 {
      client.track(
        "a\(n)", properties: n == 11 ? ["x": String(repeating: "x", count: 30_000)] : [:])
    }
    machine.advance(seconds: 60)
    #expect(machine.batchRequests.count <= 11)
    var accepted: [String] = []
    for (request, names) in zip(machine.batchRequests, machine.sentNames)
    where request.body.count <= 16_000 { accepted += names }
    #expect(accepted == (0..<20).filter { $0 != 11 }.map { "a\($0)" })
    #expect(machine.pendingJobs == 0)
  }

  @Test("always 413: the queue empties in a bounded number of requests")
  func alwaysTooLarge() {
    let machine = ManualPlatform()
    machine.responder = { _ in .success(.status(413)) }
    let client = machine.start()
    for n in 0..<20 { client.track("a\(n)") }
    machine.advance(seconds: 60)
    #expect(machine.batchRequests.count == 39)
    #expect(machine.pendingJobs == 0)
  }

  @Test("a 429 goes again with the same ids after Retry-After; flush does not hurry it (TRN-20)")
  func rateLimit() {
    let machine = ManualPlatform()
    machine.answer(statuses: [429], headers: [HTTPHeader("Retry-After", "90")])
    let client = machine.start()
    let start = machine.uptimeNanoseconds
    client.track("a")
    client.flush()
    machine.advance(seconds: 5)
    client.track("b")
    client.flush()
    machine.post(.didEnterBackground)
    machine.post(.willEnterForeground)
    machine.advance(seconds: 200)
    #expect(machine.sentNames == [["a"], ["a"], ["b"]])
    #expect(abs(machine.batchTimes(since: start)[1] - 90.05) < 0.001)
  }

  @Test("flush skips a backoff once (S-18); attempts differ in sentAt only (TRN-11)")
  func flushSkips() throws {
    let machine = ManualPlatform()
    machine.answer(statuses: [503, 503])
    let client = machine.start()
    let start = machine.uptimeNanoseconds
    client.track("a")
    client.flush()
    machine.advance(seconds: 2)
    client.flush()
    machine.advance(seconds: 100)
    let times = machine.batchTimes(since: start)
    #expect(times[1] == 2)
    #expect((34.0...50.2).contains(times[2]))
    let sent = Set(machine.batches.compactMap { $0["sentAt"] as? String })
    #expect(sent.count == 3)
    let bodies = machine.batchRequests.map { String(decoding: $0.body, as: UTF8.self) }
    let messages = Set(bodies.map { $0.components(separatedBy: "],\"sentAt\"")[0] })
    #expect(messages.count == 1)
  }

  @Test("attempts are numbered through the process")
  func attempts() {
    let machine = ManualPlatform()
    machine.answer(statuses: [500, 429])
    let client = machine.start()
    for n in 0..<40 { client.track("a\(n)") }
    machine.advance(seconds: 100)
    #expect(machine.batchRequests.map { $0.attempt } == [0, 1, 2, 3])
  }

  @Test("one id twice in the queue is one message; later it is two (S-16)")
  func duplicates() {
    let machine = ManualPlatform.healthy()
    let client = machine.start(.init(consent: .implied, debug: true))
    client.track("a", messageId: "x")
    client.track("b", messageId: "x")
    client.flush()
    machine.advance(seconds: 1)
    client.track("c", messageId: "x")
    client.flush()
    machine.advance(seconds: 1)
    #expect(machine.sentNames == [["a"], ["c"]])
    #expect(machine.has(.messageDropped(id: "x", .duplicateInQueue)))
  }

  @Test("the queue is bounded, oldest out first; what is in flight stays (S-17)")
  func bound() {
    let machine = ManualPlatform()
    let client = machine.start(.init(consent: .implied, debug: true, flushAt: 3, maxQueueSize: 5))
    for n in 0..<12 {
      client.track("a\(n)")
      machine.run()
    }
    #expect(machine.sentNames == [["a0", "a1", "a2"]])
    machine.answer(0, .success(.status(200)))
    machine.responder = { _ in .success(.status(200)) }
    machine.advance(seconds: 60)
    // Three were in flight, two others fit.
    #expect(machine.sentNames == [["a0", "a1", "a2"], ["a10", "a11"]])
    let dropped = machine.diagnostics.filter {
      if case .messageDropped(_, .queueBound) = $0 { return true } else { return false }
    }
    #expect(dropped.count == 7)
  }

  @Test("if everything queued is in flight, the new one is dropped")
  func boundInFlight() {
    let machine = ManualPlatform()
    let client = machine.start(.init(consent: .implied, maxQueueSize: 2))
    client.track("a")
    client.track("b")
    client.flush()
    machine.run()
    client.track("c")
    client.track("d")
    machine.run()
    machine.answer(0, .success(.status(200)))
    machine.advance(seconds: 60)
    #expect(machine.sentNames.first == ["a", "b"])
    #expect(machine.batchRequests.count == 1)
  }

  @Test("a request that is never answered ends, and nothing overlaps (B32)")
  func blackHole() {
    let machine = ManualPlatform()
    let client = machine.start()
    for n in 0..<600 {
      client.track("a\(n)")
      machine.advance(seconds: 10)
    }
    let times = machine.batchTimes(since: 0)
    for (first, next) in zip(times, times.dropFirst()) { #expect(next - first >= 128) }
    #expect(times.count >= 3)
    #expect(machine.pendingJobs < 10)
  }

  @Test("rejected messages are not sent again, and told in debug mode (TRN-14)")
  func rejected() {
    let machine = ManualPlatform()
    machine.answer(
      statuses: [200], body: #"{"rejected":[{"messageId":"m","reason":"x"}],"warnings":["w"]}"#)
    let client = machine.start(.init(consent: .implied, debug: true))
    client.track("a", messageId: "m")
    client.flush()
    machine.advance(seconds: 60)
    #expect(machine.batchRequests.count == 1)
    #expect(machine.has(.serverRejected(id: "m")) && machine.has(.serverWarning))
  }

  @Test("without debug nothing is logged but what needs attention")
  func quiet() {
    let machine = ManualPlatform()
    machine.answer(statuses: [500, 400])
    let client = machine.start(.init(consent: .implied, debug: false))
    client.track("a", properties: ["x": Double.nan], messageId: "")
    client.track("$x")
    client.flush()
    machine.advance(seconds: 60)
    #expect(machine.diagnostics == [])
  }
}
