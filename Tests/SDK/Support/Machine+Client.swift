import Foundation

@testable import SDK

extension ManualPlatform {
  /// A machine whose servers take everything.
  static func healthy() -> ManualPlatform {
    let machine = ManualPlatform()
    machine.responder = { _ in .success(.status(200)) }
    return machine
  }

  /// Starts a client without asking for a config.
  func start(
    _ options: PostlipMetrics.Options = .init(consent: .implied), key: String = "pk"
  ) -> PostlipMetricsClient {
    var options = options
    options.remoteConfig = options.remoteConfig ?? false
    let client = makeClient()
    client.load(key, options: options)
    run()
    return client
  }

  /// Answers batches with these statuses in turn, then with 200.
  func answer(statuses: [Int], body: String = "{}", headers: [HTTPHeader] = []) {
    var rest = statuses
    responder = { request in
      guard request.purpose == "batch", !rest.isEmpty else { return .success(.status(200)) }
      return .success(.status(rest.removeFirst(), body, headers: headers))
    }
  }

  /// The starts of batch requests in seconds since `since`.
  func batchTimes(since: Int64) -> [Double] {
    exchanges.filter { $0.request.purpose == "batch" }
      .map { Double($0.startedAt - since) / 1e9 }
  }

  /// The files of the store, without their folder.
  var storedFiles: [String] {
    storage.files.keys.sorted().map { $0.replacingOccurrences(of: Self.folder + "/", with: "") }
  }

  static let folder = "Library/Application Support/PostlipMetrics"

  /// A field of a message by its path.
  func field(_ message: [String: Any], _ path: String...) -> Any? {
    var value: Any? = message
    for part in path { value = (value as? [String: Any])?[part] }
    return value
  }

  func has(_ diagnostic: Diagnostic) -> Bool { diagnostics.contains(diagnostic) }
}
