import FuzzHistory
import SimKernel

/// The attribution of an install is asked for as documented, once, and its token stays with Apple.
public final class INV47: Invariant {
  static let info = InvariantInfo(
    id: "INV-47",
    statement:
      "The attribution token never reaches the collector; per install at most one resolved"
      + " attribution, at most four requests 5 s apart each try.",
    kind: .safety,
    requirements: [
      "ATT-01", "ATT-02", "ATT-03", "ATT-04", "ATT-05", "ATT-06", "ATT-07", "ATT-08", "ATT-09",
      "ATT-10", "OPT-16",
    ],
    antecedent: "The token of the install is asked for, or a request with it starts.")

  /// The request before, while the same wait goes on, or -1.
  private var previous: Int64 = -1
  private static let pause: Int64 = 5_000_000_000

  public init() {
    super.init(
      INV47.info, on: [.launched, .requestStarted, .disk, .attributionTokenAsked])
  }

  public override func judge(_ record: Record, _ context: JudgeContext) {
    switch record.fact {
    case .launched: previous = -1
    case .attributionTokenAsked: judgeQuestion(record, context)
    case .requestStarted(let number, let host, _, _, _, _, _, _, _, _, _):
      if host == .attribution { judgeRequest(number, record, context) }
      judgeLeaks(isAttribution: host == .attribution, record, context)
      if host == .collector {
        judgeValues(record, context)
        judgeAsked(record, context)
      }
    case .disk: judgeLeaks(isAttribution: false, record, context)
    default: break
    }
  }

  private func judgeLeaks(isAttribution: Bool, _ record: Record, _ context: JudgeContext) {
    for leak in context.leaks.found where leak.canary.kind == .token {
      if isAttribution, leak.place == .body { continue }
      report(
        leak.place == .file ? "the token is on disk" : "the token is sent elsewhere",
        at: record, context,
        "The token of the install stands in a \(leak.place == .file ? "file" : "request") that is not"
          + " for Apple's attribution API.")
    }
  }

  private func judgeQuestion(_ record: Record, _ context: JudgeContext) {
    antecedent()
    previous = -1
    let wait = context.model.attributionWait(record.process)
    guard let wait else {
      return report(
        "the token is asked for although nothing waits for it", at: record, context,
        "Process \(record.process) asks for the token of the install while no $first_open is due:"
          + " without analytics consent, or a second time.")
    }
    if wait.isAllowed { return }
    report(
      "the token is asked for although that is off", at: record, context,
      "Process \(record.process) asks for the token of the install with the option off, or on a system"
        + " before 14.3.")
  }

  private func judgeRequest(_ number: UInt32, _ record: Record, _ context: JudgeContext) {
    antecedent()
    defer { previous = Int64(number) }
    let exchange = context.ledger[number]
    if !isToken(context.bytes(exchange.body), context) {
      report(
        "an attribution request carries something else than the token", at: record, context,
        "The body of request \(number) is not the token that the device told.")
    }
    let type = HeaderLines.value(of: "content-type", in: context.bytes(exchange.headers))
    if !(type?.elementsEqual("text/plain".utf8) ?? false) {
      report(
        "the token is not sent as plain text", at: record, context,
        "Request \(number) does not say that its body is text/plain.")
    }
    guard let wait = context.model.attributionWait(record.process), !wait.isOver else {
      return report(
        "an attribution request that nothing waits for", at: record, context,
        "Request \(number) asks for the attribution while no $first_open waits for it.")
    }
    if wait.requests > ReferenceModel.mostAttributionRequests {
      report(
        "more than four attribution requests", at: record, context,
        "Request \(number) is number \(wait.requests) of one try.")
    }
    if wait.requests > 1 { judgePause(number, record, context) }
  }

  /// Only a 404 is followed by another request, 5 s later (ATT-06, ATT-07).
  private func judgePause(_ number: UInt32, _ record: Record, _ context: JudgeContext) {
    guard previous >= 0 else { return }
    let before = context.ledger[UInt32(previous)]
    guard let answer = before.received, answer.status == 404, let end = before.endInstant else {
      return report(
        "an attribution request again after no 404", at: record, context,
        "Request \(number) asks again although request \(previous) was not answered 404.")
    }
    let pause = (record.instant - end).nanoseconds
    if pause < INV47.pause {
      report(
        "attribution requests too close", at: record, context,
        "Request \(number) starts \(pause / 1_000_000) ms after the 404 to the one before; 5 s are"
          + " asked for.")
    } else if runningPause(since: end, record, context) > INV47.pause + context.model.slack * 2 {
      report(
        "attribution requests too far apart", at: record, context,
        "Request \(number) starts \(pause / 1_000_000) ms after the 404 to the one before; 5 s are"
          + " asked for.")
    }
  }

  private func runningPause(
    since end: Instant, _ record: Record, _ context: JudgeContext
  ) -> Int64 {
    let state = context.processes[record.process]
    // A suspension in between holds timers back.
    if let entry = state.lastBackgroundEntry, entry > end { return 0 }
    if let entry = state.lastForegroundEntry, entry > end { return 0 }
    if state.slowSteps > 0 || !state.isForeground { return 0 }
    return (record.instant - end).nanoseconds
  }

  private func isToken(_ body: UnsafeRawBufferPointer, _ context: JudgeContext) -> Bool {
    context.header.canaries.contains { $0.kind == .token && body.elementsEqual($0.text.utf8) }
  }

  private func judgeAsked(_ record: Record, _ context: JudgeContext) {
    for sighting in context.model.sightings where sighting.isFirst && sighting.expected >= 0 {
      guard context.model.faults(ofFirstOpen: sighting.expected).contains(.unasked) else {
        continue
      }
      report(
        "nobody asked where the install came from", at: record, context,
        "The $first_open of process \(context.model.messages[Int(sighting.expected)].process) went"
          + " without a question to Apple, although option and system allow it.")
    }
  }

  /// Values are as Apple gave them, numbers in their own form (ATT-05).
  private func judgeValues(_ record: Record, _ context: JudgeContext) {
    for sighting in context.model.sightings where sighting.isNewContent && sighting.expected >= 0 {
      guard case .firstOpen(let answer?) = context.model.messages[Int(sighting.expected)].cause
      else { continue }
      let message = context.bytes(context.ledger.messages[sighting.wire].bytes)
      guard let part = InstallMember.attribution(of: message) else { continue }
      let scan = JSONScan(bytes: message)
      for member in AppleAnswer.documented(context.bytes(answer)) where member.isPlain {
        let value = member.name.flatMap { scan.member($0, of: part) }
        if let value, message[value].elementsEqual(member.value) { continue }
        report(
          "a value of Apple's answer is written anew", at: record, context,
          "\(member.key)\(String(decoding: member.value, as: UTF8.self)) of Apple's answer is not in the"
            + " message as it was given.")
      }
    }
  }
}

extension ReferenceModel {
  /// How far the attribution of a process has come; nil while no `$first_open` is due.
  func attributionWait(
    _ process: Int32
  ) -> (isAllowed: Bool, isOver: Bool, requests: Int)? {
    let index = Int(process)
    guard index >= 0, index < processes.count, let due = processes[index].lifecycle.due else {
      return nil
    }
    let isAllowed =
      processes[index].options.collectsAppleSearchAds && processes[index].hasAttribution
    return (isAllowed, due.told != nil, due.attribution.requests)
  }
}

extension AppleAnswer.Member {
  /// A number, true, false or null: written in one way only.
  var isPlain: Bool { value.first.map { $0 != 0x22 && $0 != 0x7b && $0 != 0x5b } ?? false }
}
