import FuzzHistory
import FuzzInvariants
import SimKernel

/// Builds histories by hand, one fact after the other, with a clock that only moves when told.
final class WireHistory {
  let history: History
  var now = Instant.start
  private(set) var process: Int32 = -1
  private var nextExchange: UInt32 = 0
  private var nextStep: UInt32 = 0
  static let epoch: Int64 = 1_780_000_000_000
  static let writeKey = "pk_live_test"
  static let folder = HistoryHeader().storageDirectory
  static let agent = "postlip-metrics-swift/0.1.0"

  init(canaries: [Canary] = []) {
    var header = HistoryHeader()
    header.trueEpoch = WireHistory.epoch * 1_000_000
    header.longestHandOff = 1_000_000
    header.canaries = canaries
    history = History(header: header)
  }

  /// The place of the newest record.
  var last: Int { history.records.count - 1 }

  @discardableResult
  func add(_ fact: Fact, process: Int32? = nil) -> Int {
    history.append(fact, at: now, process: process ?? self.process)
    return last
  }

  func wait(_ span: TimeSpan) { now = now + span }

  var milliseconds: Int64 { WireHistory.epoch + now.nanoseconds / 1_000_000 }

  // MARK: Device

  func launch(_ kind: LaunchKind = .foreground) {
    process += 1
    add(
      .launched(
        kind: kind, boot: 1, install: 0, version: history.store("1"), build: history.store("1")))
    add(.phase(kind == .foreground ? .inactive : .background))
    if kind == .foreground { add(.phase(.active)) }
  }

  func leave() {
    add(.phase(.inactive))
    add(.phase(.background))
  }

  func comeBack() {
    add(.phase(.inactive))
    add(.phase(.active))
  }

  func end(_ cause: EndCause = .memoryKill) { add(.ended(cause)) }

  @discardableResult
  func call(_ call: HostCall, value: String? = nil) -> UInt32 {
    let index = history.add(call)
    add(
      .callBegan(
        call: index, action: index, thread: 0, wall: milliseconds * 1_000_000,
        continuous: now.nanoseconds))
    add(
      .callReturned(
        call: index, hasValue: value != nil, value: value.map { history.store($0) } ?? .empty))
    return index
  }

  /// Loads the client and lets its config request be answered.
  func load(_ options: HostOptions = HostOptions()) {
    var options = options
    if options.trackLifecycle == nil { options.trackLifecycle = false }
    call(.load(writeKey: WireHistory.writeKey, options: options))
    let number = config()
    wait(.milliseconds(80))
    add(
      .exchangeEnded(
        exchange: number, end: .answer, status: 200, headers: .empty, body: history.store("{}")))
  }

  func config() -> UInt32 {
    start(
      .config, url: "https://e.postlip.com/v1/config/" + WireHistory.writeKey,
      headers: "User-Agent: \(WireHistory.agent)", body: "", idle: 3_000, total: 3_000)
  }

  // MARK: Wire

  func message(_ id: String, at time: Int64? = nil, analytics: Bool = true) -> String {
    let stamp = WireHistory.timestamp(time ?? WireHistory.epoch)
    return #"{"anonymousId":"a","context":{"consent":{"analytics":\#(analytics),"#
      + #""marketing":false,"mode":"implied"}},"event":"Tap","messageId":"\#(id)","#
      + #""properties":{},"timestamp":"\#(stamp)","type":"track"}"#
  }

  func body(_ messages: [String]) -> String {
    let sentAt = WireHistory.timestamp(milliseconds)
    return #"{"batch":[\#(messages.joined(separator: ","))],"sentAt":"\#(sentAt)"}"#
  }

  /// Starts a batch request with these ids.
  @discardableResult
  func batch(_ ids: [String], headers: String? = nil) -> UInt32 {
    batch(messages: ids.map { message($0) }, headers: headers)
  }

  @discardableResult
  func batch(messages: [String], headers: String? = nil) -> UInt32 {
    let credentials = Base64.text((WireHistory.writeKey + ":").utf8)
    let usual = "Authorization: Basic \(credentials)\nUser-Agent: \(WireHistory.agent)"
    return start(
      .collector, url: "https://e.postlip.com/v1/batch", headers: headers ?? usual,
      body: body(messages), idle: 20_000, total: 120_000)
  }

  func start(
    _ host: HostKind, url: String, headers: String, body: String, idle: UInt32, total: UInt32
  ) -> UInt32 {
    let number = nextExchange
    nextExchange += 1
    add(
      .requestStarted(
        exchange: number, host: host, attempt: 0, isPost: host == .collector,
        url: history.store(url), headers: history.store(headers), body: history.store(body),
        idleTimeoutMilliseconds: idle, totalTimeoutMilliseconds: total,
        wall: milliseconds * 1_000_000, continuous: now.nanoseconds))
    return number
  }

