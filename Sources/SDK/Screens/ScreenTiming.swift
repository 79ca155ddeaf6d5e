/// How long the screen that shows is shown and used: a pure value that is told what happens
/// (SCR-03 to SCR-07, S-55).
///
/// It knows timed views alone: a view that began without analytics consent is none of them (S-31).
/// All instants are of the clock that runs in sleep, in nanoseconds.
struct ScreenTiming: Equatable, Sendable {
  /// What there is to say of a view when it is left, for good or for a while.
  struct Leave: Equatable, Sendable {
    var pageviewId: String
    var path: String
    var activeMilliseconds: Int64
    var totalMilliseconds: Int64
  }

  private struct View: Equatable, Sendable {
    var pageviewId: String
    var path: String
    var start: Int64
    /// Time in the foreground in all stays there that are over.
    var active: Int64 = 0
    /// Since when the app is in the foreground with it; nil in the background.
    var activeSince: Int64?
  }

  private var view: View?
  private(set) var isInForeground: Bool
  /// When the app last went to the background.
  private(set) var backgroundEntry: Int64?

  init(isInForeground: Bool) { self.isInForeground = isInForeground }

  /// Whether a view is timed now.
  var isTiming: Bool { view != nil }

  /// A view begins; one that was timed before is forgotten.
  mutating func begin(_ pageviewId: String, path: String, at uptime: Int64) {
    view = View(
      pageviewId: pageviewId, path: path, start: uptime,
      activeSince: isInForeground ? uptime : nil)
  }

  /// The app comes to the foreground: the same view goes on (SCR-05).
  mutating func foreground(at uptime: Int64) {
    if isInForeground { return }
    isInForeground = true
    view?.activeSince = uptime
  }

  /// The app goes to the background, which pauses the view (SCR-04).
  /// - Returns: what there is to say of the view; nil if the app was there already.
  mutating func background(at uptime: Int64) -> Leave? {
    guard isInForeground else { return nil }
    let leave = leave(at: uptime)
    isInForeground = false
    backgroundEntry = uptime
    if let since = view?.activeSince { view?.active += uptime - since }
    view?.activeSince = nil
    return leave
  }

  /// The view ends, and is timed no more.
  mutating func end(at uptime: Int64) -> Leave? {
    let leave = leave(at: uptime)
    view = nil
    return leave
  }

  /// The view ends as of the instant at which the app went to the background, or at which the view
  /// itself began, if that was later (S-04).
  /// - Returns: what there is to say of it, and that instant.
  mutating func endAtBackgroundEntry() -> (leave: Leave, uptime: Int64)? {
    guard let view else { return nil }
    let uptime = max(backgroundEntry ?? view.start, view.start)
    return end(at: uptime).map { ($0, uptime) }
  }

  /// Nothing is timed any more (SCR-08).
  mutating func forget() { view = nil }

  private func leave(at uptime: Int64) -> Leave? {
    guard let view else { return nil }
    let running = view.activeSince.map { uptime - $0 } ?? 0
    return Leave(
      pageviewId: view.pageviewId, path: view.path,
      activeMilliseconds: floorDivide(view.active + running, 1_000_000),
      totalMilliseconds: floorDivide(uptime - view.start, 1_000_000))
  }
}
