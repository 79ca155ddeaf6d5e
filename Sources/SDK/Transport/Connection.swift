/// Where a client's requests go and how they name themselves.
struct Connection: Sendable {
  private let batchURL: String
  private let configURL: String
  private let batchHeaders: [HTTPHeader]

  init(host: String, writeKey: String) {
    batchURL = host + "/v1/batch"
    configURL = host + "/v1/config/" + Host.pathPart(writeKey)
    var credentials = Array("Basic ".utf8)
    Base64.append(Array((writeKey + ":").utf8), to: &credentials)
    batchHeaders = [
      HTTPHeader("Authorization", String(decoding: credentials, as: UTF8.self)),
      HTTPHeader("Content-Type", "application/json"),
      HTTPHeader("User-Agent", Library.userAgent),
    ]
  }

  /// How long the config is waited for (OPT-20).
  static let configTimeoutMilliseconds = 3_000

  /// The request for the panel's configuration (OPT-19); it carries no credentials.
  func configRequest() -> HTTPRequest {
    HTTPRequest(
      purpose: "config", attempt: 0, method: .get, url: configURL,
      headers: [HTTPHeader("User-Agent", Library.userAgent)], body: [],
      idleTimeoutMilliseconds: Self.configTimeoutMilliseconds,
      totalTimeoutMilliseconds: Self.configTimeoutMilliseconds)
  }

  /// A request with messages (TRN-05, TRN-06).
  func batchRequest(_ body: [UInt8], attempt: UInt32, policy: LanePolicy) -> HTTPRequest {
    HTTPRequest(
      purpose: "batch", attempt: attempt, method: .post, url: batchURL, headers: batchHeaders,
      body: body, idleTimeoutMilliseconds: policy.idleTimeoutMilliseconds,
      totalTimeoutMilliseconds: policy.totalTimeoutMilliseconds)
  }
}
