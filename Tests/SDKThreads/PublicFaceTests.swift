import Foundation
import PostlipMetrics
import Testing

/// The public face under real threads: meant for the thread sanitizer, and true without it as well.
@Suite(.serialized) struct SDKThreadsTests {
  private static let threads = 8

  /// Runs `body` on eight threads at once and waits for all.
  private func onThreads(_ body: @escaping @Sendable (_ thread: Int) -> Void) {
    let group = DispatchGroup()
    for index in 0..<SDKThreadsTests.threads {
      group.enter()
      let thread = Thread {
        body(index)
        group.leave()
      }
      thread.stackSize = 1 << 20
      thread.start()
    }
    group.wait()
  }

  private func options(flushAt: Int = 20) -> PostlipMetrics.Options {
    var options = PostlipMetrics.Options()
    options.flushAt = flushAt
    return options
  }

  /// Goes to the background and comes back, as often as said.
  private func lead(_ machine: ThreadPlatform, visits: Int) {
    let application = machine.application
    let main = machine.scheduler.main
    for _ in 0..<visits {
      application.tell(.willResignActive, state: .inactive, on: main)
      application.tell(.didEnterBackground, state: .background, on: main)
      application.tell(.willEnterForeground, state: .inactive, on: main)
      application.tell(.didBecomeActive, state: .active, on: main)
    }
  }

  /// Each message of a thread is new, and later than those that the thread made before (API-02).
  private func expectOrder(_ messages: [ThreadServer.Message]) {
    var last = [Int](repeating: -1, count: SDKThreadsTests.threads)
    for message in messages {
      guard let thread = message.thread, let number = message.number else { continue }
      #expect(last[thread] < number, "thread \(thread) made \(number) before \(last[thread])")
      last[thread] = number
    }
  }

  private func numbered(_ messages: [ThreadServer.Message]) -> Int {
    messages.count { $0.number != nil }
  }

  /// Calls of eight threads, the first of them before the config is there: nothing is lost, nothing
  /// comes twice, and each thread's calls keep their order (API-02).
  @Test func nothingIsLostAndEachThreadKeepsItsOrder() {
    let machine = ThreadPlatform(refusesEveryFifth: true)
    let client = PostlipMetricsClient(platform: machine.platform)
    let options = options()
    let returned = Locked<[String]>([])
    onThreads { thread in
      client.load("pk_test_threads", options: options)
      for number in 0..<20 {
        let id = client.track("Tapped", properties: ["thread": thread, "number": number])
        returned.access { $0.append(id) }
        _ = client.getAnonymousId()
        _ = client.getContext()
      }
    }
    client.flush()
    #expect(machine.server.wait { numbered($0) == 160 })
    onThreads { thread in
      for number in 20..<80 {
        let id = client.track("Tapped", properties: ["thread": thread, "number": number])
        returned.access { $0.append(id) }
        if number % 16 == 0 { client.flush() }
      }
    }
    client.flush()
    #expect(machine.server.wait { numbered($0) == 640 })
    machine.scheduler.drain()
    let arrived = machine.server.messages.filter { $0.number != nil }.map(\.id)
    let made = returned.access { $0 }
    #expect(arrived.count == 640)
    let isSame = Set(arrived) == Set(made)
    #expect(isSame, "the ids that came are the ids that track returned")
    expectOrder(machine.server.messages)
    #expect(machine.server.mostInFlight == 1, "one batch at a time (INV-08)")
  }

  /// Statics and the instance behind them are one client, whoever calls (API-04).
  @Test func staticsAndInstanceAreOneClient() {
    let machine = ThreadPlatform()
    let client = PostlipMetricsClient(platform: machine.platform)
    PostlipMetrics.shared = client
    let options = options()
    onThreads { thread in
      PostlipMetrics.load("pk_test_threads", options: options)
      for number in 0..<20 {
        let properties: [String: Any] = ["thread": thread, "number": number]
        if number % 2 == 0 {
          PostlipMetrics.track("Tapped", properties: properties)
        } else {
          PostlipMetrics.shared.track("Tapped", properties: properties)
        }
        #expect(PostlipMetrics.getAnonymousId() == client.getAnonymousId())
      }
    }
    PostlipMetrics.flush()
    #expect(machine.server.wait { numbered($0) == 160 })
    expectOrder(machine.server.messages)
  }

  /// Every public call from every thread while the app comes and goes, the config answers, batches
  /// are refused, identities are reset and consent is given and taken: no race, no trap, no
  /// reordering.
  @Test func everyCallFromEveryThread() {
    let machine = ThreadPlatform(
      config: #"{"consent":{"mode":"implied"},"session":{"timeoutMinutes":5}}"#,
      refusesEveryFifth: true)
    let client = PostlipMetricsClient(platform: machine.platform)
    PostlipMetrics.shared = client
    let options = options(flushAt: 5)
    onThreads { [self] thread in
      if thread == 0 { PostlipMetrics.load("pk_test_threads", options: options) }
      for number in 0..<120 {
        call((thread * 31 + number * 7) % 13, thread: thread, number: number, client)
        if thread == 1 && number % 10 == 0 { lead(machine, visits: 1) }
        if number % 8 == 0 { machine.server.rest() }
      }
    }
    client.consent(analytics: true, marketing: true)
    client.track("Last", properties: ["thread": 0, "number": 1_000])
    client.flush()
    #expect(machine.server.wait { $0.contains { $0.event == "Last" } })
    machine.scheduler.drain()
    expectOrder(machine.server.messages)
    #expect(machine.server.mostInFlight == 1)
    #expect(client.getAnonymousId()?.isEmpty == false)
    #expect(machine.server.messages.count > 300)
  }

  private func call(_ kind: Int, thread: Int, number: Int, _ client: PostlipMetricsClient) {
    switch kind {
    case 0: client.screen("Home", properties: ["depth": number])
    case 1: PostlipMetrics.identify("user-\(thread)", traits: ["plan": "free"])
    case 2: client.group("group-\(thread)", traits: ["size": number])
    case 3: PostlipMetrics.alias("alias-\(number)")
    case 4 where number % 5 == 0: client.reset()
    case 5 where number % 5 == 0: PostlipMetrics.consent(analytics: number % 2 == 0)
    case 6: client.consent(marketing: number % 2 == 0)
    case 7: PostlipMetrics.flush()
    case 8: _ = client.getAnonymousId()
    case 9: _ = PostlipMetrics.getContext()
    default: client.track("Tapped", properties: ["thread": thread, "number": number])
    }
  }
}
