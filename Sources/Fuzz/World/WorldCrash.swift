import FuzzHistory
import FuzzScenario
import SDK
import SimKernel

/// What the SDK has put in front of other handlers.
struct CrashHandlers {
  var sdk: any CrashHandler
  /// Its handler of signals has a stack of its own, which serves the main thread.
  var isOnOwnStack: Bool
}

/// A process between its crash and its end.
struct DyingProcess {
  var plan: CrashPlan
  /// Killed, or crashed again: whatever code goes on has no effect.
  var isOver = false
  /// What is being handled is a signal.
  var isSignal = false
  /// The SDK's handler of a signal runs: it may enter no port but that of crashes.
  var isInSignalHandler = false
  var hasWritten = false
}

/// Crashes: exceptions and signals, the handlers that hear of them, and the end of the process.
extension World {
  private static let baseStream = StreamName("process.load_base")

  func crash(_ plan: CrashPlan) {
    guard let process = runningProcess, dying == nil else { return }
    took(.processCrash)
    markCrash(plan, process)
    let history = recorder.history
    recorder.record(
      .crashed(
        kind: plan.kind, thread: plan.thread, threadName: history.store(plan.threadName),
        name: history.store(plan.name), reason: history.store(plan.reason),
        frames: history.store(rawFrames(plan, process).joined(separator: "\n")),
        isStackOverflow: plan.isStackOverflow,
        continuous: device.clocks.continuous(at: device.now)),
      detail: UInt64(plan.kind.rawValue) << 16 | UInt64(plan.thread))
    dying = DyingProcess(plan: plan)
    device.runCode(thread: plan.thread) {
      if plan.kind == .exception { handleException(plan, process) }
      // The runtime aborts a process whose exception nobody has caught.
      handleSignal(plan.kind == .exception ? .abort : plan.kind, plan)
    }
    dying = nil
    device.end(.crash)
  }

  private func markCrash(_ plan: CrashPlan, _ process: AppProcess) {
    reach(plan.kind == .exception ? .crashedByException : .crashedBySignal)
    if plan.thread != 0 { reach(.crashedOffMain) }
    if isHolding { reach(.crashedWhileHolding) }
    if process.phase == .background { reach(.crashedInBackground) }
    if device.power.isLocked { reach(.crashedWhileLocked) }
    if isInDiskStep { reach(.crashedInDiskStep) }
    if plan.isStackOverflow { reach(.crashedByStackOverflow) }
  }

  /// Lines as the platform writes them, with the addresses at which this process has its images.
  private func rawFrames(_ plan: CrashPlan, _ process: AppProcess) -> [String] {
    plan.frames.enumerated().map { place, frame in
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325
      for byte in frame.image.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      let key = UInt64(UInt32(bitPattern: process.ordinal))
      let base = randomness.bits(World.baseStream, hash, key) & 0xF_FFFF_C000
      let address = String(0x1_0000_0000 + base + UInt64(frame.offset), radix: 16)
      let hexadecimal = String(repeating: "0", count: max(0, 16 - address.count)) + address
      return "\(place)   \(frame.image)   0x\(hexadecimal) \(frame.symbol) + \(frame.offset)"
    }
  }

  private func handleException(_ plan: CrashPlan, _ process: AppProcess) {
    dying?.isSignal = false
    if scenario.laterReporter { recordHandler(.later) }
    guard let handlers = crashHandler else { return runEarlierHandlers() }
    recordHandler(.sdk)
    handlers.sdk.handle(
      RawException(
        name: plan.name, reason: plan.reason, frames: rawFrames(plan, process),
        thread: UInt32(plan.thread), threadName: plan.threadName,
        uptime: device.clocks.continuous(at: device.now)))
  }

  private func handleSignal(_ kind: CrashKind, _ plan: CrashPlan) {
    guard dying?.isOver == false else { return }
    dying?.isSignal = true
    // A handler needs a stack, and only the main thread was given a second one.
    if plan.isStackOverflow, crashHandler?.isOnOwnStack != true || plan.thread != 0 { return }
    if scenario.laterReporter { recordHandler(.later) }
    guard let handlers = crashHandler else { return runEarlierHandlers() }
    recordHandler(.sdk)
    dying?.isInSignalHandler = true
    handlers.sdk.handle(
      RawSignal(
        signal: World.signal(kind), thread: UInt32(plan.thread),
        uptime: device.clocks.continuous(at: device.now)))
    dying?.isInSignalHandler = false
  }

  private static func signal(_ kind: CrashKind) -> FatalSignal {
    switch kind {
    case .exception, .abort: return .abort
    case .segmentationFault: return .segmentationFault
    case .busError: return .busError
    case .illegalInstruction: return .illegalInstruction
    case .floatingPointException: return .floatingPointException
    case .trap: return .trap
    }
  }

  private func recordHandler(_ reporter: CrashReporter) {
    guard let dying, !dying.isOver else { return }
    recorder.record(
      .crashHandlerRan(reporter, isSignal: dying.isSignal), detail: UInt64(reporter.rawValue))
  }

  /// The SDK, or the system where it has no handler, calls those from before.
  func runEarlierHandlers() {
    if scenario.earlierReporter { recordHandler(.earlier) }
  }

  /// The handler of a signal enters a port (CRA-18).
  func noteHandlerPort(_ port: PortKind) {
    guard dying?.isInSignalHandler == true else { return }
    recorder.record(.portEnteredInHandler(port), detail: UInt64(port.rawValue))
  }

  /// The SDK writes over its open file from the start.
  /// - Returns: whether all bytes were written.
  func writeWhileDying(_ path: String, _ bytes: [UInt8]) -> Bool {
    guard let plan = dying?.plan else { return false }
    let isFirst = dying?.hasWritten == false
    dying?.hasWritten = true
    var strike = strikeAtDyingWrite(path, bytes.count)
    if isFirst, plan.crashesAgain {
      strike = .death(afterBytes: bytes.count / 2, atomicStepDone: false)
    } else if isFirst, let count = plan.killedAfterBytes, count <= bytes.count {
      strike = .death(afterBytes: count, atomicStepDone: false)
    }
    let result = device.disk.put(path, offset: 0, bytes: bytes, replacing: false, strike: strike)
    recordDisk(.overwrite, path, bytes: bytes, result)
    if result.outcome == .noSpace { reach(.crashRecordOnFullDisk) }
    if result.writtenCount > 0, result.writtenCount < bytes.count { reach(.crashRecordTorn) }
    guard case .death = strike else { return result.outcome == .done }
    if plan.crashesAgain {
      dying?.plan.crashesAgain = false
      reach(.crashedInHandler)
      handleSignal(.segmentationFault, plan)
    }
    dying?.isOver = true
    return false
  }
}
