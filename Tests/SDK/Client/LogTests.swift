import Foundation
import Testing

@testable import SDK

@Suite("What a developer reads in the log")
struct LogTests {
  /// A client of an app that sends two events and is answered in a way worth a line.
  private func log(
    debug: Bool, statuses: [Int] = [], body: String = "{}", seconds: Double = 1
  ) -> [Diagnostic] {
    let machine = ManualPlatform.healthy()
    machine.answer(statuses: statuses)
    if body != "{}" { machine.responder = { _ in .success(.status(200, body)) } }
    let client = machine.start(.init(consent: .implied, debug: debug))
    client.track("one", messageId: "m1")
    client.track("large", properties: ["x": String(repeating: "y", count: 40_000)])
    client.flush()
    machine.advance(seconds: seconds)
    return machine.diagnostics
  }

  @Test("debug: each message, drop, retry, rejection and warning has a line (OPT-06)")
  func debug() {
    let lines = log(
      debug: true,
      body: "{\"rejected\":[{\"messageId\":\"m1\",\"reason\":\"x\"}],\"warnings\":[{}]}")
    #expect(
      lines.contains { line in
        if case .messageQueued(id: "m1", _) = line { return true }
        return false
      })
    #expect(
      lines.contains { line in
        if case .messageDropped(_, .tooLarge) = line { return true }
        return false
      })
    #expect(lines.contains(.serverRejected(id: "m1")))
    #expect(lines.contains(.serverWarning))
    let retried = log(debug: true, statuses: [500])
    #expect(
      retried.contains { line in
        if case .retryScheduled = line { return true }
        return false
      })
  }

  @Test("without debug nothing is logged that needs no attention (OPT-06)")
  func quiet() {
    #expect(log(debug: false, statuses: [500]).isEmpty)
  }

  @Test("every 401 is logged, debug or not (OPT-30, TRN-17)", arguments: [false, true])
  func writeKey(debug: Bool) {
    let lines = log(debug: debug, statuses: [401, 401, 401], seconds: 400)
    #expect(lines.count { $0 == .writeKeyRefused } == 3)
  }

  @Test("a host that is none is logged, debug or not (OPT-30, S-21)", arguments: [false, true])
  func host(debug: Bool) {
    let machine = ManualPlatform.healthy()
    machine.makeClient().load("pk", options: .init(host: "no host", debug: debug))
    machine.run()
    #expect(machine.diagnostics == [.invalidHost])
  }
}
