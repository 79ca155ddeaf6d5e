import FuzzHistory
import SimKernel

/// What became of the attribution of an install.
enum AttributionOutcome: Hashable {
  case nothing
  /// The body of Apple's answer.
  case answer(ByteSlice)
}

/// The attribution of the install while a `$first_open` waits for it.
struct AttributionWait {
  /// Which of the process's questions for a token was for this one; 0 is none.
  var question = 0
  var hasToken = false
  /// It came long before the end of the wait.
  var isTimely = false
  /// Requests with the token so far.
  var requests = 0
  /// The newest of them, or -1.
  var exchange: Int64 = -1

  /// The first system with tokens is 14.3 (OPT-16).
  static func isOffered(bySystem version: String) -> Bool {
    let parts = version.split(separator: ".").map { Int($0) ?? -1 }
    guard let major = parts.first else { return false }
    return major > 14 || major == 14 && parts.count > 1 && parts[1] >= 3
  }
}

/// `context.install` by the requirements (ATT).
extension ReferenceModel {
  /// Requests with one token: the first and three more after a 404 (ATT-06).
  static let mostAttributionRequests = 4

  func noteTokenAsked(_ record: Record, _ context: JudgeContext) {
    let index = Int(record.process)
    guard index >= 0, index < processes.count else { return }
    let question = processes[index].lifecycle.asked + 1
    processes[index].lifecycle.asked = question
    processes[index].lifecycle.due?.attribution.question = question
  }

  func takeToken(_ token: ByteSlice, _ record: Record, _ context: JudgeContext) {
    let index = Int(record.process)
    guard index >= 0, index < processes.count else { return }
    processes[index].lifecycle.told += 1
    // One that an earlier wait asked for does not count (S-48, S-49).
    guard let due = processes[index].lifecycle.due,
      due.attribution.question == processes[index].lifecycle.told
    else { return }
    if token.count == 0 {
      conclude(.nothing, index, record, context)
    } else {
      let waited = context.continuousNow(record) - due.sinceContinuous
      processes[index].lifecycle.due?.attribution.hasToken = true
      processes[index].lifecycle.due?.attribution.isTimely =
        waited < ReferenceModel.patience - slack * 2
    }
  }

  func noteAttributionRequest(_ exchange: UInt32, _ record: Record, _ context: JudgeContext) {
    let index = Int(record.process)
    guard index >= 0, index < processes.count else { return }
    processes[index].lifecycle.due?.attribution.exchange = Int64(exchange)
    processes[index].lifecycle.due?.attribution.requests += 1
  }

  /// A 404 is asked again; everything else is the end of it (ATT-06, ATT-07).
  func takeAttributionEnd(_ exchange: UInt32, _ record: Record, _ context: JudgeContext) {
    let index = Int(record.process)
    guard index >= 0, index < processes.count, let due = processes[index].lifecycle.due,
      due.attribution.exchange == Int64(exchange)
    else { return }
    guard let answer = context.ledger[exchange].received else {
      return conclude(.nothing, index, record, context)
    }
    if answer.status == 404, due.attribution.requests < ReferenceModel.mostAttributionRequests {
      return
    }
    let isAnswer = (200..<300).contains(answer.status)
    conclude(isAnswer ? .answer(answer.body) : .nothing, index, record, context)
  }

  func conclude(
    _ outcome: AttributionOutcome, _ index: Int, _ record: Record, _ context: JudgeContext
  ) {
    guard processes[index].lifecycle.due != nil, processes[index].lifecycle.due?.told == nil else {
      return
    }
    processes[index].lifecycle.due?.told = outcome
    processes[index].lifecycle.due?.toldInstant = record.instant
    processes[index].lifecycle.due?.toldContinuous = context.continuousNow(record)
    processes[index].lifecycle.due?.toldRunning = running(Int32(index), record, context)
  }

