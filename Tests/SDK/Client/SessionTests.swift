import Foundation
import Testing

@testable import SDK

@Suite("Sessions of a client")
struct SessionTests {
  private static let minute: Double = 60

  private func options(_ minutes: Double? = nil) -> PostlipMetrics.Options {
    .init(
      consent: .implied, flushAt: 1, sessionTimeoutMinutes: minutes, trackLifecycle: false,
      remoteConfig: false)
  }

  private func sessions(_ machine: ManualPlatform) -> [String] {
    machine.sentMessages.map { machine.field($0, "context", "session", "id") as? String ?? "" }
  }

  private func flags(_ machine: ManualPlatform) -> [Bool] {
    machine.sentMessages.map { machine.field($0, "context", "session", "start") as? Bool ?? false }
  }

  /// Sessions of which two messages carry the start flag.
  private func flaggedTwice(_ machine: ManualPlatform) -> [String] {
    let ids = machine.sentIds.flatMap { $0 }
    var seen: [String: String] = [:]
    var twice: [String] = []
    for (index, isFlagged) in flags(machine).enumerated() where isFlagged {
      let session = sessions(machine)[index]
      if let other = seen[session], other != ids[index] { twice.append(session) }
      seen[session] = ids[index]
    }
    return twice
  }

  private func track(_ client: PostlipMetricsClient, _ machine: ManualPlatform) {
    client.track("a")
    machine.advance(seconds: 1)
  }

  private func leave(_ machine: ManualPlatform) { machine.post(.didEnterBackground) }

  private func comeBack(_ machine: ManualPlatform) {
    machine.post(.willEnterForeground)
    machine.post(.didBecomeActive)
  }

  private func relaunch(
    _ machine: ManualPlatform, _ options: PostlipMetrics.Options
  ) -> PostlipMetricsClient {
    machine.endProcess()
    machine.responder = { _ in .success(.status(200)) }
    return machine.start(options)
  }

  @Test("a stay of exactly the timeout keeps the session, a longer one ends it")
  func returns() {
    for (extra, count) in [(0.0, 1), (0.001, 2)] {
      let machine = ManualPlatform.healthy()
      let client = machine.start(options(5))
      track(client, machine)
      leave(machine)
      machine.advance(seconds: 300 + extra)
      comeBack(machine)
      track(client, machine)
      #expect(Set(sessions(machine)).count == count)
      #expect(flags(machine) == [true, count == 2])
    }
  }

  @Test("a late background message begins a session; getters see it at once")
  func background() {
    let machine = ManualPlatform.healthy()
    let client = machine.start(options(5))
    track(client, machine)
    leave(machine)
    machine.advance(seconds: 301)
    let before = client.getContext()?.session.id
    client.track("b")
    let after = client.getContext()?.session.id
    machine.advance(seconds: 1)
    #expect(before != after)
    #expect(sessions(machine) == [before, after])
    machine.advance(seconds: 200)
    comeBack(machine)
    track(client, machine)
    #expect(sessions(machine).last == after)
  }

  @Test("six hours in the foreground are one session")
  func foreground() {
    let machine = ManualPlatform.healthy()
    let client = machine.start(options())
    track(client, machine)
    machine.advance(seconds: 6 * 3_600)
    track(client, machine)
    #expect(Set(sessions(machine)).count == 1)
  }

  @Test("a relaunch within the timeout goes on with the session and gives no second start flag")
  func relaunched() {
    for (minutes, count) in [(29.0, 1), (31.0, 2)] {
      let machine = ManualPlatform.healthy()
      track(machine.start(options()), machine)
      leave(machine)
      machine.endProcess()
      machine.advance(seconds: minutes * Self.minute)
      track(relaunch(machine, options()), machine)
      #expect(Set(sessions(machine)).count == count)
      #expect(flags(machine) == [true, count == 2])
    }
  }

