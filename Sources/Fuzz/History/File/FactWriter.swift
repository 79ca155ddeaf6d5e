/// A fact as the fields of a line, `fact` first.
struct FactWriter {
  let history: History

  func entries(_ fact: Fact) -> [JSONEntry] {
    [JSONEntry("fact", .word(fact.kind))] + (happening(fact) ?? observation(fact))
  }

  /// What device, app and run did; nil for what was observed of the SDK.
  private func happening(_ fact: Fact) -> [JSONEntry]? {
    switch fact {
    case .launched(let kind, let boot, let install, let version, let build):
      return [
        JSONEntry("kind", .word(kind)), JSONEntry("boot", .of(boot)),
        JSONEntry("install", .of(UInt64(install))), JSONEntry("version", bytes(version)),
        JSONEntry("build", bytes(build)),
      ]
    case .ended(let cause): return [JSONEntry("cause", .word(cause))]
    case .phase(let phase): return [JSONEntry("phase", .word(phase))]
    case .wallClockSet(let before, let after):
      return [JSONEntry("before", .int(before)), JSONEntry("after", .int(after))]
    case .linkChanged(let link): return [JSONEntry("link", .word(link))]
    case .localeChanged(let locale, let zone):
      return [JSONEntry("locale", bytes(locale)), JSONEntry("zone", bytes(zone))]
    case .screenResized(let size):
      return [JSONEntry("width", number(size.width)), JSONEntry("height", number(size.height))]
    case .faultTookEffect(let fault, let detail):
      return [JSONEntry("fault", number(fault)), JSONEntry("detail", number(detail))]
    case .fileDamaged(let path, let damage):
      return [JSONEntry("path", bytes(path)), JSONEntry("damage", .word(damage))]
    case .fileContent(let path, let content):
      return [JSONEntry("path", bytes(path)), JSONEntry("bytes", bytes(content))]
    case .lockChanged(let isLocked): return [JSONEntry("isLocked", .bool(isLocked))]
    case .protectedDataAvailable(let isAvailable):
      return [JSONEntry("isAvailable", .bool(isAvailable))]
    case .rebooted(let boot): return [JSONEntry("boot", .of(boot))]
    case .fileLost(let path): return [JSONEntry("path", bytes(path))]
    case .installed(let kind): return [JSONEntry("kind", .word(kind))]
    case .storageLock(let event): return [JSONEntry("event", .word(event))]
    case .controllerAppeared(let controller, let action, let continuous):
      return [
        JSONEntry("controller", bytes(controller)), JSONEntry("action", number(action)),
        JSONEntry("continuous", .int(continuous)),
      ]
    case .crashed(
      let kind, let thread, let threadName, let name, let reason, let frames, let isStackOverflow,
      let continuous):
      return [
        JSONEntry("kind", .word(kind)), JSONEntry("thread", number(thread)),
        JSONEntry("threadName", bytes(threadName)), JSONEntry("name", bytes(name)),
        JSONEntry("reason", bytes(reason)), JSONEntry("frames", bytes(frames)),
        JSONEntry("isStackOverflow", .bool(isStackOverflow)),
        JSONEntry("continuous", .int(continuous)),
      ]
    case .crashHandlerRan(let reporter, let isSignal):
      return [JSONEntry("reporter", .word(reporter)), JSONEntry("isSignal", .bool(isSignal))]
    case .portEnteredInHandler(let port): return [JSONEntry("port", .word(port))]
    case .mainThread(let isBlocked, let stack):
      return [JSONEntry("isBlocked", .bool(isBlocked)), JSONEntry("stack", bytes(stack))]
    case .debugger(let isAttached): return [JSONEntry("isAttached", .bool(isAttached))]
    case .firstQueueJobEnded, .calmBegan, .powerLost, .appearancesHooked, .stackSampled,
      .crashHandlersInstalled, .attributionTokenAsked:
      return []
    case .attributionTokenTold(let token): return [JSONEntry("token", bytes(token))]
    case .identityAsked(let question): return [JSONEntry("question", .word(question))]
    case .trackingChanged(let state): return [JSONEntry("state", .word(state))]
    case .deviceChanged(let model, let system, let advertisingId):
      return [
        JSONEntry("model", bytes(model)), JSONEntry("systemVersion", bytes(system)),
        JSONEntry("advertisingId", bytes(advertisingId)),
      ]
    case .calmEnded(let pending): return [JSONEntry("pending", bytes(pending))]
    case .backgroundTaskBegan(let task), .backgroundTaskEnded(let task),
      .backgroundTaskExpired(let task):
      return [JSONEntry("task", number(task))]
    default: return nil
    }
  }

