import SimKernel

/// Reads the lines of records into a history.
struct FactReader {
  let history: History
  private var calls: [HostCall?] = []

  init(history: History) { self.history = history }

  /// Reads a line that is a record, or only a host call that no record mentions.
  mutating func read(_ fields: Fields) throws(HistoryFileError) {
    if !fields.has("fact") {
      try readCall(fields)
      return
    }
    let kind = try fields.word("fact", as: FactKind.self)
    if kind == .callBegan && fields.has("host") { try readCall(fields) }
    let process = try fields.int64("process")
    guard let process = Int32(exactly: process) else { throw fields.wrong("process") }
    history.append(
      try fact(kind, fields), at: Instant(nanoseconds: try fields.int64("at")), process: process)
  }

  /// Hands the calls over, once all lines are read.
  func finish(line: Int) throws(HistoryFileError) {
    for (index, call) in calls.enumerated() {
      guard let call else {
        throw .damaged(line: line, what: "host call \(index) stands on no line before it")
      }
      _ = history.add(call)
    }
  }

  private mutating func readCall(_ fields: Fields) throws(HistoryFileError) {
    let index: UInt32 = try fields.unsigned("call")
    // A bound that no real run reaches keeps a damaged number from asking for all memory.
    guard index < 10_000_000 else { throw fields.wrong("call") }
    guard let json = fields.value["host"] else { throw fields.wrong("host") }
    while calls.count <= Int(index) { calls.append(nil) }
    calls[Int(index)] = try HostCallReader(line: fields.line).call(json)
  }

  private func fact(_ kind: FactKind, _ fields: Fields) throws(HistoryFileError) -> Fact {
    switch kind {
    case .launched:
      return .launched(
        kind: try fields.word("kind"), boot: try fields.unsigned("boot"),
        install: try fields.unsigned("install"), version: try bytes("version", fields),
        build: try bytes("build", fields))
    case .ended: return .ended(try fields.word("cause"))
    case .phase: return .phase(try fields.word("phase"))
    case .wallClockSet:
      return .wallClockSet(before: try fields.int64("before"), after: try fields.int64("after"))
    case .linkChanged: return .linkChanged(try fields.word("link"))
    case .localeChanged:
      return .localeChanged(locale: try bytes("locale", fields), zone: try bytes("zone", fields))
    case .screenResized:
      return .screenResized(
        ScreenSize(width: try fields.unsigned("width"), height: try fields.unsigned("height")))
    case .faultTookEffect:
      return .faultTookEffect(
        fault: try fields.unsigned("fault"), detail: try fields.unsigned("detail"))
    case .fileDamaged:
      return .fileDamaged(path: try bytes("path", fields), try fields.word("damage"))
    case .fileContent:
      return .fileContent(path: try bytes("path", fields), bytes: try bytes("bytes", fields))
    case .lockChanged: return .lockChanged(isLocked: try fields.bool("isLocked"))
    case .protectedDataAvailable: return .protectedDataAvailable(try fields.bool("isAvailable"))
    case .rebooted: return .rebooted(boot: try fields.unsigned("boot"))
    case .powerLost: return .powerLost
    case .fileLost: return .fileLost(path: try bytes("path", fields))
    case .installed: return .installed(try fields.word("kind"))
    case .storageLock: return .storageLock(try fields.word("event"))
    case .controllerAppeared:
      return .controllerAppeared(
        controller: try bytes("controller", fields), action: try fields.unsigned("action"),
        continuous: try fields.int64("continuous"))
    case .appearancesHooked: return .appearancesHooked
    case .mainThread:
      return .mainThread(
        isBlocked: try fields.bool("isBlocked"), stack: try bytes("stack", fields))
    case .debugger: return .debugger(isAttached: try fields.bool("isAttached"))
    case .stackSampled: return .stackSampled
    case .firstQueueJobEnded: return .firstQueueJobEnded
    case .attributionTokenAsked: return .attributionTokenAsked
    case .attributionTokenTold:
      return .attributionTokenTold(token: try bytes("token", fields))
    case .identityAsked: return .identityAsked(try fields.word("question"))
    case .trackingChanged: return .trackingChanged(try fields.word("state"))
    case .deviceChanged:
      return .deviceChanged(
        model: try bytes("model", fields), systemVersion: try bytes("systemVersion", fields),
        advertisingId: try bytes("advertisingId", fields))
    case .calmBegan: return .calmBegan
    case .calmEnded: return .calmEnded(pending: try bytes("pending", fields))
    case .backgroundTaskBegan: return .backgroundTaskBegan(task: try fields.unsigned("task"))
    case .backgroundTaskEnded: return .backgroundTaskEnded(task: try fields.unsigned("task"))
    case .backgroundTaskExpired: return .backgroundTaskExpired(task: try fields.unsigned("task"))
    case .crashed, .crashHandlerRan, .crashHandlersInstalled, .portEnteredInHandler:
      return try crash(kind, fields)
    case .callBegan, .callReturned, .portEnteredInCall, .disk, .logged:
      return try observation(kind, fields)
    case .requestStarted, .requestArrived, .answered, .exchangeEnded, .exchangeCancelled,
      .collected:
      return try wire(kind, fields)
    }
  }

