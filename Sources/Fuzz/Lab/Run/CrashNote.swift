import Foundation

/// What is written when the process dies, and the handlers that were there before: set before a run
/// begins, read by the signal handler alone.
nonisolated(unsafe) private var note: (start: UnsafeMutablePointer<CChar>, count: Int)?
nonisolated(unsafe) private var handlersBefore: [(signal: Int32, action: sigaction)] = []

private func writeNote(_ number: Int32) {
  if let note { _ = write(STDERR_FILENO, note.start, note.count) }
  // The instruction that failed runs again and meets the handler of the runtime, which may tell
  // where it was.
  for index in handlersBefore.indices where handlersBefore[index].signal == number {
    sigaction(number, &handlersBefore[index].action, nil)
  }
}

/// Makes a run that traps end with the words that run it again.
public enum CrashNote {
  private static let signals = [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT]

  /// Says what is written, as a line, should the process die from now on.
  public static func arm(_ text: String) {
    let bytes = Array((text + "\n").utf8CString)
    let start = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    start.initialize(from: bytes, count: bytes.count)
    let old = note?.start
    note = (start, bytes.count - 1)
    old?.deallocate()
    guard handlersBefore.isEmpty else { return }
    for number in signals {
      var action = sigaction()
      sigaction(number, nil, &action)
      handlersBefore.append((number, action))
      signal(number, writeNote)
    }
  }
}