  private func observation(_ fact: Fact) -> [JSONEntry] {
    switch fact {
    case .callBegan(let call, let action, let thread, let wall, let continuous):
      return [
        JSONEntry("call", number(call)), JSONEntry("action", number(action)),
        JSONEntry("thread", number(thread)), JSONEntry("wall", .int(wall)),
        JSONEntry("continuous", .int(continuous)),
      ]
    case .callReturned(let call, let hasValue, let value):
      return [JSONEntry("call", number(call)), JSONEntry("value", hasValue ? bytes(value) : .null)]
    case .portEnteredInCall(let call, let port):
      return [JSONEntry("call", number(call)), JSONEntry("port", .word(port))]
    case .disk(
      let operation, let outcome, let queue, let step, let path, let target, let offset,
      let content):
      return [
        JSONEntry("operation", .word(operation)), JSONEntry("outcome", .word(outcome)),
        JSONEntry("queue", number(queue)), JSONEntry("step", number(step)),
        JSONEntry("path", bytes(path)), JSONEntry("target", bytes(target)),
        JSONEntry("offset", number(offset)), JSONEntry("bytes", bytes(content)),
      ]
    case .logged(let code, let needsAttention, let text):
      return [
        JSONEntry("code", number(code)), JSONEntry("needsAttention", .bool(needsAttention)),
        JSONEntry("text", bytes(text)),
      ]
    default: return wire(fact)
    }
  }

  private func wire(_ fact: Fact) -> [JSONEntry] {
    switch fact {
    case .requestStarted(
      let exchange, let host, let attempt, let isPost, let url, let headers,
      let body, let idle, let total, let wall, let continuous):
      return [
        JSONEntry("exchange", number(exchange)), JSONEntry("host", .word(host)),
        JSONEntry("attempt", number(attempt)), JSONEntry("isPost", .bool(isPost)),
        JSONEntry("url", bytes(url)), JSONEntry("headers", bytes(headers)),
        JSONEntry("body", bytes(body)), JSONEntry("idleTimeoutMilliseconds", number(idle)),
        JSONEntry("totalTimeoutMilliseconds", number(total)), JSONEntry("wall", .int(wall)),
        JSONEntry("continuous", .int(continuous)),
      ]
    case .requestArrived(let exchange, let copy):
      return [JSONEntry("exchange", number(exchange)), JSONEntry("copy", number(copy))]
    case .answered(let exchange, let copy, let status, let headers, let body):
      return [
        JSONEntry("exchange", number(exchange)), JSONEntry("copy", number(copy)),
        JSONEntry("status", number(status)), JSONEntry("headers", bytes(headers)),
        JSONEntry("body", bytes(body)),
      ]
    case .exchangeEnded(let exchange, let end, let status, let headers, let body):
      return [
        JSONEntry("exchange", number(exchange)), JSONEntry("end", .word(end)),
        JSONEntry("status", number(status)), JSONEntry("headers", bytes(headers)),
        JSONEntry("body", bytes(body)),
      ]
    case .exchangeCancelled(let exchange): return [JSONEntry("exchange", number(exchange))]
    case .collected(let deed, let exchange, let place, let content):
      return [
        JSONEntry("deed", .word(deed)), JSONEntry("exchange", number(exchange)),
        JSONEntry("place", number(place)), JSONEntry("bytes", bytes(content)),
      ]
    default: preconditionFailure("a kind of fact has no fields in the history file")
    }
  }

  private func number(_ value: some UnsignedInteger) -> JSONValue { .of(UInt64(value)) }

  /// Text where the bytes are text, else base64.
  private func bytes(_ slice: ByteSlice) -> JSONValue {
    let isText = history.withBytes(slice) { JSONReader.isUTF8($0) }
    if isText { return .string(history.text(slice)) }
    return .object([JSONEntry("base64", .string(Base64.text(history.bytes(slice))))])
  }
}
