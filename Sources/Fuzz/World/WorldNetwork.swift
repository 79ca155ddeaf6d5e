import FuzzHistory
import FuzzScenario
import SDK
import SimKernel

/// One request of the SDK, from its start to its end.
struct WireRequest {
  var process: Int32
  var host: HostKind
  /// A stable identity: purpose, process and attempt.
  var key: UInt64
  /// The n-th request of this host in the run, from 1.
  var ordinal: Int
  var queue: UInt16
  var body: ByteSlice
  /// The places of the messages in the body; nil if it is no batch.
  var messages: [Range<Int>]?
  var userAgent = ""
  var completion: (@Sendable (Result<HTTPResponse, HTTPFailure>) -> Void)?
  var interception: FaultKind?
  var truncateTo: Int?
  var answer: HostAnswer?
}

/// What a host answers.
struct HostAnswer {
  var status: UInt16
  var headers: [HTTPHeader] = []
  var body: [UInt8]
}

/// Requests: how they fare on the way, and what the hosts answer.
extension World {
  private static let upStream = StreamName("network.up")
  private static let downStream = StreamName("network.down")
  private static let serverStream = StreamName("network.server")
  private static let captiveStream = StreamName("network.captive")

  /// Failures of the network that strike by chance when a request starts.
  private static let networkFaults: [FaultKind] = [
    .networkOffline, .networkDnsFailure, .networkRefused, .networkTlsFailure, .networkResetBefore,
    .networkResetAfter, .networkDuplicateArrival, .networkBlackHole, .networkTruncatedBody,
    .networkCaptiveHtml, .networkCaptiveBadRequest, .networkSlow,
  ]

  func startRequest(
    _ request: HTTPRequest, _ process: AppProcess, queue: UInt16,
    _ completion: @escaping @Sendable (Result<HTTPResponse, HTTPFailure>) -> Void
  ) -> UInt32 {
    let history = recorder.history
    let host = World.host(of: request)
    if host == .collector { noteFirstQueueJob() }
    hostCounts[Int(host.rawValue)] += 1
    let key = mixBits(
      UInt64(UInt32(bitPattern: process.ordinal)) << 32 ^ UInt64(request.attempt) << 4
        ^ UInt64(host.rawValue))
    var wire = WireRequest(
      process: process.ordinal, host: host, key: key, ordinal: hostCounts[Int(host.rawValue)],
      queue: queue, body: history.store(request.body), completion: completion)
    if deeds != nil {
      wire.userAgent = request.headers.first { $0.name == "User-Agent" }?.value ?? ""
    }
    if host == .collector {
      wire.messages = history.withBytes(wire.body) { Collector.messages(in: $0) }
    }
    let plan = plan(&wire)
    let exchange = device.network.start(
      key: key, plan: plan, at: device.now,
      idle: .milliseconds(Int64(request.idleTimeoutMilliseconds)),
      total: .milliseconds(Int64(request.totalTimeoutMilliseconds)))
    requests.append(wire)
    let fact = Fact.requestStarted(
      exchange: exchange, host: host, attempt: request.attempt, isPost: request.method == .post,
      url: history.storeName(request.url), headers: history.storeName(World.lines(request.headers)),
      body: wire.body,
      idleTimeoutMilliseconds: UInt32(clamping: request.idleTimeoutMilliseconds),
      totalTimeoutMilliseconds: UInt32(clamping: request.totalTimeoutMilliseconds),
      wall: device.clocks.wall(at: device.now),
      continuous: device.clocks.continuous(at: device.now))
    recorder.record(fact, process: process.ordinal, detail: UInt64(exchange), hashing: wire.body)
    if host == .config { isHolding = true }
    if wire.messages?.count == 20 { reach(.batchOfTwenty) }
    happened(World.events(of: host).started)
    return exchange
  }

  func cancelRequest(_ exchange: UInt32) {
    guard Int(exchange) < requests.count, requests[Int(exchange)].completion != nil else { return }
    reach(.requestCancelled)
    if requests[Int(exchange)].host == .attribution { reach(.attributionGivenUp) }
    recorder.record(.exchangeCancelled(exchange: exchange), detail: UInt64(exchange))
    device.network.cancel(exchange)
  }

  // MARK: Fate

