extension Pipeline {
  /// Asks for the controllers that appear, where the app wants screens of them. What the panel says
  /// to that is known only later: until then they are held as calls are. Runs in `load`, on any
  /// thread.
  func observeScreens(_ options: PostlipMetrics.Options) {
    guard options.trackScreens ?? false else { return }
    appearances.subscribe { [weak self] controller in self?.note(controller) }
  }

  /// A controller has appeared. Runs on the main thread.
  private func note(_ controller: ViewControllerFacts) {
    guard let name = AutomaticScreen.name(controller) else { return }
    let current = platform.context.current()
    let wakes = state.withLock { state in
      state.appear(name, uptime: platform.clock.continuous(), current, platform)
      return state.needsDrain()
    }
    if wakes { wake() }
  }
}
