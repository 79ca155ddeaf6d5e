import Foundation
import Testing

@testable import SDK

@Suite("Background and foreground")
struct BackgroundTests {
  @Test("entering the background sends under a task that begins first and ends once (TRN-03)")
  func send() {
    let machine = ManualPlatform.healthy()
    let client = machine.start()
    client.track("a")
    machine.post(.didEnterBackground)
    #expect(machine.begunTasks.count == 1 && machine.endedTasks.isEmpty)
    #expect(machine.batchRequests.count == 1)
    machine.advance(seconds: 1)
    #expect(machine.endedTasks == machine.begunTasks)
    machine.advance(seconds: 100)
    #expect(machine.endedTasks.count == 1)
  }

  @Test("with nothing to send the task ends at once")
  func nothing() {
    let machine = ManualPlatform.healthy()
    _ = machine.start()
    machine.post(.didEnterBackground)
    #expect(machine.batchRequests.isEmpty)
    #expect(machine.endedTasks == machine.begunTasks)
  }

  @Test("events that repeat mean one entry (B15)")
  func repeats() {
    let machine = ManualPlatform.healthy()
    let client = machine.start()
    for _ in 0..<3 { machine.post(.didEnterBackground) }
    #expect(machine.begunTasks.count == 1)
    client.track("a")
    machine.post(.didEnterBackground)
    #expect(machine.batchRequests.isEmpty)
    machine.post(.willEnterForeground)
    machine.post(.didBecomeActive)
    machine.post(.willResignActive)
    machine.post(.didEnterBackground)
    #expect(machine.batchRequests.count == 1)
  }

  @Test("when the time is up the request is given up and its batch kept (S-19)")
  func expiry() {
    let machine = ManualPlatform()
    let client = machine.start(.init(consent: .implied, debug: true))
    client.track("a")
    machine.post(.didEnterBackground)
    for expiration in machine.expirations.values { expiration() }
    machine.run()
    #expect(machine.endedTasks == machine.begunTasks)
    #expect(machine.has(.batchFailed(.cancelled, messages: 1)))
    machine.responder = { _ in .success(.status(200)) }
    machine.advance(seconds: 60)
    #expect(machine.sentNames == [["a"], ["a"]])
    #expect(machine.endedTasks.count == 1)
  }

  @Test("a pass that is under way is covered to its end")
  func underWay() {
    let machine = ManualPlatform.healthy()
    machine.answerDelayNanoseconds = 1_000_000_000
    let client = machine.start(.init(consent: .implied, flushAt: 2))
    client.track("a")
    client.track("b")
    machine.advance(seconds: 0.5)
    client.track("c")
    machine.post(.didEnterBackground)
    machine.advance(seconds: 0.9)
    #expect(machine.sentNames == [["a", "b"], ["c"]])
    #expect(machine.endedTasks.isEmpty)
    machine.advance(seconds: 1)
    #expect(machine.endedTasks == machine.begunTasks)
  }

  @Test("a wait is not held open by the task")
  func waiting() {
    let machine = ManualPlatform()
    machine.answer(statuses: [503])
    let client = machine.start()
    client.track("a")
    client.flush()
    machine.advance(seconds: 1)
    machine.post(.didEnterBackground)
    #expect(machine.batchRequests.count == 1)
    #expect(machine.endedTasks == machine.begunTasks)
  }

  @Test("an entry while calls are held is made up for at the start")
  func held() {
    let machine = ManualPlatform.healthy()
    machine.answerDelayNanoseconds = 1_000_000_000
    let client = machine.makeClient()
    client.loadQuietly("pk")
    client.track("a")
    machine.run()
    machine.post(.didEnterBackground)
    #expect(machine.endedTasks.isEmpty)
    machine.advance(seconds: 1)
    #expect(machine.sentNames == [["a"]])
    machine.advance(seconds: 1)
    #expect(machine.endedTasks == machine.begunTasks)
  }

  @Test("a return to the foreground retries at once and starts the backoff over (TRN-27)")
  func foreground() {
    let machine = ManualPlatform()
    machine.answer(statuses: [500, 500, 500, 500])
    let client = machine.start()
    let start = machine.uptimeNanoseconds
    client.track("a")
    machine.post(.didEnterBackground)
    machine.advance(seconds: 500)
    #expect(machine.batchRequests.count == 4)
    let before = machine.uptimeNanoseconds
    machine.post(.willEnterForeground)
    machine.post(.didBecomeActive)
    machine.advance(seconds: 20)
    #expect(machine.batchRequests.count == 5)
    #expect(machine.exchanges.last?.startedAt == before)
    #expect(machine.batchTimes(since: start)[0] == 0)
  }

  @Test("the cold start of an app is no return")
  func coldStart() {
    let machine = ManualPlatform()
    machine.answer(statuses: [500])
    let client = machine.start()
    client.track("a")
    client.flush()
    machine.advance(seconds: 1)
    machine.post(.didFinishLaunching)
    machine.post(.didBecomeActive)
    machine.advance(seconds: 1)
    #expect(machine.batchRequests.count == 1)
  }

  @Test("written bytes are made durable at background entry and within 5 s (A-02)")
  func barriers() {
    let machine = ManualPlatform()
    let client = machine.start()
    func barriers() -> Int {
      machine.storage.steps.filter {
        $0.operation == "barrier" && $0.path.hasSuffix(".journal")
      }.count
    }
    client.track("a")
    machine.advance(seconds: 1)
    #expect(barriers() == 0)
    client.track("b")
    machine.advance(seconds: 3.9)
    #expect(barriers() == 1)
    client.track("c")
    machine.post(.didEnterBackground)
    #expect(barriers() == 2)
    machine.advance(seconds: 10)
    // Nothing new, nothing to make durable.
    #expect(barriers() == 2)
  }
}