  private func plan(_ wire: inout WireRequest) -> ExchangePlan {
    var plan = ExchangePlan(
      up: .milliseconds(draw(timing.networkMilliseconds, World.upStream, wire.key)),
      server: .milliseconds(draw(timing.serverMilliseconds, World.serverStream, wire.key)),
      down: .milliseconds(draw(timing.networkMilliseconds, World.downStream, wire.key)))
    if device.network.link == .none {
      plan.fate = .offline
      took(.networkOffline)
      reach(.offlineAttempt)
      return plan
    }
    if device.network.link == .captive {
      reach(.captiveAttempt)
      strike(captiveFault(wire.key), 0, &plan, &wire)
      return plan
    }
    if let rule = rule(for: wire), let fault = rule.answer.fault {
      strike(fault, FaultCatalogue.entry(fault).defaultAmount, &plan, &wire)
    } else if let (fault, amount) = faults.first(
      of: World.networkFaults, key: wire.key, at: device.now)
    {
      strike(fault, amount, &plan, &wire)
    }
    delayServer(&plan, wire)
    return plan
  }

  /// Over https a portal can only break the connection (B26: other answers need a trusted box).
  private func captiveFault(_ key: UInt64) -> FaultKind {
    var stream = randomness.stream(World.captiveStream, key)
    return stream.pick([.networkTlsFailure, .networkResetBefore, .networkBlackHole])
  }

  private func strike(
    _ fault: FaultKind, _ amount: Int64, _ plan: inout ExchangePlan, _ wire: inout WireRequest
  ) {
    switch fault {
    case .networkOffline: plan.fate = .offline
    case .networkDnsFailure: plan.fate = .dnsFailure
    case .networkRefused: plan.fate = .refused
    case .networkTlsFailure: plan.fate = .tlsFailure
    case .networkResetBefore: plan.fate = .resetBefore
    case .networkResetAfter: plan.fate = .resetAfter
    case .networkDuplicateArrival: plan.fate = .duplicateArrival(gap: .milliseconds(amount))
    case .networkBlackHole: plan.fate = .blackHole
    case .networkTruncatedBody:
      plan.fate = .truncatedBody
      wire.truncateTo = Int(amount)
    case .networkSlow:
      plan.up = plan.up + .milliseconds(amount)
      plan.down = plan.down + .milliseconds(amount)
    case .networkCaptiveHtml, .networkCaptiveBadRequest:
      plan.fate = .intercepted
      wire.interception = fault
    default: return
    }
    took(fault, detail: UInt32(requests.count))
  }

  private func delayServer(_ plan: inout ExchangePlan, _ wire: WireRequest) {
    if let delay = rule(for: wire)?.answer.delayMilliseconds {
      plan.server = plan.server + .milliseconds(delay)
    }
    let fault: FaultKind
    switch wire.host {
    case .config: fault = .configSlow
    case .attribution: fault = .attributionSlow
    case .collector, .unknown: fault = .serverLateAnswer
    }
    if let delay = faults.strikes(fault, key: wire.key, at: device.now) {
      plan.server = plan.server + .milliseconds(delay)
      took(fault)
    }
  }

  /// The scripted answer for a request; none in the calm.
  func rule(for wire: WireRequest) -> ServerRule? {
    if isCalm || scenario.rules.isEmpty { return nil }
    return scenario.rules.first { rule in
      guard rule.host == wire.host, wire.ordinal >= rule.first else { return false }
      if let count = rule.count, wire.ordinal >= rule.first + count { return false }
      switch rule.condition {
      case .always: return true
      case .bodyLargerThan(let bytes): return Int(wire.body.count) > bytes
      case .bodyContains(let text): return recorder.history.contains(text, in: wire.body)
      }
    }
  }

  private static func host(of request: HTTPRequest) -> HostKind {
    if request.method == .post, request.url.hasSuffix("/v1/batch") { return .collector }
    if request.method == .get, request.url.contains("/v1/config/") { return .config }
    if request.method == .post, request.url == "https://api-adservices.apple.com/api/v1/" {
      return .attribution
    }
    return .unknown
  }

  private static func events(
    of host: HostKind
  ) -> (started: WorldEvent, arrived: WorldEvent, ended: WorldEvent) {
    switch host {
    case .config: return (.configStarted, .configArrived, .configEnded)
    case .attribution: return (.attributionStarted, .attributionArrived, .attributionEnded)
    case .collector, .unknown: return (.batchStarted, .batchArrived, .batchEnded)
    }
  }

