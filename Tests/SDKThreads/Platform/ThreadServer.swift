import Dispatch
import Foundation
import SDK

/// Answers requests on threads of its own. Keeps what the collector took.
final class ThreadServer: MetricsHTTPClient {
  /// A message as the collector took it.
  struct Message: Sendable {
    var id: String
    var type: String
    var event: String?
    var thread: Int?
    var number: Int?
  }

  private struct State {
    var started: UInt64 = 0
    var cancelled: Set<UInt64> = []
    var messages: [Message] = []
    var ids: Set<String> = []
    var inFlight = 0
    var mostInFlight = 0
  }

  private let state = Locked(State())
  /// Signalled whenever a batch was taken.
  private let arrival = DispatchSemaphore(value: 0)
  private let config: String
  private let refusesEveryFifth: Bool

  /// - Parameters:
  ///   - config: what the config service answers.
  ///   - refusesEveryFifth: whether every fifth batch is answered 503.
  init(config: String, refusesEveryFifth: Bool) {
    self.config = config
    self.refusesEveryFifth = refusesEveryFifth
  }

  /// Distinct messages in the order of their first arrival.
  var messages: [Message] { state.access { $0.messages } }
  /// The most batches under way at one time.
  var mostInFlight: Int { state.access { $0.mostInFlight } }

  /// Waits until what has arrived is enough; false when nothing comes any more.
  func wait(until isEnough: ([Message]) -> Bool) -> Bool {
    while !isEnough(messages) {
      if arrival.wait(timeout: .now() + .seconds(60)) == .timedOut { return false }
    }
    return true
  }

  /// Lets some time pass, less when a batch arrives: for threads that should not be done before the
  /// first request is.
  func rest() { _ = arrival.wait(timeout: .now() + .milliseconds(4)) }

  func start(
    _ request: HTTPRequest, on queue: any SerialQueuePort,
    completion: @escaping @Sendable (Result<HTTPResponse, HTTPFailure>) -> Void
  ) -> HTTPToken {
    let isBatch = request.method == .post
    let token = state.access { state in
      state.started += 1
      if isBatch {
        state.inFlight += 1
        state.mostInFlight = max(state.mostInFlight, state.inFlight)
      }
      return state.started
    }
    let delay = DispatchTimeInterval.milliseconds(isBatch ? Int(token % 5) : 10)
    DispatchQueue.global().asyncAfter(deadline: .now() + delay) { [self] in
      let answer = isBatch ? takeBatch(request.body, token) : (200, config)
      let isCancelled = state.access { state in
        if isBatch { state.inFlight -= 1 }
        return state.cancelled.contains(token)
      }
      queue.async {
        completion(
          isCancelled
            ? .failure(.cancelled)
            : .success(
              HTTPResponse(status: answer.0, headers: [], body: Array(answer.1.utf8))))
      }
    }
    return HTTPToken(value: token)
  }

  func cancel(_ token: HTTPToken) { state.access { _ = $0.cancelled.insert(token.value) } }

  private func takeBatch(_ body: [UInt8], _ token: UInt64) -> (Int, String) {
    if refusesEveryFifth && token % 5 == 0 { return (503, "") }
    let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
    guard let batch = object?["batch"] as? [[String: Any]] else { return (400, "") }
    let messages = batch.map { message in
      let properties = message["properties"] as? [String: Any]
      return Message(
        id: message["messageId"] as? String ?? "", type: message["type"] as? String ?? "",
        event: message["event"] as? String, thread: properties?["thread"] as? Int,
        number: properties?["number"] as? Int)
    }
    state.access { state in
      for message in messages where state.ids.insert(message.id).inserted {
        state.messages.append(message)
      }
    }
    arrival.signal()
    return (200, "{}")
  }
}
