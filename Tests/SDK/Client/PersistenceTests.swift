import Foundation
import Testing

@testable import SDK

@Suite("What survives a process")
struct PersistenceTests {
  @Test("a death at any step of an append loses nothing that was appended before")
  func killAtAppend() {
    for step in 0..<12 {
      for part in [0, 8, 70, 500] {
        let machine = ManualPlatform()
        let client = machine.start()
        client.track("a", messageId: "a")
        machine.run()
        machine.storage.dieAtStep = machine.storage.steps.count + step
        machine.storage.bytesOfLastStep = part
        client.identify("u")
        client.track("b", messageId: "b")
        machine.run()
        client.track("c", messageId: "c")
        machine.advance(seconds: 10)
        _ = machine.relaunch()
        machine.advance(seconds: 60)
        let sent = machine.ids
        #expect(sent.first == "a", "step \(step), \(part) bytes")
        #expect(Set(sent).count == sent.count)
        #expect(
          machine.storedFiles.filter { $0 != "install.json.new" } == [
            "install.json", "session.json",
          ])
      }
    }
  }

  @Test(
    "a death at any step around an answer sends each message at least once, ids unchanged (B29)")
  func killAtRemoval() {
    for step in 0..<14 {
      let machine = ManualPlatform()
      machine.responder = { _ in .success(.status(200)) }
      let client = machine.start(.init(consent: .implied, flushAt: 2))
      machine.storage.dieAtStep = machine.storage.steps.count + step
      machine.storage.bytesOfLastStep = 9
      for n in 0..<5 {
        client.track("a\(n)", messageId: "m\(n)")
        machine.advance(seconds: 0.2)
      }
      let before = machine.sentMessages
      _ = machine.relaunch()
      machine.advance(seconds: 60)
      for message in machine.sentMessages.suffix(from: before.count) {
        let same = before.filter { $0["messageId"] as? String == message["messageId"] as? String }
        #expect(
          same.allSatisfy { NSDictionary(dictionary: $0).isEqual(to: message) }, "step \(step)")
      }
      #expect(
        machine.storedFiles.filter { $0 != "session.json.new" } == ["install.json", "session.json"])
    }
  }

  @Test("delivered messages are not sent again by a later process")
  func removalsHold() {
    let machine = ManualPlatform.healthy()
    let client = machine.start(.init(consent: .implied, flushAt: 3))
    for n in 0..<10 {
      client.track("a\(n)")
      machine.advance(seconds: 0.2)
    }
    let first = machine.ids
    #expect(first.count == 9)
    _ = machine.relaunch()
    machine.advance(seconds: 60)
    #expect(machine.ids.count == 10 && Set(machine.ids).count == 10)
  }

  @Test("a full disk stops nothing, and what waited is written when there is room (S-37, B104)")
  func diskFull() {
    let machine = ManualPlatform()
    let client = machine.start()
    client.track("a")
    machine.run()
    machine.storage.room = 100
    client.track("b")
    client.track("c")
    machine.advance(seconds: 20)
    machine.storage.room = nil
    client.track("d")
    machine.run()
    _ = machine.relaunch()
    machine.advance(seconds: 60)
    #expect(machine.names(machine.sentMessages) == ["a", "b", "c", "d"])
  }

  @Test("what could not be written is written without another call within 5 s")
  func retriedByTimer() {
    let machine = ManualPlatform()
    let client = machine.start()
    machine.storage.failure = { $0.operation == "append" ? .inputOutput : nil }
    client.track("a")
    machine.run()
    machine.storage.failure = nil
    machine.advance(seconds: 5)
    _ = machine.relaunch()
    machine.advance(seconds: 60)
    #expect(machine.names(machine.sentMessages) == ["a"])
  }

  @Test("a damaged file costs what is damaged; the rest is sent and written anew")
  func damaged() throws {
    let machine = ManualPlatform()
    let client = machine.start()
    for n in 0..<4 { client.track("a\(n)") }
    machine.run()
    machine.endProcess()
    let second = machine.start(.init(consent: .implied, debug: true))
    let path = try #require(machine.storage.files.keys.first { $0.hasSuffix(".journal") })
    // The length of the second record: a later process would find only the first.
    let end = try #require(machine.storage.files[path]).withUnsafeBytes {
      JournalFormat.frame($0, at: 8)
    }
    guard case .record(_, let byteCount) = end else {
      Issue.record("the first record must be whole")
      return
    }
    machine.storage.files[path]?[8 + byteCount + 2] = 0xFF
    second.flush()
    machine.run()
    #expect(machine.sentNames == [["a0", "a2", "a3"]])
    #expect(machine.has(.messageDropped(id: "", .fileFault)))
    _ = machine.relaunch()
    machine.advance(seconds: 60)
    #expect(machine.sentNames.last == ["a0", "a2", "a3"])
  }

  @Test("a file that is denied is kept and passed over; the others go (B06, B07)")
  func denied() {
    let machine = ManualPlatform()
    let client = machine.start()
    let fill = String(repeating: "x", count: 30_000)
    for n in 0..<9 { client.track("old\(n)", properties: ["fill": fill]) }
    machine.run()
    client.track("new")
    machine.run()
    machine.endProcess()
    var isDenied = true
    machine.storage.failure = { step in
      isDenied && step.operation == "read" && step.path.hasSuffix("0001.journal")
        ? .notPermitted : nil
    }
    machine.responder = { _ in .success(.status(200)) }
    _ = machine.start()
    machine.advance(seconds: 100)
    #expect(machine.sentNames == [["new"]])
    isDenied = false
    machine.post(.didEnterBackground)
    machine.post(.willEnterForeground)
    machine.advance(seconds: 60)
    #expect(machine.names(machine.sentMessages) == ["new"] + (0..<9).map { "old\($0)" })
    #expect(machine.storedFiles == ["install.json", "session.json"])
  }

  @Test("a file read late may say that what others hold was delivered (INV-07)")
  func lateRemoval() {
    let machine = ManualPlatform.healthy()
    let client = machine.start(.init(consent: .implied, flushAt: 2))
    machine.responder = { _ in .failure(.notConnected) }
    let fill = String(repeating: "x", count: 30_000)
    for n in 0..<9 { client.track("old\(n)", properties: ["fill": fill]) }
    machine.run()
    client.track("new")
    machine.responder = { _ in .success(.status(200)) }
    machine.run()
    // The removal cannot be put beside its messages and goes into the second file.
    machine.storage.failure = { step in
      step.operation == "append" && step.path.hasSuffix("0001.journal") ? .notPermitted : nil
    }
    machine.answer(0, .success(.status(200)))
    machine.advance(nanoseconds: 1)
    machine.endProcess()
    let delivered = machine.sentNames.first ?? []
    #expect(delivered == ["old0", "old1"])
    var reads = 0
    machine.storage.failure = { step in
      guard step.operation == "read", step.path.hasSuffix(".journal"),
        !step.path.hasSuffix("0001.journal")
      else { return nil }
      reads += 1
      return reads == 1 ? .notPermitted : nil
    }
    _ = machine.start()
    machine.advance(seconds: 60)
    let later = machine.sentNames.dropFirst(machine.sentNames.count > 1 ? 1 : 0).flatMap { $0 }
    #expect(Set(later).isDisjoint(with: delivered))
    #expect(reads >= 2)
  }

  @Test("a file that cannot be read may name any number: new ones lie above")
  func numbersAboveUnreadable() {
    let machine = ManualPlatform()
    for launch in 0..<6 {
      // Every other process cannot read what there is, and each leaves removals of its own numbers.
      machine.storage.failure = { step in
        launch % 2 == 1 && step.operation == "read" && step.path.hasSuffix(".journal")
          ? .notPermitted : nil
      }
      machine.responder = { _ in .success(.status(200)) }
      let client = machine.start()
      client.track("sent\(launch)")
      client.flush()
      machine.advance(seconds: 1)
      machine.responder = { _ in .failure(.notConnected) }
      client.track("kept\(launch)")
      machine.advance(seconds: 1)
      machine.storage.failure = nil
      machine.post(.didEnterBackground)
      machine.post(.willEnterForeground)
      machine.advance(seconds: 1)
      machine.endProcess()
    }
    machine.responder = { _ in .success(.status(200)) }
    _ = machine.start()
    machine.advance(seconds: 60)
    let names = Set(machine.names(machine.sentMessages))
    #expect(names.count == 12)
    #expect(machine.storedFiles == ["install.json", "session.json"])
  }

  @Test("an id that was used again while its file could not be read is one message (S-16)")
  func lateDuplicate() {
    for isReadLater in [true, false] {
      let machine = ManualPlatform()
      let client = machine.start()
      client.track("first", messageId: "x")
      machine.run()
      machine.endProcess()
      machine.storage.failure = { step in
        step.operation == "read" && step.path.hasSuffix("0001.journal") ? .notPermitted : nil
      }
      var next = machine.start()
      next.track("second", messageId: "x")
      next.track("third")
      machine.run()
      machine.storage.failure = nil
      machine.responder = { _ in .success(.status(200)) }
      if !isReadLater {
        machine.endProcess()
        next = machine.start()
      }
      next.flush()
      machine.advance(seconds: 40)
      #expect(machine.names(machine.sentMessages) == ["first", "third"])
      #expect(machine.storedFiles == ["install.json", "session.json"])
    }
  }

  @Test("a file denied after it was loaded is tried again at the latest one interval later")
  func deniedLater() {
    let machine = ManualPlatform()
    let client = machine.start()
    client.track("a")
    machine.run()
    machine.endProcess()
    machine.responder = { _ in .success(.status(200)) }
    let second = machine.start()
    machine.storage.failure = { $0.operation == "read" ? .notPermitted : nil }
    second.track("b")
    second.flush()
    machine.advance(seconds: 10)
    #expect(machine.sentNames == [["b"]])
    machine.storage.failure = nil
    machine.advance(seconds: 30)
    #expect(machine.sentNames == [["b"], ["a"]])
  }

  @Test("a queue directory that cannot be listed is no empty queue")
  func unlistable() {
    let machine = ManualPlatform()
    let client = machine.start()
    client.track("a")
    machine.run()
    machine.endProcess()
    machine.storage.failure = { $0.operation == "list" ? .notPermitted : nil }
    let second = machine.start()
    second.track("b")
    machine.run()
    machine.storage.failure = nil
    second.track("c")
    machine.run()
    _ = machine.relaunch()
    machine.advance(seconds: 60)
    #expect(machine.names(machine.sentMessages).sorted() == ["a", "b", "c"])
  }

  @Test("after the clock was set back, a queue that is listed late is stored in as well")
  func unlistableAfterTheClock() {
    let machine = ManualPlatform()
    machine.storage.failure = { $0.operation == "list" ? .notPermitted : nil }
    let first = machine.start()
    first.track("a")
    machine.run()
    machine.storage.failure = nil
    first.track("b")
    machine.run()
    machine.endProcess()
    machine.wallNanoseconds -= 40 * 86_400 * 1_000_000_000
    var isDenied = true
    machine.storage.failure = { step in
      guard step.operation == "list", isDenied else { return nil }
      isDenied = false
      return .notPermitted
    }
    machine.start().track("c")
    machine.run()
    _ = machine.relaunch()
    machine.advance(seconds: 60)
    #expect(machine.names(machine.sentMessages).sorted() == ["a", "b", "c"])
  }

  @Test("a queue larger than the bound is cut at the start, oldest first (B43)")
  func boundAtStart() {
    let machine = ManualPlatform()
    let client = machine.start()
    for n in 0..<15 { client.track("a\(n)") }
    machine.run()
    machine.endProcess()
    machine.responder = { _ in .success(.status(200)) }
    _ = machine.start(.init(consent: .implied, maxQueueSize: 10))
    machine.advance(seconds: 60)
    #expect(machine.names(machine.sentMessages) == (5..<15).map { "a\($0)" })
  }

  @Test("a flood is bounded, and the newest win (B107)")
  func flood() {
    let machine = ManualPlatform()
    let client = machine.start()
    for n in 0..<5_000 {
      client.track("a\(n)")
      if n % 100 == 0 { machine.run() }
    }
    machine.advance(seconds: 1)
    // The first batch is on its way all the time: what it lies beside must not pile up behind it.
    let bytes = machine.storage.files.values.reduce(0) { $0 + $1.count }
    #expect(bytes < 1_500_000)
    _ = machine.relaunch()
    machine.advance(seconds: 300)
    let names = machine.names(machine.sentMessages)
    #expect(names.contains("a4999") && names.contains("a4100"))
    #expect(Set(names).count <= 1_020)
  }
}