  static func lines(_ headers: [HTTPHeader]) -> String {
    headers.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
  }
}

extension World: NetworkOwner {
  public func exchangeArrived(_ exchange: UInt32, copy: UInt8) {
    let wire = requests[Int(exchange)]
    if copy > 0 { reach(.requestArrivedTwice) }
    recorder.record(
      .requestArrived(exchange: exchange, copy: copy), process: -1, detail: UInt64(exchange))
    happened(World.events(of: wire.host).arrived)
  }

  public func exchangeAnswered(_ exchange: UInt32, copy: UInt8) {
    let wire = requests[Int(exchange)]
    let answer = answer(wire, copy: copy)
    if copy == 0 { requests[Int(exchange)].answer = answer }
    let history = recorder.history
    let body = history.store(answer.body)
    recorder.record(
      .answered(
        exchange: exchange, copy: copy, status: answer.status,
        headers: history.storeName(World.lines(answer.headers)), body: body),
      process: -1, detail: UInt64(exchange) << 16 | UInt64(answer.status), hashing: body)
    if wire.host == .collector {
      mark(answer)
      collect(exchange, wire, answer)
      happened(.batchAnswered)
    } else if wire.host == .attribution {
      markAttribution(answer)
      happened(.attributionAnswered)
    }
  }

  public func exchangeIntercepted(_ exchange: UInt32) {
    let isPage = requests[Int(exchange)].interception == .networkCaptiveHtml
    requests[Int(exchange)].answer = HostAnswer(
      status: isPage ? 200 : 400,
      headers: isPage ? [HTTPHeader("Content-Type", "text/html")] : [],
      body: isPage ? Array("<html><body>Sign in</body></html>".utf8) : [])
  }

  public func exchangeEnded(_ exchange: UInt32, _ end: ExchangeEnd) {
    guard let process = device.process, process.ordinal == requests[Int(exchange)].process else {
      return
    }
    // The app hears of it on its queue, which may be busy or frozen.
    device.post(process, queue: requests[Int(exchange)].queue) { [unowned self] in
      deliver(exchange, end)
    }
  }

  public func exchangeDisturbed(_ exchange: UInt32, by fault: FaultKind) {
    took(fault, detail: exchange)
  }

  private func deliver(_ exchange: UInt32, _ end: ExchangeEnd) {
    guard let completion = requests[Int(exchange)].completion else { return }
    requests[Int(exchange)].completion = nil
    let wire = requests[Int(exchange)]
    let history = recorder.history
    let heard = end == .answer ? wire.answer : nil
    let body = heard.map { history.store($0.body) } ?? .empty
    recorder.record(
      .exchangeEnded(
        exchange: exchange, end: end, status: heard?.status ?? 0,
        headers: heard.map { history.storeName(World.lines($0.headers)) } ?? .empty, body: body),
      process: wire.process, detail: UInt64(exchange) << 8 | UInt64(end.rawValue), hashing: body)
    if wire.host == .config { isHolding = false }
    noteEnd(wire, end, heard)
    happened(World.events(of: wire.host).ended)
    if let heard {
      completion(
        .success(
          HTTPResponse(status: Int(heard.status), headers: heard.headers, body: heard.body)))
    } else {
      completion(.failure(World.failure(end)))
    }
    requests[Int(exchange)].answer = nil
  }

  private func noteEnd(_ wire: WireRequest, _ end: ExchangeEnd, _ heard: HostAnswer?) {
    if end == .timedOut { reach(wire.host == .config ? .configLate : .requestTimedOut) }
    if wire.host == .config, heard == nil || heard?.status != 200 { reach(.configFailed) }
    if end != .answer, wire.answer != nil { reach(.answerLostAfterServerActed) }
  }

  private static func failure(_ end: ExchangeEnd) -> HTTPFailure {
    switch end {
    case .timedOut: return .timedOut
    case .cannotFindHost: return .cannotFindHost
    case .cannotConnect: return .cannotConnect
    case .connectionLost, .answer: return .connectionLost
    case .secureConnectionFailed: return .secureConnectionFailed
    case .notConnected: return .notConnected
    case .cancelled: return .cancelled
    }
  }
}
