import FuzzHistory
import FuzzScenario
import FuzzWorld
import SimKernel

@testable import FuzzInvariants

/// A history recorded from a seed, with its batch requests and the messages of its calls looked up
/// for edits. Nobody changes one after it was recorded: edits work on copies.
struct RecordedHistory: @unchecked Sendable {
  /// One batch request of a history.
  struct Batch: Sendable {
    var exchange: UInt32
    var process: Int32
    /// The records of its start and its end for the app.
    var start: Int
    var end: Int
    /// What the app received; 0 for no answer.
    var status: UInt16
    var headers: String
    var sentAt: Int64
    var messages: [JSONValue]

    var ids: [String] { messages.compactMap { $0["messageId"]?.string } }
  }

  /// The message of a call in the only request that held it, which was accepted with all others in
  /// it that came only once.
  struct Sent {
    var message: ExpectedMessage
    var batch: Batch
    /// Its place in the batch.
    var place: Int

    var json: JSONValue { batch.messages[place] }
  }

  let name: String
  let history: History
  let batches: [Batch]
  /// The messages of the calls, as they stand at the end.
  let messages: [ExpectedMessage]
  let sentOnce: [Sent]

  init(name: String, history: History, messages: [ExpectedMessage]) {
    self.name = name
    self.history = history
    self.messages = messages
    let batches = RecordedHistory.batches(of: history)
    self.batches = batches
    sentOnce = RecordedHistory.sentOnce(batches, messages)
  }

  /// Seeds of profiles: as few as give every edit two histories with a place for it, where there
  /// are two. The last ones reach what few do: a late `$first_open`, early calls that are held, a
  /// message that expires, messages that wait while nothing else happens.
  static let seeds: [(profile: String, seeds: [UInt64])] = [
    ("server", [0, 1, 2, 7, 8]), ("default", [15, 16, 42, 51, 120]), ("screens", [4]),
    ("locked", [14]), ("hangs", [4, 35]), ("crashy", [23]), ("upgrade", [1, 12]), ("disk", [60]),
    ("default", [145, 28, 49]),
  ]

  /// The histories that edits are looked for in, recorded once: those that pass.
  static let recorded = record(seeds, isPrivate: false)

  /// Histories with all that `PrivacyEdits` are about.
  static let privateHistories = record(
    [("server", [0, 1, 2, 3, 6, 7, 8, 12, 13]), ("default", [2, 3, 12])],
    isPrivate: true)

  private static func record(
    _ seeds: [(profile: String, seeds: [UInt64])], isPrivate: Bool
  ) -> [RecordedHistory] {
    var found: [RecordedHistory] = []
    for (name, seeds) in seeds {
      guard let profile = Profile.named(name) else { continue }
      for seed in seeds {
        var scenario = Scenario.generate(seed: seed, profile: profile)
        if isPrivate, profile == .server {
          // Apple does not know the token at first.
          var rule = ServerRule(host: .attribution)
          rule.count = 2
          rule.answer.status = 404
          rule.answer.body = .empty
          scenario.rules.insert(rule, at: 0)
          scenario.device.systemVersion = DeviceDescription().systemVersion
        }
        if !isPrivate {
          // Ids, attribution and collector have histories of their own.
          scenario.tracking = .restricted
          scenario.collector = nil
          scenario.attribution.token = ""
          scenario.device.systemVersion = DeviceDescription().systemVersion
          scenario.start?.options.collectAppleSearchAds = nil
          scenario.actions.removeAll { action in
            switch action.kind {
            case .tracking, .systemUpdate, .newDevice: return true
            default: return false
            }
          }
        }
        let history = World(scenario).run().history
        let reader = MessageReader()
        if Judge.judge(history, with: Judge.makeInvariants() + [reader]).findings.isEmpty {
          found.append(
            RecordedHistory(
              name: "\(name) \(seed)", history: history, messages: reader.messages))
        }
      }
    }
    return found
  }

  /// A copy whose records may be edited; slices stay where they are in the arena.
  func copy() -> History {
    let copy = History(header: history.header)
    _ = copy.store(history.arena)
    for call in history.calls { _ = copy.add(call) }
    for record in history.records { copy.append(record) }
    return copy
  }

  // MARK: Looking

  private static func batches(of history: History) -> [Batch] {
    var batches: [Batch] = []
    var places: [UInt32: Int] = [:]
    for (index, record) in history.records.enumerated() {
      switch record.fact {
      case .requestStarted(let exchange, .collector, _, true, _, _, let body, _, _, _, _):
        guard let value = try? JSONValue.parse(history.bytes(body)),
          let messages = value["batch"]?.array
        else { continue }
        places[exchange] = batches.count
        batches.append(
          Batch(
            exchange: exchange, process: record.process, start: index, end: -1, status: 0,
            headers: "", sentAt: milliseconds(value["sentAt"]?.string ?? ""), messages: messages))
      case .exchangeEnded(let exchange, _, let status, let headers, _):
        guard let place = places[exchange] else { continue }
        batches[place].end = index
        batches[place].status = status
        batches[place].headers = history.text(headers)
      default: break
      }
    }
    return batches
  }

