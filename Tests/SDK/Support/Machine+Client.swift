import Foundation

@testable import SDK

extension ManualPlatform {
  /// A machine whose servers take everything.
  static func healthy() -> ManualPlatform {
    let machine = ManualPlatform()
    machine.responder = { _ in .success(.status(200)) }
    return machine
  }

  /// Starts a client without asking for a config, and without lifecycle events unless they are
  /// asked for.
  func start(
    _ options: PostlipMetrics.Options = .init(consent: .implied), key: String = "pk"
  ) -> PostlipMetricsClient {
    var options = options
    options.remoteConfig = options.remoteConfig ?? false
    options.trackLifecycle = options.trackLifecycle ?? false
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

  /// The files that consent governs, without their folder: all but the decision and its spare.
  var storedFiles: [String] {
    storage.files.keys.sorted().map { $0.replacingOccurrences(of: Self.folder + "/", with: "") }
      .filter { $0 != "consent.json" && $0 != "consent.spare" }
  }

  /// What `consent.json` says, without the spaces that fill it up.
  var storedDecision: String? {
    storage.files[Self.folder + "/consent.json"].map {
      String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespaces)
    }
  }

  static let folder = "Library/Application Support/PostlipMetrics"

  /// A field of a message by its path.
  func field(_ message: [String: Any], _ path: String...) -> Any? {
    var value: Any? = message
    for part in path { value = (value as? [String: Any])?[part] }
    return value
  }

  /// Tells the token of the install to all who asked; nil is none.
  func tellToken(_ token: String?) {
    let questions = tokenQuestions
    tokenQuestions = []
    for question in questions { question(token) }
    run()
  }

  var wallMilliseconds: Int64 { wallNanoseconds / 1_000_000 }

  /// A time as it stands in messages.
  func text(ofMilliseconds milliseconds: Int64) -> String {
    var bytes: [UInt8] = []
    Timestamp.append(milliseconds: milliseconds, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  func has(_ diagnostic: Diagnostic) -> Bool { diagnostics.contains(diagnostic) }
}

extension PostlipMetricsClient {
  /// `load` without lifecycle events: for tests of everything else.
  func loadQuietly(_ key: String, options: PostlipMetrics.Options = .init()) {
    var options = options
    options.trackLifecycle = false
    load(key, options: options)
  }
}

extension ManualPlatform {
  /// Ends the process and starts the next one on a machine on which nothing goes wrong any more.
  func relaunch() -> PostlipMetricsClient {
    endProcess()
    storage.dieAtStep = nil
    storage.failure = nil
    responder = { _ in .success(.status(200)) }
    return start()
  }

  /// The ids of all messages sent, in the order of sending.
  var ids: [String] { sentIds.flatMap { $0 } }
}
