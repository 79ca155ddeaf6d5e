import Foundation

/// Ends this process once the one that started it is gone.
///
/// A worker that has nothing to do notices the end of its input. One that is stuck, in a job
/// without end or in a call that never returns, does not: a thread of its own looks after the
/// parent.
public enum ParentWatch {
  /// The variable in which a process of the lab tells its children its number.
  static let variable = "SIMLAB_PARENT"
  static let intervalMilliseconds: Int32 = 200

  /// Watches the parent from now on if it is a process of the lab; to be called once, at the start.
  public static func begin() {
    guard let named = getenv(variable).flatMap({ pid_t(String(cString: $0)) }), named > 1 else {
      return
    }
    if getppid() != named {
      // Either the parent died while this process was being started, or somebody else stands
      // between the two: then there is nobody to watch.
      if isAlive(named) { return }
      _exit(1)
    }
    var thread = pthread_t()
    // If there is no thread, a stuck process outlives its parent: nothing else is lost.
    _ = pthread_create(
      &thread, nil,
      { parent in
        ParentWatch.watch(pid_t(Int(bitPattern: parent)))
        return nil
      }, UnsafeMutableRawPointer(bitPattern: Int(named)))
  }

  private static func watch(_ parent: pid_t) {
    while getppid() == parent { _ = poll(nil, 0, intervalMilliseconds) }
    _exit(1)
  }

  private static func isAlive(_ process: pid_t) -> Bool {
    kill(process, 0) == 0 || errno == EPERM
  }
}
