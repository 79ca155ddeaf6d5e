import FuzzHistory
import SimKernel

/// Facts of a history in words.
struct FactWords {
  typealias Told = (text: String, weight: Narration.Line.Weight)

  let history: History
  /// What is known of each request, by its number.
  private var requests = Lookup<UInt32, String>()
  /// Who has sent messages.
  private var senders = SenderWords()
  /// The boots of the device in the order met; people count them from 1.
  private var boots: [UInt64] = []
  /// The return that was told together with its call.
  private var toldReturn: UInt32?

  init(_ history: History) { self.history = history }

  /// Tells one record; nil when it adds nothing for a reader.
  /// - Parameter next: the record after it, so that a call and its return become one line.
  mutating func tell(_ record: Record, next: Record?) -> Told? {
    switch record.fact {
    case .callBegan(let call, _, let thread, _, _):
      return (began(call, thread: thread, next: next), .call)
    case .callReturned(let call, let hasValue, let value):
      if toldReturn == call || !hasValue { return nil }
      return ("…call \(call) returns \(short(value))", .call)
    case .portEnteredInCall(let call, let port):
      return ("! call \(call) enters the \(FactWords.spaced(port)) port before it returns", .call)
    case .collected(let deed, let exchange, _, let bytes):
      return (
        "the collector, of request \(exchange): \(FactWords.spaced(deed)), \(bytes.count) bytes",
        .wire
      )
    case .attributionTokenAsked: return ("the SDK asks for the token of the install", .device)
    case .attributionTokenTold(let token):
      return (
        "the device tells \(token.count == 0 ? "that there is no token" : "the token")", .device
      )
    case .identityAsked(let question):
      return ("the SDK asks for the \(FactWords.spaced(question))", .device)
    case .trackingChanged(let state):
      return ("the user's word on tracking: \(FactWords.spaced(state))", .device)
    case .deviceChanged(let model, let system, _):
      return ("the device is \(short(model)) with system \(short(system))", .device)
    case .firstQueueJobEnded:
      return ("the SDK has done its first work off the main thread", .device)
    case .disk(let operation, let outcome, let queue, _, let path, let target, _, let bytes):
      return (
        failedStep(operation, outcome, queue: queue, path: path, target: target, bytes: bytes),
        .disk
      )
    case .requestStarted, .requestArrived, .answered, .exchangeEnded, .exchangeCancelled:
      return wire(record.fact).map { ($0, .wire) }
    case .faultTookEffect(let fault, let detail):
      return (FactWords.fault(fault, detail), .fault)
    case .fileDamaged(let path, let damage):
      return ("* \(self.path(path)) is \(FactWords.spaced(damage)) behind the app's back", .fault)
    case .fileContent: return nil
    case .powerLost: return ("* the power is gone", .fault)
    case .fileLost(let path):
      return ("* of \(self.path(path)) what was not durable is lost", .fault)
    case .crashed, .crashHandlerRan, .crashHandlersInstalled, .portEnteredInHandler:
      return CrashWords.tell(record.fact, history).map { ($0, .device) }
    case .logged(_, let needsAttention, let text):
      // Only narrated runs keep the words of the log.
      if text.count == 0 { return nil }
      return ((needsAttention ? "log! " : "log: ") + history.text(text), .log)
    default:
      return device(record.fact).map { ($0, .device) }
    }
  }

  private static func fault(_ number: UInt8, _ detail: UInt32) -> String {
    guard let kind = FaultKind(rawValue: number) else { return "* fault \(number) strikes" }
    let entry = FaultCatalogue.entry(kind)
    let amount = detail == 0 ? "" : " (\(amount(detail, entry.unit)))"
    return "* fault \(entry.name) strikes" + amount
  }

  private static func amount(_ amount: UInt32, _ unit: FaultUnit) -> String {
    switch unit {
    case .none: "\(amount)"
    case .milliseconds: Figures.span(.milliseconds(Int64(amount)))
    case .seconds: Figures.span(.seconds(Int64(amount)))
    case .bytes, .messages, .fields, .partsPerMillion: "\(amount) \(spaced(unit))"
    }
  }

  /// A path from the SDK's folder on.
  func path(_ slice: ByteSlice) -> String {
    let text = history.text(slice)
    let folder = history.header.storageDirectory
    if text == folder { return "its folder" }
    return text.hasPrefix(folder + "/") ? String(text.dropFirst(folder.utf8.count + 1)) : text
  }

  /// What a step does, as the verb of a sentence about it.
  static func operation(_ operation: DiskOperation) -> String {
    switch operation {
    case .list: return "lists"
    case .size: return "asks the size of"
    case .read: return "reads"
    case .write: return "writes"
    case .append: return "appends to"
    case .overwrite: return "overwrites in"
    case .truncate: return "cuts"
    case .barrier: return "makes durable"
    case .rename: return "renames"
    case .remove: return "removes"
    case .createDirectory: return "creates"
    case .excludeFromBackup: return "excludes from backup"
    }
  }

  /// The words of a case name: `userSwipe` becomes `user swipe`.
  static func spaced(_ value: some Any) -> String {
    var text = ""
    for character in String(describing: value) {
      if character.isUppercase { text += " " }
      text += character.lowercased()
    }
    return text
  }

  private mutating func began(_ call: UInt32, thread: UInt16, next: Record?) -> String {
    var text = "calls \(CallWords.text(history.calls[Int(call)]))"
    if thread != 0 { text += " on thread \(thread)" }
    if case .callReturned(call, let hasValue, let value) = next?.fact {
      toldReturn = call
      if hasValue { text += " → \(short(value))" }
    }
    return text
  }

