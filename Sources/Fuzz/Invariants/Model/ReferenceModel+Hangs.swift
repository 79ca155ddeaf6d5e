import FuzzHistory
import SimKernel

/// A span in which code of the app blocked the main thread, and what of it counts as a hang.
public struct Stall: Sendable {
  public var process: Int32
  public var began: Instant
  /// The longest part without a break in which hangs were watched for: in the foreground, without a
  /// debugger, allowed by option, panel and user (HNG-01, HNG-04 to HNG-06).
  public var longest: TimeSpan = .zero
  /// The same, if breaks are passed over that fit between two looks (S-62).
  public var longestSeen: TimeSpan = .zero
  /// The world has held a queue back on purpose meanwhile: looks may have come late.
  public var wasHeldBack = false
  /// How often the SDK has looked at the stack.
  public var samples = 0

  var stack: ByteSlice
  var slowSteps: Int64
  /// It has counted since the process started.
  var sawStart = false
  /// Since when it counts without a break; nil while it does not.
  var countsSince: Instant?
  private var seenSince: Instant?
  private var brokenAt: Instant?

  init(process: Int32, began: Instant, stack: ByteSlice, slowSteps: Int64) {
    self.process = process
    self.began = began
    self.stack = stack
    self.slowSteps = slowSteps
  }

  /// The longest break that a look may miss.
  private static let blink = TimeSpan.milliseconds(500)

  /// From one look to the next, at most.
  private static let look = TimeSpan.milliseconds(300)

  mutating func count(until instant: Instant) {
    if let countsSince { longest = max(longest, instant - countsSince) }
    if let seenSince { longestSeen = max(longestSeen, (brokenAt ?? instant) - seenSince) }
  }

  mutating func resume(at instant: Instant) {
    if countsSince == nil { countsSince = instant }
    if let brokenAt, seenSince == nil || instant - brokenAt >= Stall.blink {
      // The newest look under the debugger lies shortly before it went.
      seenSince = instant - Stall.look
    }
    if seenSince == nil { seenSince = instant }
    brokenAt = nil
  }

  /// - Parameter isDebugged: a debugger may come and go between two looks; what else keeps a stall
  ///   from counting is known at once.
  mutating func pause(at instant: Instant, isDebugged: Bool) {
    countsSince = nil
    if !isDebugged {
      seenSince = nil
      brokenAt = nil
    } else if brokenAt == nil {
      brokenAt = instant
    }
  }
}

/// Hangs by ground truth, and the messages they must yield (HNG).
extension ReferenceModel {
  /// Whether hangs of a process are to be reported now.
  func watchesHangs(_ process: Int32, _ context: JudgeContext) -> Bool {
    let index = Int(process)
    guard index >= 0, index < processes.count, processes[index].stage == .started else {
      return false
    }
    let state = processes[index]
    return state.options.capturesHangs && state.analytics && state.isForeground
      && !state.isDebugged && !context.processes[process].isSuspended
  }

  /// Takes what concerns the main thread.
  func takeMainThread(_ record: Record, _ context: JudgeContext) {
    switch record.fact {
    case .mainThread(let isBlocked, let stack):
      takeMainThread(isBlocked, stack, record, context)
    case .debugger(let isAttached): takeDebugger(isAttached, record, context)
    case .stackSampled: takeSample(record, context)
    default: break
    }
  }

  private func takeMainThread(
    _ isBlocked: Bool, _ stack: ByteSlice, _ record: Record, _ context: JudgeContext
  ) {
    let state = context.processes[record.process]
    if isBlocked {
      stall = Stall(
        process: record.process, began: record.instant, stack: stack, slowSteps: state.slowSteps)
      advanceStall(record, context)
    } else {
      endStall(record, context)
    }
  }

  /// Brings what counts of the present stall up to a record.
  func advanceStall(_ record: Record, _ context: JudgeContext) {
    guard var stall else { return }
    let index = Int(stall.process)
    stall.count(until: record.instant)
    if context.processes[stall.process].slowSteps != stall.slowSteps { stall.wasHeldBack = true }
    if watchesHangs(stall.process, context) {
      // What is found only now may have begun with the process's start.
      let start = processes[index].startedInstant ?? record.instant
      stall.resume(at: stall.sawStart ? record.instant : max(stall.began, start))
    } else {
      let isDebugged = index < processes.count && processes[index].isDebugged
      stall.pause(at: record.instant, isDebugged: isDebugged)
    }
    stall.sawStart = index < processes.count && processes[index].stage == .started
    self.stall = stall
  }

  /// The main thread is free, or its process is gone.
  func endStall(_ record: Record, _ context: JudgeContext) {
    advanceStall(record, context)
    endedStall = stall
    stall = nil
  }

  private func takeDebugger(_ isAttached: Bool, _ record: Record, _ context: JudgeContext) {
    let index = Int(record.process)
    guard index >= 0, index < processes.count else { return }
    processes[index].isDebugged = isAttached
    advanceStall(record, context)
  }

  /// The SDK has looked at the main thread's stack: at this instant its event is made (HNG-02).
  private func takeSample(_ record: Record, _ context: JudgeContext) {
    advanceStall(record, context)
    stall?.samples += 1
    let index = Int(record.process)
    guard let stall, stall.process == record.process, index >= 0, index < processes.count,
      watchesHangs(record.process, context)
    else { return }
    advanceOccurrence()
    moment = readMoment(context.continuousNow(record), record, context)
    let launch = context.processes[record.process]
    hangs.append(
      Hang(
        stack: context.text(stall.stack).split(separator: "\n").map { String($0) },
        path: processes[index].shownPath, version: context.text(launch.version),
        build: context.text(launch.build)))
    let message = add(.hang(Int32(hangs.count - 1)), .track, 0, index, moment)
    enqueue(Int(message), index, record, context)
    guard messages[Int(message)].place == .queued else { return }
    processes[index].sessionModel.use(
      messages[Int(message)].timestampMilliseconds,
      running: messages[Int(message)].enqueuedRunning, slack: slack)
  }

  /// What an event of a hang says.
  struct Hang {
    var stack: [String]
    var path: String
    var version: String
    var build: String

    var properties: [PropertyEntry] {
      let reference = RedactionShared.stack
      let lines = reference.frames(stack)
      let texts: [(String, String)] = [
        ("app_build", build), ("app_version", version), ("kind", "anr"),
        ("message", "The main thread did not answer for 5 seconds"), ("path", path),
        ("stack", reference.text(written: lines)),
        ("stack_hash", reference.hash(type: "AppHang", written: lines)),
        ("thread", "main"), ("type", "AppHang"),
      ]
      return texts.map { PropertyEntry($0.0, .string($0.1)) }
        + [PropertyEntry("fatal", .bool(false))]
    }
  }

  /// The path that a screen call shows from now on (API-18, API-19); nil for other calls.
  static func shownPath(_ call: HostCall) -> String? {
    guard case .screen(let name, let properties) = call else { return nil }
    for entry in properties where entry.key == "path" {
      if case .string(let own) = entry.value, own.utf8.first == 0x2f { return own }
    }
    return "/" + name
  }
}
