/// The one hook on controllers that appear, shared by all parts of the SDK that need it (C-21).
///
/// Nobody who needs it, no hook; it is installed with the first subscriber, once.
final class AppearanceHook: Sendable {
  typealias Handler = @Sendable (ViewControllerFacts) -> Void

  private struct State {
    var isInstalled = false
    var subscribers: [Handler] = []
  }

  private let port: any ViewControllerPort
  private let state = Protected(State())

  init(_ port: any ViewControllerPort) { self.port = port }

  /// Tells of all controllers that appear from now on, on the main thread, in the order in which
  /// subscribers came.
  func subscribe(_ handler: @escaping Handler) {
    let isFirst = state.withLock { state in
      defer { state.isInstalled = true }
      state.subscribers.append(handler)
      return !state.isInstalled
    }
    guard isFirst else { return }
    port.hookAppearances { [state] facts in
      for subscriber in state.withLock({ $0.subscribers }) { subscriber(facts) }
    }
  }
}
