import Foundation
import FuzzHistory
import SimKernel

@testable import FuzzInvariants

/// Builds small histories by hand: a device on which a perfect SDK runs, told step by step.
///
/// The builder writes what the SDK would send with its own few lines, so that neither the SDK nor
/// the reference model judges itself. Tests change one thing and see which invariant notices.
final class StoryBuilder {
  /// What `send` needs to know of a message.
  struct Message {
    var id: String
    var text: String
  }

  let history: History
  var now = Instant.start
  var process: Int32 = -1
  var boot: UInt64 = 7
  var wallOffset: Int64 = 0

  // What the SDK of the running process has in memory.
  var anonymousId = ""
  var sessionId = ""
  var startsSession = true
  var userId: String?
  var analytics = true
  var marketing = true
  var mode = "none"
  /// The version of the app that is launched next.
  var version = "1.4.0"
  var build = "140"
  var anchorWall: Int64?
  var anchorContinuous: Int64 = 0

  private var drawnIds: UInt64 = 0
  private(set) var exchanges: UInt32 = 0

  static let epoch: Int64 = 1_780_000_000_000_000_000

  init(isCalm: Bool = false) {
    var header = HistoryHeader()
    header.trueEpoch = StoryBuilder.epoch
    header.isCalm = isCalm
    header.longestHandOff = 1_000_000
    history = History(header: header)
    record(.linkChanged(.wifi), process: -1)
    record(
      .localeChanged(locale: history.store("en-US"), zone: history.store("Europe/Berlin")),
      process: -1)
  }

  var wall: Int64 { StoryBuilder.epoch + now.nanoseconds + wallOffset }
  var continuous: Int64 { 5_000_000_000_000 + now.nanoseconds }
  /// The time that the SDK stamps now, in nanoseconds.
  var anchored: Int64 { (anchorWall ?? wall) + (continuous - anchorContinuous) }

  func record(_ fact: Fact, process: Int32? = nil) {
    history.append(fact, at: now, process: process ?? self.process)
  }

  func pass(_ span: TimeSpan) { now = now + span }