  private static func sentOnce(_ batches: [Batch], _ messages: [ExpectedMessage]) -> [Sent] {
    var counts: [String: Int] = [:]
    for id in batches.flatMap(\.ids) { counts[id, default: 0] += 1 }
    let fresh = batches.filter { batch in
      batch.status == 200 && batch.ids.allSatisfy { counts[$0] == 1 }
    }
    var sent: [Sent] = []
    for message in messages where message.isDelivered {
      guard message.firstExchange == message.lastExchange,
        let batch = fresh.first(where: { Int64($0.exchange) == message.firstExchange }),
        let place = batch.messages.firstIndex(where: {
          hashIdentifier(Array(($0["messageId"]?.string ?? "").utf8)) == message.identifierHash
        })
      else { continue }
      sent.append(Sent(message: message, batch: batch, place: place))
    }
    return sent
  }

  /// Tracks of calls among the messages that were sent once.
  var tracks: [Sent] {
    sentOnce.filter { $0.message.type == .track && !$0.message.isMadeBySDK }
  }

  /// A batch that was not accepted, and the next one, which carries the same messages again for the
  /// last time.
  var retries: [(first: Batch, second: Batch)] {
    neighbours.filter { pair in
      pair.second.status == 200 && pair.first.ids == pair.second.ids
        && batches.filter { $0.ids.contains(pair.first.ids[0]) }.count == 2
    }
  }

  /// Whether a batch could have held one more message.
  func hasRoom(_ batch: Batch) -> Bool {
    guard let load = load(of: batch.process),
      case .load(let writeKey, let options) = history.calls[Int(load)]
    else { return false }
    return batch.messages.count < ResolvedOptions(writeKey: writeKey, options: options).flushAt
  }

  /// The call that loads the client of a process.
  func load(of process: Int32) -> UInt32? {
    for record in history.records where record.process == process {
      guard case .callBegan(let call, _, _, _, _) = record.fact else { continue }
      if case .load = history.calls[Int(call)] { return call }
    }
    return nil
  }

  /// Whether every step of the disk went well and no file was damaged.
  var hasSoundDisk: Bool {
    history.records.allSatisfy { record in
      switch record.fact {
      case .disk(_, let outcome, _, _, _, _, _, _): return outcome == .done || outcome == .notFound
      case .fileDamaged: return false
      default: return true
      }
    }
  }

  /// Whether a request reached its server.
  func hasArrived(_ batch: Batch) -> Bool {
    history.records[batch.start...].contains { record in
      if case .requestArrived(let exchange, _) = record.fact { return exchange == batch.exchange }
      return false
    }
  }

  /// The place of the record that ends the calm, at which liveness is judged.
  var calmEnd: Int? { history.records.lastIndex { $0.fact.kind == .calmEnded } }

  /// The places where a call begins and returns.
  func places(ofCall call: UInt32?) -> (began: Int, returned: Int)? {
    guard let call else { return nil }
    let began = history.records.firstIndex { record in
      if case .callBegan(call, _, _, _, _) = record.fact { return true }
      return false
    }
    let returned = history.records.firstIndex { record in
      if case .callReturned(call, _, _) = record.fact { return true }
      return false
    }
    guard let began, let returned else { return nil }
    return (began, returned)
  }

  /// Pairs of batch requests of one process, the second the next after the first has ended.
  var neighbours: [(first: Batch, second: Batch)] {
    var pairs: [(Batch, Batch)] = []
    for index in batches.indices.dropLast() {
      let (first, second) = (batches[index], batches[index + 1])
      if first.process == second.process, first.end >= 0, second.end >= 0, first.end < second.start
      {
        pairs.append((first, second))
      }
    }
    return pairs
  }

  func instant(_ index: Int) -> Instant { history.records[index].instant }

  /// Whether a record stands before the calm.
  func isBeforeCalm(_ index: Int) -> Bool {
    let calm = history.records.firstIndex { $0.fact.kind == .calmBegan }
    return index < calm ?? 0
  }

  /// Milliseconds since the Unix epoch of a time on the wire.
  static func milliseconds(_ text: String) -> Int64 {
    let parts = text.split { !$0.isNumber }.compactMap { Int64($0) }
    guard parts.count == 7 else { return 0 }
    // Days by the Gregorian calendar, years that begin in March.
    let year = parts[1] > 2 ? parts[0] : parts[0] - 1
    let month = (parts[1] + 9) % 12
    let days = year * 365 + year / 4 - year / 100 + year / 400 + (month * 306 + 5) / 10 + parts[2]
    return (((days - 719_469) * 24 + parts[3]) * 60 + parts[4]) * 60_000 + parts[5] * 1_000
      + parts[6]
  }
}

extension RecordedHistory {
  static func reader() -> (Invariant, () -> [ExpectedMessage]) {
    let reader = MessageReader()
    return (reader, { reader.messages })
  }
}

/// Reads the messages of the calls at the end of a history.
private final class MessageReader: Invariant {
  private(set) var messages: [ExpectedMessage] = []

  init() {
    super.init(
      InvariantInfo(
        id: "reader", statement: "", kind: .liveness, requirements: [], antecedent: ""),
      on: [.calmEnded])
  }

  override func judge(_ record: Record, _ context: JudgeContext) {
    messages = context.model.messages
  }
}

extension ExpectedMessage {
  /// The call that it came of; none where the SDK made it by itself.
  var call: UInt32? {
    if case .call(let call) = cause { return call }
    return nil
  }
}