  private func crash(_ kind: FactKind, _ fields: Fields) throws(HistoryFileError) -> Fact {
    switch kind {
    case .crashed:
      return .crashed(
        kind: try fields.word("kind"), thread: try fields.unsigned("thread"),
        threadName: try bytes("threadName", fields), name: try bytes("name", fields),
        reason: try bytes("reason", fields), frames: try bytes("frames", fields),
        isStackOverflow: try fields.bool("isStackOverflow"),
        continuous: try fields.int64("continuous"))
    case .crashHandlerRan:
      return .crashHandlerRan(
        try fields.word("reporter"), isSignal: try fields.bool("isSignal"))
    case .crashHandlersInstalled: return .crashHandlersInstalled
    default: return .portEnteredInHandler(try fields.word("port"))
    }
  }

  private func observation(_ kind: FactKind, _ fields: Fields) throws(HistoryFileError) -> Fact {
    switch kind {
    case .callBegan:
      return .callBegan(
        call: try fields.unsigned("call"), action: try fields.unsigned("action"),
        thread: try fields.unsigned("thread"), wall: try fields.int64("wall"),
        continuous: try fields.int64("continuous"))
    case .callReturned:
      let hasValue = fields.value["value"] != .null
      return .callReturned(
        call: try fields.unsigned("call"), hasValue: hasValue,
        value: hasValue ? try bytes("value", fields) : .empty)
    case .portEnteredInCall:
      return .portEnteredInCall(call: try fields.unsigned("call"), port: try fields.word("port"))
    case .disk:
      return .disk(
        try fields.word("operation"), outcome: try fields.word("outcome"),
        queue: try fields.unsigned("queue"), step: try fields.unsigned("step"),
        path: try bytes("path", fields), target: try bytes("target", fields),
        offset: try fields.unsigned("offset"), bytes: try bytes("bytes", fields))
    default:
      return .logged(
        code: try fields.unsigned("code"), needsAttention: try fields.bool("needsAttention"),
        text: try bytes("text", fields))
    }
  }

  private func wire(_ kind: FactKind, _ fields: Fields) throws(HistoryFileError) -> Fact {
    let exchange: UInt32 = try fields.unsigned("exchange")
    switch kind {
    case .requestStarted:
      return .requestStarted(
        exchange: exchange, host: try fields.word("host"),
        attempt: try fields.unsigned("attempt"), isPost: try fields.bool("isPost"),
        url: try bytes("url", fields), headers: try bytes("headers", fields),
        body: try bytes("body", fields),
        idleTimeoutMilliseconds: try fields.unsigned("idleTimeoutMilliseconds"),
        totalTimeoutMilliseconds: try fields.unsigned("totalTimeoutMilliseconds"),
        wall: try fields.int64("wall"), continuous: try fields.int64("continuous"))
    case .requestArrived:
      return .requestArrived(exchange: exchange, copy: try fields.unsigned("copy"))
    case .answered:
      return .answered(
        exchange: exchange, copy: try fields.unsigned("copy"),
        status: try fields.unsigned("status"), headers: try bytes("headers", fields),
        body: try bytes("body", fields))
    case .exchangeEnded:
      return .exchangeEnded(
        exchange: exchange, end: try fields.word("end"), status: try fields.unsigned("status"),
        headers: try bytes("headers", fields), body: try bytes("body", fields))
    case .collected:
      return .collected(
        try fields.word("deed"), exchange: exchange, place: try fields.unsigned("place"),
        bytes: try bytes("bytes", fields))
    default: return .exchangeCancelled(exchange: exchange)
    }
  }

  private func bytes(_ key: String, _ fields: Fields) throws(HistoryFileError) -> ByteSlice {
    history.store(try fields.bytes(key))
  }
}