  /// A random UUID as the SDK would draw it.
  func drawId() -> String {
    drawnIds += 1
    let tail = String(drawnIds, radix: 16)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - tail.count) + tail
  }

  static func time(_ nanoseconds: Int64) -> String {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime]
    let seconds = Int64((Double(nanoseconds / 1_000_000) / 1_000).rounded(.down))
    let milliseconds = nanoseconds / 1_000_000 - seconds * 1_000
    let text = formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
    let padded = String(1_000 + milliseconds).dropFirst()
    return text.dropLast() + "." + padded + "Z"
  }

  // MARK: Processes

  func launch() {
    process += 1
    record(
      .launched(
        kind: .foreground, boot: boot, install: 0, version: history.store(version),
        build: history.store(build)))
    record(.phase(.inactive))
    record(.phase(.active))
    anonymousId = drawId()
    sessionId = drawId()
    startsSession = true
    userId = nil
    anchorWall = nil
  }

  func end(_ cause: EndCause) { record(.ended(cause)) }

  /// `load` and a config that leaves everything to the options.
  func load(_ options: HostOptions? = nil) {
    beginLoad(options)
    finishConfig()
  }

  func beginLoad(_ options: HostOptions? = nil) {
    var options = options ?? HostOptions()
    if options.consent == nil { options.consent = .notRequired }
    if options.trackLifecycle == nil { options.trackLifecycle = false }
    switch options.consent {
    case .required:
      (mode, analytics, marketing) = ("required", false, false)
    case .implied: (mode, analytics, marketing) = ("implied", true, true)
    default: (mode, analytics, marketing) = ("none", true, true)
    }
    call(.load(writeKey: "pk_live_1", options: options))
    record(
      .requestStarted(
        exchange: exchanges, host: .config, attempt: 0, isPost: false,
        url: history.store("https://e.postlip.com/v1/config/pk_live_1"), headers: .empty,
        body: .empty, idleTimeoutMilliseconds: 3_000, totalTimeoutMilliseconds: 3_000, wall: wall,
        continuous: continuous))
    exchanges += 1
  }

  func finishConfig(_ answer: String = "{}") {
    pass(.milliseconds(50))
    record(
      .exchangeEnded(
        exchange: exchanges - 1, end: .answer, status: 200, headers: .empty,
        body: history.store(answer)))
  }

  // MARK: Calls

  @discardableResult
  func call(_ hostCall: HostCall, thread: UInt16 = 0, returning value: String? = nil) -> UInt32 {
    if anchorWall == nil {
      anchorWall = wall
      anchorContinuous = continuous
    }
    let index = history.add(hostCall)
    record(
      .callBegan(
        call: index, action: index, thread: thread, wall: wall, continuous: continuous))
    record(
      .callReturned(
        call: index, hasValue: value != nil, value: value.map { history.store($0) } ?? .empty))
    return index
  }

  func track(
    _ event: String, _ properties: [PropertyEntry] = [], json: String = "{}", id: String? = nil,
    thread: UInt16 = 0
  ) -> Message {
    let messageId = id ?? drawId()
    call(
      .track(event: event, properties: properties, messageId: id), thread: thread,
      returning: messageId)
    return message(
      "\"event\":\"\(event)\",\"messageId\":\"\(messageId)\",\"properties\":\(json)", messageId,
      type: "track", userId: userId)
  }

  func screen(_ name: String, view: String? = nil) -> Message {
    call(.screen(name: name, properties: []))
    return screenMessage(name, view: view)
  }

  /// The message of a screen, whatever it comes from.
  func screenMessage(_ name: String, view: String? = nil) -> Message {
    let id = drawId()
    return message(
      "\"messageId\":\"\(id)\",\"name\":\"\(name)\",\"properties\":{\"pageview_id\":"
        + "\"\(view ?? drawId())\",\"path\":\"/\(name)\"}", id, type: "screen", userId: userId)
  }

  func identify(_ user: String?, traits: [PropertyEntry] = [], json: String? = nil) -> Message {
    call(.identify(userId: user, traits: traits))
    if let user { userId = user }
    let id = drawId()
    return message(
      "\"messageId\":\"\(id)\"", id, type: "identify", userId: userId, traits: json)
  }

  func alias(_ user: String, previousId: String? = nil) -> Message {
    call(.alias(userId: user, previousId: previousId))
    let id = drawId()
    let previous = previousId ?? userId ?? anonymousId
    return message(
      "\"messageId\":\"\(id)\",\"previousId\":\"\(previous)\"", id, type: "alias", userId: user)
  }

  func reset() {
    call(.reset)
    anonymousId = drawId()
    sessionId = drawId()
    startsSession = true
    userId = nil
  }

  func revoke() {
    call(.consent(analytics: false, marketing: nil))
    analytics = false
  }

  /// A message as a perfect SDK would write it now.
  func message(
    _ names: String, _ id: String, type: String, userId: String?, traits: String? = nil
  ) -> Message {
    let start = startsSession ? ",\"start\":true" : ""
    startsSession = false
    let text =
      "{\"anonymousId\":\"\(anonymousId)\",\"context\":{\"app\":{\"build\":\"\(build)\",\"name\":\"Kiosk\","
      + "\"namespace\":\"com.example.kiosk\",\"version\":\"\(version)\"},\"consent\":{\"analytics\":\(analytics),"
      + "\"marketing\":\(marketing),\"mode\":\"\(mode)\"},\"device\":{\"manufacturer\":\"Apple\","
      + "\"model\":\"iPhone15,2\",\"type\":\"phone\"},\"library\":{\"name\":\"postlip-metrics-swift\","
      + "\"version\":\"0.1.0\"},\"locale\":\"en-US\",\"network\":{\"cellular\":false,\"wifi\":true},"
      + "\"os\":{\"name\":\"iOS\",\"version\":\"17.5.1\"},\"screen\":{\"height\":852,\"width\":393},"
      + "\"session\":{\"id\":\"\(sessionId)\"\(start)},\"timezone\":\"Europe/Berlin\"},\(names),"
      + "\"timestamp\":\"\(StoryBuilder.time(anchored))\","
      + (traits.map { "\"traits\":\($0)," } ?? "") + "\"type\":\"\(type)\""
      + (userId.map { ",\"userId\":\"\($0)\"" } ?? "") + "}"
    return Message(id: id, text: text)
  }

  // MARK: The wire

  /// Starts a batch request; gives its number.
  @discardableResult
  func start(_ messages: [Message], sentAt: Int64? = nil) -> UInt32 {
    let body =
      "{\"batch\":[" + messages.map(\.text).joined(separator: ",")
      + "],\"sentAt\":\"\(StoryBuilder.time(sentAt ?? anchored))\"}"
    let headers =
      "Authorization: Basic cGtfbGl2ZV8xOg==\nContent-Type: application/json\n"
      + "User-Agent: postlip-metrics-swift/0.1.0"
    record(
      .requestStarted(
        exchange: exchanges, host: .collector, attempt: 0, isPost: true,
        url: history.store("https://e.postlip.com/v1/batch"), headers: history.store(headers),
        body: history.store(body), idleTimeoutMilliseconds: 20_000,
        totalTimeoutMilliseconds: 120_000, wall: wall, continuous: continuous))
    exchanges += 1
    return exchanges - 1
  }

  /// The request arrives, is answered, and the app hears of it.
  func answer(_ exchange: UInt32, _ status: UInt16 = 200, body: String = "{}") {
    serve(exchange, status, body: body)
    hear(exchange, status, body: body)
  }

  /// The request arrives and is answered; the app has not heard of it yet.
  func serve(_ exchange: UInt32, _ status: UInt16 = 200, body: String = "{}") {
    pass(.milliseconds(40))
    record(.requestArrived(exchange: exchange, copy: 0), process: -1)
    pass(.milliseconds(5))
    record(
      .answered(
        exchange: exchange, copy: 0, status: status, headers: .empty, body: history.store(body)),
      process: -1)
  }

  func hear(_ exchange: UInt32, _ status: UInt16 = 200, body: String = "{}") {
    pass(.milliseconds(40))
    record(
      .exchangeEnded(
        exchange: exchange, end: .answer, status: status, headers: .empty,
        body: history.store(body)))
  }

  func fail(_ exchange: UInt32, _ end: ExchangeEnd = .connectionLost) {
    pass(.milliseconds(100))
    record(.exchangeEnded(exchange: exchange, end: end, status: 0, headers: .empty, body: .empty))
  }

  func flush() { call(.flush) }

  /// Sends and gets the usual answer.
  func deliver(_ messages: [Message]) { answer(start(messages)) }

  func calm(pending: String = "") {
    pass(.seconds(1))
    record(.calmBegan, process: -1)
    pass(.seconds(60))
    record(.calmEnded(pending: history.store(pending)), process: -1)
  }
}

/// The invariants of the reference model and of conservation.
enum ModelRules {
  static func make() -> [Invariant] {
    [
      INV01(), INV02(), INV03(), INV06(), INV10(), INV11(), INV17(), INV18(), INV19(), INV20(),
      INV21(), INV22(), INV23(), INV24(), INV25(),
      INV26(), INV33(), INV34(), INV35(), INV36(), INV38(), INV39(), INV40(), INV41(), INV42(),
      INV43(), INV44(), INV45(), INV46(),
    ]
  }

  static func judge(_ builder: StoryBuilder) -> Judgement {
    Judge.judge(builder.history, with: make())
  }
}

extension Judgement {
  /// The ids of the invariants that fired, each once, in order.
  var fired: [String] {
    var ids: [String] = []
    for finding in findings where !ids.contains(finding.invariant) { ids.append(finding.invariant) }
    return ids
  }
}

extension StoryBuilder {
  /// A process that has called `load`.
  static func loaded(_ mode: HostOptions.ConsentMode = .notRequired, queue: Int? = nil)
    -> StoryBuilder
  {
    let builder = StoryBuilder()
    builder.launch()
    var options = HostOptions()
    options.consent = mode
    options.maxQueueSize = queue
    builder.load(options)
    return builder
  }
}
