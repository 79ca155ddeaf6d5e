import Foundation
import Testing

@testable import SDK

@Suite("The lock of a shared container (A-25, S-39)")
struct StorageLockTests {
  private func shared() -> ManualPlatform {
    let machine = ManualPlatform.healthy()
    machine.lock.isShared = true
    return machine
  }

  @Test("an app with a container of its own asks for no lock")
  func unshared() {
    let machine = ManualPlatform.healthy()
    let client = machine.start()
    client.track("a")
    machine.post(.didEnterBackground)
    machine.advance(seconds: 60)
    #expect(machine.lock.asked == 0)
    #expect(!machine.storedFiles.isEmpty)
  }

  @Test("held in front, given back in the background before the task ends, held again in front")
  func held() {
    let machine = shared()
    let client = machine.start()
    client.track("a")
    machine.run()
    #expect(machine.lock.isHeld)
    machine.post(.didEnterBackground)
    #expect(machine.lock.isHeld && machine.endedTasks.isEmpty)
    machine.advance(seconds: 1)
    #expect(!machine.lock.isHeld && machine.endedTasks == machine.begunTasks)
    machine.post(.willEnterForeground)
    #expect(machine.lock.isHeld)
    client.track("b")
    machine.run()
    machine.endProcess()
    #expect(machine.start().getAnonymousId() == client.getAnonymousId())
  }

  @Test("when the time is up the lock goes back first, then the task ends")
  func expiry() {
    let machine = shared()
    machine.responder = nil
    let client = machine.start()
    client.track("a")
    machine.post(.didEnterBackground)
    #expect(machine.lock.isHeld)
    for expiration in machine.expirations.values { expiration() }
    #expect(machine.endedTasks.isEmpty)
    machine.run()
    #expect(!machine.lock.isHeld && machine.endedTasks == machine.begunTasks)
  }

  @Test("a call in the background takes the lock under a task of its own")
  func inBackground() {
    let machine = shared()
    machine.applicationState = .background
    let client = machine.start()
    #expect(!machine.lock.isHeld && machine.begunTasks.count == 1)
    client.track("a")
    machine.run()
    #expect(!machine.lock.isHeld && machine.begunTasks.count == 2)
    #expect(machine.endedTasks == machine.begunTasks)
    #expect(machine.storedFiles.contains { $0.hasSuffix(".journal") })
  }

  @Test("refused at the start: from memory, both flags off, and nothing is written or read")
  func refused() {
    let machine = shared()
    machine.lock.isElsewhere = true
    let client = machine.start(.init(consent: .implied))
    #expect(client.getContext()?.consent.analytics == false)
    client.track("a")
    client.flush()
    machine.advance(seconds: 60)
    #expect(machine.sentNames == [["a"]])
    #expect(machine.storage.steps.isEmpty)
  }

  @Test("refused at first and free when the start comes: the stored install is used")
  func free() {
    let machine = shared()
    let id = machine.start().getAnonymousId()
    machine.run()
    machine.endProcess()
    machine.lock.isElsewhere = true
    machine.responder = { $0.purpose == "config" ? nil : .success(.status(200)) }
    let client = machine.makeClient()
    client.loadQuietly("pk", options: .init(consent: .implied))
    machine.run()
    machine.lock.isElsewhere = false
    machine.answer(machine.exchanges.count - 1, .success(.status(200)))
    machine.run()
    #expect(client.getAnonymousId() == id)
  }

  @Test(
    "what is decided without the lock is written once it is free, and a withdrawal wipes (A-07)")
  func decided() {
    let machine = shared()
    machine.start().track("a")
    machine.run()
    machine.endProcess()
    let before = machine.storage.files
    #expect(!machine.storedFiles.isEmpty)
    machine.lock.isElsewhere = true
    let client = machine.start()
    client.consent(analytics: false)
    machine.advance(seconds: 20)
    #expect(machine.storage.files == before)
    machine.lock.isElsewhere = false
    machine.advance(seconds: 5)
    #expect(machine.storedDecision?.contains("\"analytics\":false") == true)
    #expect(machine.storedFiles.isEmpty && !machine.lock.isHeld)
  }

  @Test("another process had the lock meanwhile: the rest of the life goes from memory")
  func lost() {
    let machine = shared()
    machine.responder = { _ in .success(.status(500)) }
    let client = machine.start()
    client.track("stored")
    machine.post(.didEnterBackground)
    machine.advance(seconds: 1)
    machine.lock.isElsewhere = true
    machine.lock.isElsewhere = false
    let files = machine.storage.files
    machine.responder = { _ in .success(.status(200)) }
    machine.post(.willEnterForeground)
    client.track("from memory")
    client.flush()
    machine.advance(seconds: 100)
    #expect(machine.sentNames.last == ["from memory"])
    #expect(machine.storage.files == files && !machine.lock.isHeld)
    machine.endProcess()
    machine.start().flush()
    machine.advance(seconds: 100)
    #expect(machine.sentNames.last == ["stored"])
  }
}
