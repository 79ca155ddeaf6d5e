import FuzzHistory
import FuzzScenario
import FuzzWorld
import SimKernel
import Testing

@testable import FuzzInvariants

/// In calm runs the model says every message, and for fixed delays every request: equality both
/// ways, not inclusion.
@Suite("What calm runs send is foretold")
struct CalmForecastTests {
  private func witness(_ history: History) -> CalmWitness {
    let witness = CalmWitness()
    #expect(Judge.judge(history, with: [witness]).findings.isEmpty)
    return witness
  }

  /// The requests of each process, foretold and as they went out.
  private func requests(_ scenario: Scenario, _ history: History) -> [(
    due: [RequestForecast.Request], sent: [RequestForecast.Request]
  )] {
    let timing = scenario.timing
    return witness(history).lives.map { life in
      let forecast = RequestForecast(
        life, handOff: .microseconds(timing.handOffMicroseconds.lowerBound),
        diskStep: .microseconds(timing.diskStepMicroseconds.lowerBound),
        tokenDelay: .milliseconds(scenario.attribution.delay))
      let sent = life.requests.map {
        RequestForecast.Request(instant: $0.instant, messages: $0.messages)
      }
      return (forecast.requests, sent)
    }
  }

  private func isForetold(_ scenario: Scenario, _ history: History) -> Bool {
    requests(scenario, history).allSatisfy { $0.due == $0.sent }
  }

  @Test("every message, byte by byte, once each, in the order of what made them")
  func messages() {
    var count = 0
    for seed in 0..<60 as Range<UInt64> {
      let history = World(Scenario.generate(seed: seed, profile: .calm)).run().history
      let witness = witness(history)
      #expect(witness.unequal == [], "seed \(seed)")
      for life in witness.lives {
        let due = witness.messages.indices.filter {
          witness.messages[$0].process == life.number && witness.messages[$0].loss == nil
        }.sorted { witness.messages[$0].isQueuedBefore(witness.messages[$1]) }
        #expect(
          life.requests.flatMap(\.messages) == due.map { Int32($0) },
          "process \(life.number) of seed \(seed)")
        count += due.count
      }
    }
    #expect(count > 60 * 100)
  }

  @Test("with fixed delays every request: what is in it, and the instant at which it starts")
  func boundaries() {
    var runs = 0
    var count = 0
    // How often `$first_open` went with the facts of its install, and how often without.
    var (told, waited) = (0, 0)
    for seed in 0..<140 as Range<UInt64> {
      var scenario = Scenario.generate(seed: seed, profile: .calm)
      guard scenario.timing.isFixed else { continue }
      // Where no token is asked for, `$first_open` is part of the start's own job.
      scenario.device.systemVersion = DeviceDescription().systemVersion
      scenario.start?.options.collectAppleSearchAds = nil
      runs += 1
      let history = World(scenario).run().history
      for (due, sent) in requests(scenario, history) {
        #expect(due == sent, "seed \(seed)")
        count += sent.count
      }
      for life in witness(history).lives where life.firstOpen != nil {
        if life.told != nil { told += 1 } else { waited += 1 }
      }
    }
    #expect(runs >= 60)
    #expect(count > runs * 20)
    #expect(told > 20 && waited > 3)
  }

  // MARK: Edited histories

  /// A fixed calm run, and the records of its batch requests.
  private func recorded() throws -> (scenario: Scenario, history: History, starts: [Int]) {
    let scenario = try #require(
      (0..<20 as Range<UInt64>).lazy.map { Scenario.generate(seed: $0, profile: .calm) }
        .first { $0.timing.isFixed })
    let history = World(scenario).run().history
    let starts = history.records.indices.filter {
      if case .requestStarted(_, .collector, _, _, _, _, _, _, _, _, _) = history.records[$0].fact {
        return true
      }
      return false
    }
    #expect(isForetold(scenario, history))
    return (scenario, history, starts)
  }

  @Test("a request that starts a microsecond late is noticed")
  func late() throws {
    let (scenario, history, starts) = try recorded()
    for index in starts.prefix(20) {
      let record = history.records[index]
      var edited = record
      edited.instant = record.instant + .microseconds(1)
      history.replaceRecord(at: index, with: edited)
      #expect(!isForetold(scenario, history), "record \(index)")
      history.replaceRecord(at: index, with: record)
    }
    #expect(isForetold(scenario, history))
  }

  @Test("a message that went with the next request instead is noticed")
  func movedBoundary() throws {
    let (scenario, history, starts) = try recorded()
    var edits = 0
    for (index, next) in zip(starts, starts.dropFirst())
    where history.records[index].process == history.records[next].process {
      let kept = (history.records[index], history.records[next])
      guard var first = batch(history, index), var second = batch(history, next), first.count > 1
      else { continue }
      second.insert(first.removeLast(), at: 0)
      write(first, history, index)
      write(second, history, next)
      #expect(!isForetold(scenario, history), "record \(index)")
      history.replaceRecord(at: index, with: kept.0)
      history.replaceRecord(at: next, with: kept.1)
      edits += 1
    }
    #expect(edits > 5)
    #expect(isForetold(scenario, history))
  }

  private func batch(_ history: History, _ index: Int) -> [JSONValue]? {
    guard case .requestStarted(_, _, _, _, _, _, let body, _, _, _, _) = history.records[index].fact
    else { return nil }
    return (try? JSONValue.parse(history.bytes(body)))?["batch"]?.array
  }

  private func write(_ messages: [JSONValue], _ history: History, _ index: Int) {
    var record = history.records[index]
    guard
      case .requestStarted(
        let exchange, let host, let attempt, let isPost, let url, let headers, let body, let idle,
        let total, let wall, let continuous) = record.fact,
      let sentAt = (try? JSONValue.parse(history.bytes(body)))?["sentAt"]
    else { return }
    let bytes = JSONValue.object([
      JSONEntry("batch", .array(messages)), JSONEntry("sentAt", sentAt),
    ]).canonicalBytes()
    record.fact = .requestStarted(
      exchange: exchange, host: host, attempt: attempt, isPost: isPost, url: url, headers: headers,
      body: history.store(bytes), idleTimeoutMilliseconds: idle, totalTimeoutMilliseconds: total,
      wall: wall, continuous: continuous)
    history.replaceRecord(at: index, with: record)
  }
}

extension ExpectedMessage {
  /// Whether it came into the queue before another one of its process.
  fileprivate func isQueuedBefore(_ other: ExpectedMessage) -> Bool {
    let queued = (enqueuedInstant ?? callInstant, other.enqueuedInstant ?? other.callInstant)
    return queued.0 == queued.1 ? occurrence < other.occurrence : queued.0 < queued.1
  }
}