  /// The server gets and answers a request, and the app hears of it, 100 ms later.
  func answer(_ number: UInt32, _ status: UInt16, headers: String = "", body: String = "") {
    let headers = history.store(headers)
    let body = history.store(body)
    wait(.milliseconds(50))
    add(.requestArrived(exchange: number, copy: 0), process: -1)
    add(
      .answered(exchange: number, copy: 0, status: status, headers: headers, body: body),
      process: -1)
    wait(.milliseconds(50))
    add(
      .exchangeEnded(
        exchange: number, end: .answer, status: status, headers: headers, body: body))
  }

  func fail(_ number: UInt32, _ end: ExchangeEnd = .connectionLost) {
    wait(.milliseconds(50))
    add(
      .exchangeEnded(exchange: number, end: end, status: 0, headers: .empty, body: .empty))
  }

  /// A batch request that is answered.
  func exchange(_ ids: [String], _ status: UInt16, headers: String = "", body: String = "") {
    answer(batch(ids), status, headers: headers, body: body)
  }

  // MARK: Disk

  @discardableResult
  func disk(
    _ operation: DiskOperation, _ path: String, to target: String = "", bytes: [UInt8] = [],
    outcome: DiskOutcome = .done, queue: UInt16 = 1
  ) -> Int {
    nextStep += 1
    return add(
      .disk(
        operation, outcome: outcome, queue: queue, step: nextStep,
        path: history.store(WireHistory.folder + path),
        target: history.store(target.isEmpty ? "" : WireHistory.folder + target), offset: 0,
        bytes: history.store(bytes)))
  }

  /// The first steps of a client that may store: its folder, out of backups, and a journal.
  func makeFolder() {
    disk(.createDirectory, "/queue")
    disk(.excludeFromBackup, "")
    disk(.append, WireHistory.journal, bytes: JournalBytes.head)
  }

  static let journal = "/queue/0000000000000001.journal"

  /// The calm, from its beginning to its end.
  func calm(_ span: TimeSpan = .minutes(1), pending: String = "") {
    add(.calmBegan, process: -1)
    wait(span)
    add(.calmEnded(pending: history.store(pending)), process: -1)
  }

  // MARK: Edits

  /// Moves a record in time.
  func move(_ index: Int, by span: TimeSpan) {
    var record = history.records[index]
    record.instant = record.instant + span
    history.replaceRecord(at: index, with: record)
  }

  static func timestamp(_ milliseconds: Int64) -> String {
    // The epoch is 2026-05-28T20:26:40Z; histories by hand stay within that month and the next.
    let seconds = milliseconds / 1_000
    let day = seconds / 86_400 - 1_780_000_000 / 86_400 + 28
    let rest = seconds % 86_400
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let date =
      day <= 31 ? "05-\(two(day))" : day <= 61 ? "06-\(two(day - 31))" : "07-\(two(day - 61))"
    let fraction = String(1_000 + milliseconds % 1_000).dropFirst()
    return
      "2026-\(date)T\(two(rest / 3_600)):\(two(rest / 60 % 60)):\(two(rest % 60)).\(fraction)Z"
  }
}

/// Writes journal records by their documented format, for histories by hand.
enum JournalBytes {
  static let head: [UInt8] = Array("PMJ1".utf8) + [1, 0, 0, 0]

  static func message(sequence: UInt64, id: String, time: Int64) -> [UInt8] {
    var payload: [UInt8] = [1, 1, 1]
    number(sequence, 8, &payload)
    number(hash(id), 8, &payload)
    number(UInt64(bitPattern: WireHistory.epoch), 8, &payload)
    number(UInt64(bitPattern: time), 8, &payload)
    number(1, 8, &payload)
    number(0, 8, &payload)
    number(0xFFFF_FFFF, 4, &payload)
    number(0xFFFF_FFFF, 4, &payload)
    payload += Array(#"{"messageId":"\#(id)"}"#.utf8)
    return record(payload)
  }

  static func removal(_ sequences: [UInt64]) -> [UInt8] {
    var payload: [UInt8] = [2]
    number(UInt64(sequences.count), 4, &payload)
    for sequence in sequences { number(sequence, 8, &payload) }
    return record(payload)
  }

  private static func record(_ payload: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    number(UInt64(payload.count), 4, &bytes)
    number(UInt64(checksum(payload)), 4, &bytes)
    return bytes + payload
  }

  private static func number(_ value: UInt64, _ count: Int, _ bytes: inout [UInt8]) {
    for shift in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (UInt64(shift) * 8))) }
  }

  private static func hash(_ text: String) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash
  }

  static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }
}
