import Foundation
import Testing

@testable import SDK

@Suite("The stored decision")
struct StoredConsentTests {
  private func flags(_ client: PostlipMetricsClient) -> [Bool?] {
    [client.getContext()?.consent.analytics, client.getContext()?.consent.marketing]
  }

  @Test("a decision beats the mode's default at every later launch, flag by flag (CON-11, CON-21)")
  func beatsMode() {
    let machine = ManualPlatform()
    let first = machine.start(.init(consent: .implied))
    first.consent(analytics: false)
    machine.run()
    machine.endProcess()
    #expect(flags(machine.start(.init(consent: .implied))) == [false, true])
    machine.endProcess()
    let third = machine.start(.init(consent: .required))
    #expect(flags(third) == [false, false])
    third.consent(analytics: true, marketing: true)
    machine.run()
    machine.endProcess()
    let fourth = machine.start(.init(consent: .required))
    #expect(flags(fourth) == [true, true])
    #expect(fourth.getAnonymousId() == third.getAnonymousId())
  }

  @Test("a decline is on disk before anything is wiped (A-08)")
  func order() {
    let machine = ManualPlatform()
    let client = machine.start()
    client.track("a")
    machine.run()
    let start = machine.storage.steps.count
    client.consent(analytics: false)
    machine.run()
    let steps = machine.storage.steps[start...]
    let rename = steps.firstIndex { $0.operation == "rename" }
    let remove = steps.firstIndex { $0.operation == "remove" }
    #expect(rename != nil && remove != nil && rename! < remove!)
    #expect(machine.storedFiles.isEmpty)
  }

  @Test("the wipe that a death left undone comes first at the next launch")
  func wipeAtLaunch() {
    let machine = ManualPlatform()
    let client = machine.start(.init(consent: .implied))
    client.track("a")
    machine.run()
    machine.storage.failure = { $0.operation == "remove" ? .inputOutput : nil }
    client.consent(analytics: false)
    machine.run()
    #expect(!machine.storedFiles.isEmpty)
    machine.endProcess()
    machine.storage.failure = nil
    machine.storage.files[ManualPlatform.folder + "/left-by-an-old-version"] = [1]
    machine.responder = { _ in .success(.status(200)) }
    let second = machine.start(.init(consent: .implied))
    #expect(machine.storedFiles.isEmpty)
    #expect(second.getAnonymousId() != client.getAnonymousId())
    second.track("b")
    second.flush()
    machine.advance(seconds: 1)
    #expect(machine.sentNames == [["b"]])
    #expect(machine.storedFiles.isEmpty)
  }

  @Test("a full disk without a spare: the wipe makes the room that the decision lacks")
  func fullDisk() {
    let machine = ManualPlatform()
    let client = machine.start()
    client.track("a")
    machine.run()
    machine.storage.files[ManualPlatform.folder + "/consent.spare"] = nil
    machine.storage.failure = { [storage = machine.storage] step in
      let isFull = storage.files.keys.contains { $0.hasSuffix("install.json") }
      return step.operation == "write" && isFull ? .noSpace : nil
    }
    client.consent(analytics: false)
    machine.run()
    #expect(machine.storedFiles.isEmpty)
    #expect(machine.storedDecision?.contains(#""analytics":false"#) == true)
  }

  @Test("a revoke, then a grant, in one go: nothing old stays on disk in between")
  func revokeThenGrant() {
    let machine = ManualPlatform()
    let client = machine.start()
    client.track("old")
    machine.run()
    let start = machine.storage.steps.count
    client.consent(analytics: false)
    client.consent(analytics: true)
    machine.run()
    #expect(machine.storage.steps[start...].contains { $0.operation == "remove" })
    #expect(machine.storedDecision?.contains(#""analytics":true"#) == true)
    #expect(machine.storedFiles == ["install.json", "session.json"])
  }

