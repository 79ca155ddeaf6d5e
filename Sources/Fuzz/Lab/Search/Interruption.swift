import Foundation

/// Written by the signal handler alone; a word is written in one step.
nonisolated(unsafe) private var signalCount: sig_atomic_t = 0

private func noteSignal(_ number: Int32) {
  signalCount += 1
  if signalCount > 1 {
    signal(number, SIG_DFL)
    raise(number)
  }
}

/// Remembers Ctrl-C, so that a campaign can end with what was found so far.
public enum Interruption {
  /// Whether the user asked for the end.
  public static var isRequested: Bool { signalCount > 0 }

  /// Catches Ctrl-C from now on; the second one ends the process as usual. A wait
  /// that Ctrl-C meets may go on for its own length.
  public static func catchSignals() {
    signal(SIGINT, noteSignal)
    signal(SIGTERM, noteSignal)
    // Whoever started this process may have blocked them for itself.
    var both = sigset_t()
    sigemptyset(&both)
    sigaddset(&both, SIGINT)
    sigaddset(&both, SIGTERM)
    sigprocmask(SIG_UNBLOCK, &both, nil)
  }
}
