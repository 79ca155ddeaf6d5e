import Foundation

/// State behind the SDK's one lock.
///
/// Under it only the clock, random and context ports are called: nothing that waits, and nothing
/// that could call back.
final class Protected<State>: @unchecked Sendable {
  private let lock = NSLock()
  private var state: State

  init(_ state: State) { self.state = state }

  @inline(__always)
  func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&state)
  }
}
