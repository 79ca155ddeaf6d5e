import FuzzHistory
import FuzzScenario
import SDK
import SimKernel

/// What the simulated servers answer, faults and scripted rules included.
extension World {
  private static let serverFaults: [FaultKind] = [
    .serverBadRequest, .serverUnauthorized, .serverForbidden, .serverNotFound,
    .serverRequestTimeout, .serverTooLarge, .serverTooEarly, .serverTooManyRequests, .serverError,
    .serverUnavailable, .serverOtherSuccess, .serverRedirect, .serverMalformedAnswer,
    .serverRejects, .serverWarns,
  ]
  private static let configFaults: [FaultKind] = [
    .configFailure, .configGarbage, .configTooLarge, .configUnknownMode, .configStrayFields,
  ]

  func answer(_ wire: WireRequest, copy: UInt8) -> HostAnswer {
    let key = wire.key &+ UInt64(copy)
    if let rule = rule(for: wire), rule.answer.fault == nil {
      return scripted(rule.answer, wire)
    }
    switch wire.host {
    case .config:
      let fault = faults.first(of: World.configFaults, key: key, at: device.now)
      if let fault { took(fault.0) }
      return configService.answer(fault: fault)
    case .collector:
      let healthy = collector.receive(wire.messages)
      guard healthy.status == 200 else { return healthy }
      guard let (fault, amount) = faults.first(of: World.serverFaults, key: key, at: device.now)
      else { return healthy }
      return faulty(fault, amount, wire, key)
    case .attribution: return attributionAnswer(wire, key)
    case .unknown:
      return HostAnswer(status: 404, body: [])
    }
  }

  private static let attributionFaults: [FaultKind] = [
    .attributionNotFound, .attributionFailure, .attributionGarbage,
  ]

  /// Apple knows the one token of the install, and takes it as plain text.
  private func attributionAnswer(_ wire: WireRequest, _ key: UInt64) -> HostAnswer {
    let isKnown = recorder.history.withBytes(wire.body) {
      !$0.isEmpty && $0.elementsEqual(scenario.attribution.token.utf8)
    }
    guard isKnown else { return HostAnswer(status: 400, body: Array("Invalid token".utf8)) }
    if let fault = faults.first(of: World.attributionFaults, key: key, at: device.now) {
      took(fault.0)
      switch fault.0 {
      case .attributionNotFound: return HostAnswer(status: 404, body: [])
      case .attributionFailure: return HostAnswer(status: 500, body: [])
      default: return HostAnswer(status: 200, body: Array("<html><body>Sign in</body></html>".utf8))
      }
    }
    return HostAnswer(status: 200, body: Array(scenario.attribution.answer.utf8))
  }

  /// Marks what Apple answered.
  func markAttribution(_ answer: HostAnswer) {
    switch answer.status {
    case 404: reach(.attributionNotFound)
    case 200..<300: reach(answer.body.first == 0x7b ? .attributionAnswered : .attributionFailed)
    default: reach(.attributionFailed)
    }
  }

  private func faulty(_ fault: FaultKind, _ amount: Int64, _ wire: WireRequest, _ key: UInt64)
    -> HostAnswer
  {
    if fault == .serverTooLarge, Int64(wire.body.count) <= amount {
      return HostAnswer(status: 200, body: Array("{}".utf8))
    }
    took(fault)
    switch fault {
    case .serverBadRequest: return HostAnswer(status: 400, body: [])
    case .serverUnauthorized: return HostAnswer(status: 401, body: [])
    case .serverForbidden: return HostAnswer(status: 403, body: [])
    case .serverNotFound: return HostAnswer(status: 404, body: [])
    case .serverRequestTimeout: return HostAnswer(status: 408, body: [])
    case .serverTooLarge: return HostAnswer(status: 413, body: [])
    case .serverTooEarly: return HostAnswer(status: 425, body: [])
    case .serverTooManyRequests:
      return HostAnswer(status: 429, headers: retryAfter(amount, key), body: [])
    case .serverError: return HostAnswer(status: 500, body: [])
    case .serverUnavailable:
      let headers = key & 3 == 0 ? retryAfter(amount, key) : []
      return HostAnswer(status: 503, headers: headers, body: [])
    case .serverOtherSuccess: return HostAnswer(status: key & 1 == 0 ? 202 : 204, body: [])
    case .serverRedirect:
      return HostAnswer(
        status: key & 1 == 0 ? 302 : 307, headers: [HTTPHeader("Location", "https://elsewhere/")],
        body: [])
    case .serverMalformedAnswer:
      return HostAnswer(status: 200, body: Array("{\"rejected\":[".utf8))
    case .serverRejects:
      return HostAnswer(status: 200, body: rejection(wire, count: Int(amount)))
    default:
      return HostAnswer(status: 200, body: warnings(wire))
    }
  }