  @Test("nothing else is stored while the decision cannot be (S-42)")
  func decisionFirst() {
    let machine = ManualPlatform()
    let client = machine.start(.init(consent: .required))
    machine.storage.failure = {
      $0.path.contains("consent") && $0.operation != "read" ? .inputOutput : nil
    }
    client.consent(analytics: true)
    client.track("a")
    machine.advance(seconds: 20)
    #expect(machine.storedFiles.isEmpty)
    machine.storage.failure = nil
    machine.advance(seconds: 5)
    #expect(machine.storedFiles.count == 3)
  }

  @Test("corrupt: declined, and wiped, until the app decides (S-35)")
  func corrupt() {
    let machine = ManualPlatform()
    let first = machine.start(.init(consent: .implied))
    first.consent(marketing: true)
    first.track("a")
    machine.run()
    machine.endProcess()
    machine.storage.files[ManualPlatform.folder + "/consent.json"]?[3] = 0
    let second = machine.start(.init(consent: .implied))
    #expect(flags(second) == [false, false])
    #expect(machine.storedFiles.isEmpty)
    second.consent(analytics: true)
    machine.run()
    #expect(flags(second) == [true, false])
    machine.endProcess()
    #expect(flags(machine.start(.init(consent: .implied))) == [true, false])
  }

  @Test("not readable at launch: both flags off, nothing written, even later (S-34, CON-30)")
  func locked() {
    let machine = ManualPlatform()
    let first = machine.start(.init(consent: .implied))
    first.track("a")
    machine.run()
    machine.endProcess()
    let files = machine.storage.files
    machine.storage.failure = { _ in .notPermitted }
    let second = machine.start(.init(consent: .notRequired))
    #expect(flags(second) == [false, false])
    #expect(second.getAnonymousId() != first.getAnonymousId())
    let start = machine.storage.steps.count
    second.track("b")
    second.consent(analytics: true)
    machine.run()
    #expect(machine.has(.consentNotStored))
    #expect(flags(second) == [true, false])
    second.identify("u")
    machine.advance(seconds: 20)
    machine.storage.failure = nil
    machine.post(.protectedDataDidBecomeAvailable)
    machine.post(.didEnterBackground)
    machine.advance(seconds: 20)
    #expect(machine.storage.files == files)
    #expect(machine.storage.steps.count == start)
    machine.endProcess()
    #expect(machine.start(.init(consent: .implied)).getAnonymousId() == first.getAnonymousId())
  }

  @Test("a withdrawal before the first unlock is written, and wipes, once files can be read (A-07)")
  func lockedWithdrawal() {
    let machine = ManualPlatform()
    let first = machine.start(.init(consent: .implied))
    first.consent(marketing: true)
    first.track("a")
    machine.run()
    machine.endProcess()
    machine.storage.failure = { _ in .notPermitted }
    let second = machine.start(.init(consent: .implied))
    second.consent(analytics: false, marketing: true)
    let start = machine.storage.steps.count
    machine.advance(seconds: 10)
    #expect(machine.storage.steps[start...].allSatisfy { $0.operation == "read" })
    machine.storage.failure = nil
    machine.post(.protectedDataDidBecomeAvailable)
    #expect(
      machine.storedDecision
        == #"{"decision":{"analytics":false,"marketing":true},"opened":true,"version":1}"#)
    #expect(machine.storedFiles.isEmpty)
    machine.endProcess()
    #expect(flags(machine.start(.init(consent: .implied))) == [false, true])
  }

  @Test("a read that fails for a moment is made again when the config is there")
  func passingFailure() {
    let machine = ManualPlatform()
    machine.start(.init(consent: .required)).consent(analytics: true)
    machine.run()
    machine.endProcess()
    machine.storage.failure = { _ in .inputOutput }
    let client = machine.makeClient()
    client.load("pk", options: .init(consent: .required))
    machine.run()
    machine.storage.failure = nil
    machine.answer(machine.exchanges.count - 1, .success(.status(200)))
    machine.run()
    #expect(flags(client) == [true, false])
  }
}
