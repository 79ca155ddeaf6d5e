import SDK
import SimKernel

/// The transport of a process.
final class SimHTTPPort: MetricsHTTPClient, @unchecked Sendable {
  private unowned let world: World
  private let process: AppProcess

  init(_ world: World, _ process: AppProcess) {
    self.world = world
    self.process = process
  }

  func start(
    _ request: HTTPRequest, on queue: any SerialQueuePort,
    completion: @escaping @Sendable (Result<HTTPResponse, HTTPFailure>) -> Void
  ) -> HTTPToken {
    guard process.isAlive, let queue = queue as? SimQueuePort else { return HTTPToken(value: 0) }
    world.enterPort(.http)
    return HTTPToken(
      value: UInt64(world.startRequest(request, process, queue: queue.number, completion)))
  }

  func cancel(_ token: HTTPToken) {
    guard process.isAlive else { return }
    world.cancelRequest(UInt32(truncatingIfNeeded: token.value))
  }
}
