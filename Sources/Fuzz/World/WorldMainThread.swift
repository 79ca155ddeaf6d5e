import FuzzHistory
import FuzzScenario
import SDK
import SimKernel

/// What the app's own code does on its main thread.
extension World {
  /// Where a main thread is that waits for something to do.
  private static let idleStack = [
    StackFrame("libsystem_kernel.dylib", "mach_msg2_trap"),
    StackFrame("CoreFoundation", "__CFRunLoopServiceMachPort"),
    StackFrame("CoreFoundation", "CFRunLoopRunSpecific"),
    StackFrame("UIKitCore", "UIApplicationMain"),
    StackFrame("Kiosk", "main"),
  ]

  func blockMain(for span: TimeSpan, _ stack: [StackFrame]) {
    guard let process = runningProcess, !device.isMainBlocked else { return }
    mainStack = RawStack.lines(
      stack.isEmpty ? World.idleStack : stack, process: process.ordinal, randomness)
    guard device.blockMain(for: span) else { return }
    took(
      .mainThreadBlocked, detail: UInt32(clamping: span.nanoseconds / 1_000_000))
    if process.isDebugged { reach(.mainBlockedUnderDebugger) }
    if !process.isForeground { reach(.mainBlockedInBackground) }
  }

  func spinMain(for span: TimeSpan) {
    guard runningProcess != nil, !device.isMainBlocked else { return }
    took(.mainThreadBusy, detail: UInt32(clamping: span.nanoseconds / 1_000_000))
    device.spinMain(for: span)
  }

  /// Code of the app blocks the main thread, or does not any more.
  public func deviceChangedMainThread(_ process: AppProcess, isBlocked: Bool) {
    let stack =
      isBlocked
      ? recorder.history.store(mainStack.joined(separator: "\n")) : ByteSlice.empty
    recorder.record(
      .mainThread(isBlocked: isBlocked, stack: stack), process: process.ordinal,
      detail: isBlocked ? 1 : 0, hashing: stack)
    if isBlocked { happened(.mainBlocked) }
  }

  /// A debugger is attached, or not any more.
  public func deviceChangedDebugger(_ process: AppProcess, isAttached: Bool) {
    if isAttached { took(.mainThreadDebugged) }
    recorder.record(
      .debugger(isAttached: isAttached), process: process.ordinal, detail: isAttached ? 1 : 0)
  }

  /// The SDK looks at the main thread's stack.
  func sampleMainThread(_ process: AppProcess) -> [String] {
    guard process.isAlive else { return [] }
    recorder.record(.stackSampled, process: process.ordinal)
    reach(.mainThreadSampled)
    return device.isMainBlocked
      ? mainStack : RawStack.lines(World.idleStack, process: process.ordinal, randomness)
  }

  /// Runs code of the app on a thread; on the main thread once that is free.
  func onThread(_ thread: UInt16, _ body: @escaping () -> Void) {
    if thread == 0, device.isMainBlocked, let process = device.process,
      process.phase != .suspended
    {
      device.deferToMain(process, body)
    } else {
      body()
    }
  }
}
