import FuzzHistory
import SimKernel

/// Each request shows its lane's credentials and the SDK's name and nothing more, and ends in time.
public final class INV15: Invariant {
  static let info = InvariantInfo(
    id: "INV-15",
    statement:
      "Each request has its lane's credentials, an SDK User-Agent free of app and device canaries,"
      + " no cookie, and ends by its timeout.",
    kind: .safety,
    requirements: [
      "TRN-05", "TRN-06", "TRN-29", "TRN-30", "OPT-02", "OPT-03", "OPT-18", "OPT-19", "OPT-20",
      "PRV-07", "CMP-34",
    ],
    antecedent: "A process whose host app loaded the client starts a request.")

  private static let agentName = Array("postlip-metrics-swift/".utf8)

  private var identities: CanaryScan?
  /// The credentials of a write key.
  private var expected: (writeKey: String, credentials: [UInt8])?
  /// A request of the running process that has not ended.
  private struct Open {
    var number: UInt32
    /// How long the process had run, and its disk steps.
    var running: TimeSpan
    var diskSteps: Int
  }

  private var open: [Open] = []

  public init() {
    super.init(
      INV15.info, on: [.launched, .requestStarted, .exchangeEnded, .ended, .calmEnded])
  }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    switch record.fact {
    case .launched: open = []
    case .requestStarted(let number, _, _, _, _, _, _, _, _, _, _):
      let running = context.runningTime(record.process, at: record.instant)
      open.append(Open(number: number, running: running, diskSteps: context.lane.diskSteps))
      antecedent()
      checkTarget(number, record, context)
      checkHeaders(number, record, context)
      checkTimeouts(number, record, context)
      checkAsked(number, record, context)
    case .exchangeEnded(let number, _, _, _, _):
      guard let place = open.firstIndex(where: { $0.number == number }) else { return }
      checkEnd(open.remove(at: place), record, context)
    case .ended, .calmEnded:
      for request in open { checkEnd(request, record, context) }
      open = []
    default: break
    }
  }

  private func checkTarget(_ number: UInt32, _ record: Record, _ context: JudgeContext) {
    let exchange = context.ledger[number]
    let client = context.lane.client
    let path = exchange.isPost ? "/v1/batch" : "/v1/config/" + client.writeKey
    let url = context.text(exchange.url)
    if exchange.host == .attribution { return }
    guard url != client.host + path else { return }
    report(
      "a request goes to another address", at: record, context,
      "Request \(number) goes to \(url) by \(exchange.isPost ? "POST" : "GET"); the client was loaded"
        + " for \(client.host).")
  }

  private func checkHeaders(_ number: UInt32, _ record: Record, _ context: JudgeContext) {
    let exchange = context.ledger[number]
    let headers = context.bytes(exchange.headers)
    let credentials = HeaderLines.value(of: "authorization", in: headers)
    if exchange.isBatch {
      let writeKey = context.lane.client.writeKey
      if expected?.writeKey != writeKey {
        expected = (writeKey, Array(("Basic " + Base64.text((writeKey + ":").utf8)).utf8))
      }
      let count = HeaderLines.count(of: "authorization", in: headers)
      let isRight = expected?.credentials.withUnsafeBytes { own in
        credentials.map { bytesEqual($0, own) }
      }
      if count != 1 || isRight != true {
        report(
          "a batch request has not the credentials of the write key", at: record, context,
          "Batch request \(number) carries \(count) Authorization headers; one of the Basic scheme"
            + " with the write key is asked for.")
      }
    } else if credentials != nil {
      report(
        exchange.isPost
          ? "an attribution request carries credentials" : "a config request carries credentials",
        at: record, context, "Request \(number) carries an Authorization header.")
    }
    for name in ["cookie", "if-none-match", "if-modified-since"] as [StaticString]
    where HeaderLines.value(of: name, in: headers) != nil {
      report(
        "a request carries \(name)", at: record, context,
        "Request \(number) carries the header \(name): a session keeps neither cookies nor a cache."
      )
    }
    checkAgent(number, headers, record, context)
  }

  private func checkAgent(
    _ number: UInt32, _ headers: UnsafeRawBufferPointer, _ record: Record, _ context: JudgeContext
  ) {
    let agent = HeaderLines.value(of: "user-agent", in: headers)
    if agent.map({ isName($0) }) != true {
      let text = agent.map { String(decoding: $0, as: UTF8.self) } ?? "none"
      report(
        "a User-Agent does not name the SDK", at: record, context,
        "The User-Agent of request \(number) is \(text); `postlip-metrics-swift/` and a version are"
          + " asked for.")
    }
    let scan = identities ?? CanaryScan(context.header.canaries.filter { $0.kind == .appIdentity })
    identities = scan
    if let agent, scan.firstHit(in: agent) != nil {
      report(
        "a User-Agent names the app or device", at: record, context,
        "The User-Agent of request \(number) holds a name of the app or device.")
    }
  }

  /// The name and a version of digits, points and a suffix, nothing after.
  private func isName(_ agent: UnsafeRawBufferPointer) -> Bool {
    guard agent.starts(with: INV15.agentName) else { return false }
    let version = agent.dropFirst(INV15.agentName.count)
    guard let first = version.first, first >= 0x30, first <= 0x39 else { return false }
    return version.allSatisfy {
      ($0 >= 0x30 && $0 <= 0x39) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
        || ($0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z"))
    }
  }

  private func checkTimeouts(_ number: UInt32, _ record: Record, _ context: JudgeContext) {
    let exchange = context.ledger[number]
    let idle = exchange.idleTimeoutMilliseconds
    let total = exchange.totalTimeoutMilliseconds
    let isAttribution = exchange.host == .attribution
    let longest: UInt32 = isAttribution ? 20_000 : 120_000
    let isRight = exchange.isPost ? idle == 20_000 && total == longest : total == 3_000
    if isRight { return }
    report(
      "a request has other timeouts", at: record, context,
      "Request \(number) may be idle for \(idle) ms and last \(total) ms; asked for are"
        + (exchange.isPost ? " 20 000 and \(longest)." : " 3 000 in all."))
  }

  /// The config is asked for unless the app switched that off (OPT-18).
  private func checkAsked(_ number: UInt32, _ record: Record, _ context: JudgeContext) {
    guard !context.ledger[number].isPost, !context.lane.client.asksForConfig else { return }
    report(
      "the config is asked for although that is off", at: record, context,
      "Request \(number) asks for the config, which the app switched off.")
  }

  /// The time in which the process could not hear of the end does not count.
  private func checkEnd(_ request: Open, _ record: Record, _ context: JudgeContext) {
    let exchange = context.ledger[request.number]
    let running =
      context.runningTime(exchange.process, at: record.instant) - request.running
    let total = TimeSpan.milliseconds(Int64(exchange.totalTimeoutMilliseconds))
    guard running > total + context.lane.slack(context, sinceDiskSteps: request.diskSteps)
    else { return }
    report(
      "a request does not end by its timeout", at: record, context,
      "Request \(request.number) has lasted \(running.milliseconds) ms of running time; its timeout is"
        + " \(total.milliseconds) ms.")
  }
}