  /// The answer that a `$first_open` has to tell. Around the end of its wait the world's delays
  /// leave open whether the answer was in time.
  func answer(
    _ due: DueOpen, of bytes: UnsafeRawBufferPointer, _ hasWaited: Bool
  ) -> ByteSlice? {
    guard case .answer(let body)? = due.told else { return nil }
    let waited = due.toldContinuous - due.sinceContinuous
    if waited >= ReferenceModel.patience + slack { return nil }
    if waited >= ReferenceModel.patience - slack, InstallMember.attribution(of: bytes) == nil {
      return nil
    }
    return body
  }

  /// Whether nobody asked where the install came from, or nobody sent the token on (ATT-04). While
  /// the record of the install cannot be read, it may have been asked before.
  func isUnasked(_ due: DueOpen) -> Bool {
    let process = Int(queueProcess)
    if due.told != nil || due.isOptional || processes[process].installIsUncertain { return false }
    return due.attribution.question == 0
      || due.attribution.hasToken && due.attribution.requests == 0 && due.attribution.isTimely
  }

  /// Writes `context.install` with its name and a trailing comma.
  func writeInstall(_ answer: ByteSlice?) {
    buffer.add("\"install\":{")
    let members = answer.map { AppleAnswer.documented(arena.slice($0)) } ?? []
    if !members.isEmpty {
      buffer.add("\"appleSearchAds\":{")
      for (place, member) in members.enumerated() {
        if place > 0 { buffer.bytes.append(0x2c) }
        buffer.add(member.key)
        if let text = member.text {
          buffer.addString(text)
        } else {
          buffer.add(member.value)
        }
      }
      buffer.bytes.append(0x7d)
    }
    let installer: StaticString?
    switch history.header.distribution {
    case .appStore: installer = "\"installer\":\"app_store\""
    case .testFlight, .development: installer = "\"installer\":\"testflight\""
    case .simulator: installer = nil
    }
    if let installer {
      if !members.isEmpty { buffer.bytes.append(0x2c) }
      buffer.add(installer)
    }
    buffer.add("},")
  }
}

/// Apple's answer to a token.
enum AppleAnswer {
  struct Member {
    var name: StaticString?
    /// With quotes and the colon.
    var key: StaticString
    /// The bytes of the value as they stand in the answer.
    var value: [UInt8]

    /// The value of a string, whose escapes are the writer's own.
    var text: String? { (try? JSONValue.parse(value))?.string }
  }

  /// More than this of an answer is not taken over.
  static let mostBytes = 4_096

  /// The documented keys in the order in which they are sent (ATT-05).
  private static let keys: [(name: StaticString, written: StaticString)] = [
    ("adGroupId", "\"adGroupId\":"), ("adId", "\"adId\":"),
    ("attribution", "\"attribution\":"), ("campaignId", "\"campaignId\":"),
    ("claimType", "\"claimType\":"), ("clickDate", "\"clickDate\":"),
    ("conversionType", "\"conversionType\":"), ("countryOrRegion", "\"countryOrRegion\":"),
    ("keywordId", "\"keywordId\":"), ("orgId", "\"orgId\":"),
  ]

  /// The documented members of an answer; none if it is no JSON object.
  static func documented(_ body: UnsafeRawBufferPointer) -> [Member] {
    guard let value = try? JSONValue.parse(body), value.object != nil else { return [] }
    let scan = JSONScan(bytes: body)
    let start = scan.skipSpace(0, body.count)
    var members: [Member] = []
    var byteCount = 1
    for key in keys {
      guard let range = scan.member(key.name, of: start..<body.count) else { continue }
      members.append(Member(name: key.name, key: key.written, value: Array(body[range])))
      byteCount += key.written.utf8CodeUnitCount + range.count + 1
    }
    return byteCount > mostBytes ? [] : members
  }
}

/// `context.install` of a message.
enum InstallMember {
  /// The range of `appleSearchAds` in a message; nil where it has none.
  static func attribution(of bytes: UnsafeRawBufferPointer) -> Range<Int>? {
    let fields = MessageScan.fields(of: 0..<bytes.count, in: bytes)
    let scan = JSONScan(bytes: bytes)
    let start = Int(fields.context.offset)
    guard let install = scan.member("install", of: start..<start + Int(fields.context.count))
    else { return nil }
    return scan.member("appleSearchAds", of: install)
  }
}
