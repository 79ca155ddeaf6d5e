import Foundation

/// Tells on standard error how far something has come: one line that is rewritten on a terminal, a
/// plain line every ten seconds elsewhere.
public final class Progress {
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private let start = ProcessClock.nanoseconds()
  private var lastShown: Int64
  private var shownWidth = 0

  public init() { lastShown = ProcessClock.nanoseconds() }

  /// Seconds since the start.
  public var seconds: Double { ProcessClock.secondsSince(start) }

  /// Shows a line if it is time for one.
  public func show(_ text: @autoclosure () -> String) {
    guard ProcessClock.secondsSince(lastShown) >= (isTerminal ? 0.1 : 10) else { return }
    lastShown = ProcessClock.nanoseconds()
    write(text())
  }

  /// Shows a line at once and keeps it.
  public func tell(_ text: String) {
    clear()
    put(text + "\n")
  }

  /// Takes the rewritten line away.
  public func clear() {
    if isTerminal, shownWidth > 0 { put("\r" + String(repeating: " ", count: shownWidth) + "\r") }
    shownWidth = 0
  }

  private func write(_ text: String) {
    guard isTerminal else { return put(text + "\n") }
    put("\r" + text + String(repeating: " ", count: max(0, shownWidth - text.count)))
    shownWidth = text.count
  }

  private func put(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