  @Test("the stamp moves with use in the foreground, not with messages in the background (A-20)")
  func stamp() {
    let machine = ManualPlatform.healthy()
    let client = machine.start(options())
    machine.advance(seconds: 50 * Self.minute)
    track(client, machine)
    track(relaunch(machine, options()), machine)
    #expect(Set(sessions(machine)).count == 1)
    leave(machine)
    machine.advance(seconds: 20 * Self.minute)
    client.track("from a push")
    machine.endProcess()
    machine.advance(seconds: 20 * Self.minute)
    track(relaunch(machine, options()), machine)
    #expect(Set(sessions(machine)).count == 2)
  }

  @Test("a wall clock that was set back ends the stored session (S-44)")
  func clockSetBack() {
    let machine = ManualPlatform.healthy()
    track(machine.start(options()), machine)
    machine.endProcess()
    machine.wallNanoseconds -= 60_000_000_000
    track(relaunch(machine, options()), machine)
    #expect(Set(sessions(machine)).count == 2)
  }

  @Test("without consent each process has a session of its own, and none is stored")
  func withoutConsent() {
    var required = options()
    required.consent = .required
    let machine = ManualPlatform.healthy()
    track(machine.start(required), machine)
    track(relaunch(machine, required), machine)
    #expect(Set(sessions(machine)).count == 2)
    #expect(machine.storedFiles == [])
  }

  @Test("a reset begins a session at once; a revoke leaves it, and nothing of it on disk")
  func resetAndRevoke() {
    let machine = ManualPlatform.healthy()
    let client = machine.start(options())
    track(client, machine)
    client.reset()
    track(client, machine)
    client.consent(analytics: false)
    track(client, machine)
    let seen = sessions(machine)
    #expect(seen[0] != seen[1] && seen[1] == seen[2])
    #expect(flaggedTwice(machine) == [])
    #expect(!machine.storedFiles.contains { $0.hasPrefix("session") })
  }

  @Test("a death at any step of the first message gives the session one start flag at most")
  func deaths() {
    for step in 0..<14 {
      for part in [0, 30, 10_000] {
        let machine = ManualPlatform()
        var patient = options()
        patient.flushAt = 20
        let client = machine.start(patient)
        machine.storage.dieAtStep = machine.storage.steps.count + step
        machine.storage.bytesOfLastStep = part
        client.track("a")
        machine.run()
        machine.storage.dieAtStep = nil
        track(relaunch(machine, options()), machine)
        machine.advance(seconds: 60)
        #expect(flaggedTwice(machine) == [], "step \(step), \(part) bytes")
        #expect(flags(machine).first == true)
      }
    }
  }

  @Test("a process without consent that sends the flagged message leaves no session to flag again")
  func flagWithoutRecord() {
    let machine = ManualPlatform()
    let client = machine.start(options())
    client.track("a")
    machine.run()
    // As after a death between the message and the record of its flag.
    let path = ManualPlatform.folder + "/session.json"
    let text = String(decoding: machine.storage.files[path] ?? [], as: UTF8.self)
    machine.storage.files[path] = Array(
      text.replacingOccurrences(of: "\"flagged\":true", with: "\"flagged\":false").utf8)
    var required = options()
    required.consent = .required
    track(relaunch(machine, required), machine)
    machine.advance(seconds: 60)
    track(relaunch(machine, options()), machine)
    #expect(flaggedTwice(machine) == [])
    #expect(machine.storedFiles.contains("install.json"))
  }

  @Test("the flag of a session is found behind those of later ones (SES-07)")
  func flagBehindAnother() {
    let machine = ManualPlatform()
    let client = machine.start(options(5))
    client.reset()
    machine.run()
    // From here on the record stays at the session that has sent nothing yet.
    machine.storage.failure = { $0.path.contains("session.json") ? .noSpace : nil }
    track(client, machine)
    client.reset()
    track(client, machine)
    machine.storage.failure = nil
    let second = relaunch(machine, options(5))
    track(second, machine)
    #expect(Set(sessions(machine)).count == 2)
    #expect(flaggedTwice(machine) == [])
  }
}