  private func failedStep(
    _ operation: DiskOperation, _ outcome: DiskOutcome, queue: UInt16, path: ByteSlice,
    target: ByteSlice, bytes: ByteSlice
  ) -> String {
    var text = "disk: \(FactWords.operation(operation)) \(self.path(path))"
    if target.count > 0 { text += " to \(self.path(target))" }
    text += outcome == .died ? ": the process dies in this step" : ": fails, "
    if outcome != .died { text += FactWords.spaced(outcome) }
    if bytes.count > 0 { text += " (\(bytes.count) bytes reached the file)" }
    return text + (queue == 0 ? ", on the main thread" : "")
  }

  private mutating func wire(_ fact: Fact) -> String? {
    switch fact {
    case .requestStarted(
      let exchange, let host, _, let isPost, let url, _, let body, _, _, let wall, _):
      let what = RequestWords.text(
        isPost: isPost, url: history.text(url), body: history.bytes(body),
        clock: DeviceTime.text(wall), senders: &senders)
      requests[exchange] = FactWords.spaced(host)
      return "→ request \(exchange): \(what)"
    case .requestArrived(let exchange, let copy):
      return "  request \(exchange) reaches the \(requests[exchange] ?? "server")"
        + (copy > 0 ? " a second time" : "")
    case .answered(let exchange, let copy, let status, let headers, let body):
      return "  the \(requests[exchange] ?? "server") answers \(status) to request \(exchange)"
        + (copy > 0 ? " (second copy)" : "")
        + RequestWords.answer(headers: history.text(headers), body: history.bytes(body))
    case .exchangeEnded(let exchange, .answer, let status, _, _):
      return "← request \(exchange) ends with \(status)"
    case .exchangeEnded(let exchange, let end, _, _, _):
      return "← request \(exchange) fails: \(FactWords.spaced(end))"
    case .exchangeCancelled(let exchange): return "← request \(exchange) is cancelled by the SDK"
    default: return nil
    }
  }

  private mutating func ordinal(ofBoot boot: UInt64) -> Int {
    if let place = boots.firstIndex(of: boot) { return place + 1 }
    boots.append(boot)
    return boots.count
  }

  private mutating func device(_ fact: Fact) -> String? {
    switch fact {
    case .launched(let kind, let boot, let install, let version, let build):
      return "── launched (\(FactWords.spaced(kind))), \(history.header.device.appName) "
        + "\(history.text(version)) (\(history.text(build))), boot \(ordinal(ofBoot: boot)), "
        + "install \(install + 1)"
    case .ended(let cause): return "── the process ends: \(FactWords.spaced(cause))"
    case .phase(let phase): return "the app is \(FactWords.spaced(phase))"
    case .wallClockSet(let before, let after):
      let step = TimeSpan(nanoseconds: after &- before)
      return "* the wall clock is set from \(DeviceTime.text(before)) to "
        + "\(DeviceTime.text(after)) (\(step.nanoseconds < 0 ? "" : "+")\(Figures.span(step)))"
    case .linkChanged(let link): return "the network is \(FactWords.spaced(link)) now"
    case .lockChanged(let isLocked): return "the screen is \(isLocked ? "locked" : "unlocked")"
    case .protectedDataAvailable(let isAvailable):
      return "protected data can \(isAvailable ? "" : "not ")be read from now on"
    case .rebooted(let boot):
      return "══ the device is on again, boot \(ordinal(ofBoot: boot)), not unlocked yet"
    case .installed(let kind): return "── another copy of the app: \(FactWords.spaced(kind))"
    case .storageLock(let event): return "lock of the shared container: \(FactWords.spaced(event))"
    case .mainThread(true, let stack):
      let top = history.text(stack).split(separator: "\n").first ?? ""
      return "* the main thread is blocked in \(CallWords.quoted(String(top)))"
    case .mainThread(false, _): return "the main thread is free again"
    case .debugger(let isAttached): return "a debugger is \(isAttached ? "attached" : "taken away")"
    case .stackSampled: return "the SDK looks at the stack of the main thread"
    case .localeChanged(let locale, let zone):
      return "locale \(history.text(locale)), zone \(history.text(zone)) from now on"
    case .screenResized(let size):
      return "the screen is now \(size.width) × \(size.height) points"
    case .backgroundTaskBegan(let task): return "background task \(task) begins"
    case .backgroundTaskEnded(let task): return "background task \(task) ends"
    case .backgroundTaskExpired(let task): return "* background task \(task) is told to end"
    case .controllerAppeared(let controller, _, _):
      let value = (try? JSONValue.parse(history.bytes(controller))).flatMap { ViewController($0) }
      return "on screen: \(value.map(FactWords.controller) ?? "a controller")"
    case .appearancesHooked: return "the SDK hooks the appearance of controllers"
    case .calmBegan: return "══ the calm begins: no faults from here on"
    case .calmEnded(let pending):
      return pending.count == 0
        ? "══ the calm ends, nothing is pending"
        : "══ the calm ends, still pending: \(history.text(pending))"
    default: return nil
    }
  }

  private static func controller(_ value: ViewController) -> String {
    var text = value.classes.first?.name ?? "a controller of no class"
    if let title = value.title { text += " \(CallWords.quoted(title))" }
    if let parent = value.parents.first?.first { text += " in a \(parent.name)" }
    return text
  }

  private func short(_ slice: ByteSlice) -> String { CallWords.quoted(history.text(slice)) }
}
