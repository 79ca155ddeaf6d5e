import Foundation
import Testing

@testable import SDK

@Suite("How old stored messages are, and by which clock they go (A-03, S-24)")
struct StoredAgeTests {
  @Test("messages of another process go in a request of their own (A-03)")
  func anchors() throws {
    let machine = ManualPlatform()
    let client = machine.start()
    client.track("old")
    machine.run()
    machine.endProcess()
    // The wall clock is set back between the two processes of one boot.
    machine.wallNanoseconds -= 3_600_000_000_000
    machine.responder = { _ in .success(.status(200)) }
    let second = machine.start()
    second.track("new")
    second.flush()
    machine.advance(seconds: 2)
    #expect(machine.sentNames == [["old"], ["new"]])
    #expect(
      machine.batches.map { $0["sentAt"] as? String }
        == ["2026-09-21T14:13:20.000Z", "2026-09-21T13:13:20.050Z"])
  }

  @Test("messages of an earlier boot go with the time of this one")
  func boots() {
    let machine = ManualPlatform()
    let client = machine.start()
    client.track("old")
    machine.run()
    machine.endProcess()
    machine.boot += 1
    machine.uptimeNanoseconds = 1_000_000_000
    machine.wallNanoseconds += 60_000_000_000
    machine.responder = { _ in .success(.status(200)) }
    let second = machine.start()
    second.flush()
    machine.advance(seconds: 1)
    #expect(machine.batches.map { $0["sentAt"] as? String } == ["2026-09-21T14:14:20.000Z"])
    #expect(machine.sentMessages.first?["timestamp"] as? String == "2026-09-21T14:13:20.000Z")
  }

  @Test("30 days are not too old, a millisecond more is (S-25, B41)", arguments: [0, 1])
  func age(_ extra: Int64) {
    for isSameProcess in [true, false] {
      let machine = ManualPlatform()
      machine.responder = { _ in .failure(.notConnected) }
      var client = machine.start(.init(consent: .implied, flushInterval: 3_600))
      client.track("a")
      machine.run()
      if !isSameProcess {
        machine.endProcess()
        machine.boot += 1
      }
      machine.advance(nanoseconds: (2_592_000_000 + extra) * 1_000_000)
      let attempts = machine.batchRequests.count
      if !isSameProcess { client = machine.start() }
      client.flush()
      machine.run()
      #expect(machine.batchRequests.count - attempts == (extra == 0 ? 1 : 0))
    }
  }

  @Test("a batch that waits for a retry goes on without what became too old (A-10)")
  func ageInRetry() {
    let machine = ManualPlatform()
    machine.responder = { _ in .failure(.notConnected) }
    let client = machine.start(.init(consent: .implied, flushInterval: 3_600))
    for n in 0..<4 { client.track("old\(n)") }
    machine.run()
    machine.advance(seconds: 86_400)
    for n in 0..<3 { client.track("new\(n)") }
    client.flush()
    machine.advance(seconds: 86_400 * 28.5)
    #expect(machine.sentNames.last == (0..<4).map { "old\($0)" })
    machine.advance(seconds: 86_400)
    machine.responder = { _ in .success(.status(200)) }
    client.flush()
    machine.advance(seconds: 1)
    #expect(machine.sentNames.last == (0..<3).map { "new\($0)" })
    #expect(machine.storedFiles == ["install.json", "session.json"])
  }

  @Test("in a batch that waits, only some may become too old")
  func ageInsideRetry() {
    let machine = ManualPlatform()
    machine.responder = { _ in .failure(.notConnected) }
    let client = machine.start(.init(consent: .implied, flushInterval: 3_600))
    for n in 0..<5 {
      client.track("a\(n)")
      machine.advance(seconds: 600)
    }
    client.flush()
    machine.advance(seconds: 1)
    #expect(machine.sentNames.last == (0..<5).map { "a\($0)" })
    // 600 s apart: two and a half of them are 30 days old.
    machine.advance(nanoseconds: (2_592_000 - 3_001 + 1_500) * 1_000_000_000)
    machine.responder = { _ in .success(.status(200)) }
    client.track("later")
    client.flush()
    machine.advance(seconds: 1)
    #expect(Array(machine.sentNames.suffix(2)) == [["a3", "a4"], ["later"]])
  }

  @Test("a stamp that cannot be true ages from its first load, through all later processes (A-03)")
  func implausible() {
    let machine = ManualPlatform()
    let right = machine.wallNanoseconds
    machine.wallNanoseconds = 0
    let client = machine.start()
    client.track("a")
    machine.run()
    machine.wallNanoseconds = right
    func reboot(days: Int64) {
      machine.endProcess()
      machine.boot += 1
      machine.wallNanoseconds += days * 86_400_000_000_000
      machine.uptimeNanoseconds = 1_000_000_000
    }
    reboot(days: 0)
    _ = machine.start()
    machine.run()
    reboot(days: 20)
    machine.responder = { _ in .failure(.notConnected) }
    let third = machine.start()
    third.flush()
    machine.advance(seconds: 1)
    #expect(machine.batchRequests.count == 1)
    reboot(days: 11)
    let fourth = machine.start()
    fourth.flush()
    machine.advance(seconds: 1)
    #expect(machine.batchRequests.count == 1)
    #expect(machine.storedFiles == ["install.json", "session.json"])
  }
}
