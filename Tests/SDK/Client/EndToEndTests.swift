import Foundation
import PostlipMetrics
import Testing

@testable import SDK

@Suite("A client from call to server")
struct EndToEndTests {
  @Test("load, track and flush send one batch")
  func firstThread() throws {
    let machine = ManualPlatform()
    machine.responder = { _ in .success(.status(200)) }
    let client = machine.makeClient()
    client.loadQuietly("pk_test_1")
    let id = client.track("opened", properties: ["n": 1])
    #expect(client.getAnonymousId() == nil)
    machine.advance(seconds: 1)
    #expect(client.getAnonymousId() != nil)
    client.flush()
    machine.advance(seconds: 1)
    #expect(machine.exchanges.first?.request.url == "https://e.postlip.com/v1/config/pk_test_1")
    #expect(machine.batchRequests.map { $0.url } == ["https://e.postlip.com/v1/batch"])
    #expect(machine.sentIds == [[id]])
    #expect(machine.storage.files.isEmpty)
    #expect(machine.pendingJobs == 0)
  }

  @Test("a queue under consent survives the process")
  func survives() {
    let machine = ManualPlatform()
    let options = PostlipMetrics.Options(consent: .implied, remoteConfig: false)
    let first = machine.makeClient()
    first.loadQuietly("pk", options: options)
    for n in 0..<3 { first.track("e\(n)") }
    machine.run()
    let anonymousId = first.getAnonymousId()
    machine.endProcess()
    machine.responder = { _ in .success(.status(200)) }
    let second = machine.makeClient()
    second.loadQuietly("pk", options: options)
    machine.advance(seconds: 31)
    #expect(second.getAnonymousId() == anonymousId)
    #expect(machine.sentNames == [["e0", "e1", "e2"]])
    machine.endProcess()
    let third = machine.makeClient()
    third.loadQuietly("pk", options: options)
    machine.advance(seconds: 60)
    #expect(machine.batchRequests.count == 1)
  }
}