  private func scripted(_ answer: ScriptedAnswer, _ wire: WireRequest) -> HostAnswer {
    let headers = answer.headers.map { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      return HTTPHeader(
        String(parts.first ?? ""), parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "")
    }
    var body: [UInt8]
    switch answer.body {
    case .empty: body = []
    case .healthy:
      switch wire.host {
      case .config: body = configService.answer(fault: nil).body
      case .attribution: body = Array(scenario.attribution.answer.utf8)
      case .collector, .unknown: body = Array("{}".utf8)
      }
    case .rejecting(let count): body = rejection(wire, count: count)
    case .warning: body = warnings(wire)
    case .html: body = Array("<html><body>Sign in</body></html>".utf8)
    case .garbage: body = [0x7b, 0xff, 0x22, 0x00]
    case .text(let text): body = Array(text.utf8)
    }
    if wire.host == .collector, answer.status == 200, answer.body == .healthy {
      body = collector.receive(wire.messages).body
    }
    return HostAnswer(status: answer.status, headers: headers, body: body)
  }

  /// One of the forms in which servers ask for a pause.
  private func retryAfter(_ seconds: Int64, _ key: UInt64) -> [HTTPHeader] {
    var stream = RandomStream(state: key)
    switch stream.below(10) {
    case 0...4: return [HTTPHeader("Retry-After", "\(seconds)")]
    case 5: return retryDate(.fixed, after: seconds, key)
    case 6: return retryDate(stream.chance(1, in: 2) ? .rfc850 : .asctime, after: seconds, key)
    case 7: return [HTTPHeader("retry-after", "0")]
    case 8:
      return [
        HTTPHeader("Retry-After", stream.pick(["-5", "soon", "", "3, 5", "1.5", "1000000000000"]))
      ]
    default: return []
    }
  }

  /// A pause that ends at a date by the server's own clock, which may be off.
  private func retryDate(_ form: HTTPDate.Form, after seconds: Int64, _ key: UInt64)
    -> [HTTPHeader]
  {
    let skew = faults.strikes(.serverSkewedClock, key: key, at: device.now)
    if skew != nil { took(.serverSkewedClock) }
    let wall = device.clocks.trueWall(at: device.now) / 1_000_000_000 + (skew ?? 0)
    return [
      HTTPHeader("Retry-After", HTTPDate.text(form, seconds: wall + seconds)),
      HTTPHeader("Date", HTTPDate.text(.fixed, seconds: wall)),
    ]
  }

  private func rejection(_ wire: WireRequest, count: Int) -> [UInt8] {
    let ids = recorder.history.withBytes(wire.body) { Collector.identifiers(in: $0) }
    let entries = ids.prefix(count).map {
      JSONValue.object([
        JSONEntry("messageId", .string($0)), JSONEntry("reason", .string("invalid_properties")),
      ])
    }
    return JSONValue.object([JSONEntry("rejected", .array(Array(entries)))]).canonicalBytes()
  }

  private func warnings(_ wire: WireRequest) -> [UInt8] {
    let ids = recorder.history.withBytes(wire.body) { Collector.identifiers(in: $0) }
    let entries = ids.map {
      JSONValue.object([
        JSONEntry("messageId", .string($0)), JSONEntry("warning", .string("unknown_property")),
      ])
    }
    return JSONValue.object([JSONEntry("warnings", .array(entries))]).canonicalBytes()
  }

  /// Marks what the collector answered.
  func mark(_ answer: HostAnswer) {
    switch answer.status {
    case 200..<300:
      if answer.status == 200, !answer.body.isEmpty, answer.body.last != 0x7d {
        reach(.unreadableAnswer)
      }
    case 300..<400: reach(.redirectAnswered)
    case 401: reach(.unauthorizedAnswered)
    case 413: reach(.batchTooLargeAnswered)
    case 429: reach(.tooManyRequestsAnswered)
    case 400..<500: reach(.fourXxAnswered)
    default: reach(.serverErrorAnswered)
    }
  }
}
