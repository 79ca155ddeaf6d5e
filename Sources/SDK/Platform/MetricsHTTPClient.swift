/// One HTTP request, complete with all its headers.
public struct HTTPRequest: Sendable {
  /// The methods that the SDK uses.
  public enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
  }

  /// What the request is for; a transport may ignore it.
  public var purpose: String
  /// 0 for the first attempt of its kind in this process, then counting up.
  public var attempt: UInt32
  public var method: Method
  public var url: String
  public var headers: [HTTPHeader]
  public var body: [UInt8]
  /// The longest silence on the connection, in milliseconds.
  public var idleTimeoutMilliseconds: Int
  /// The longest time for the whole request, in milliseconds.
  public var totalTimeoutMilliseconds: Int

  public init(
    purpose: String, attempt: UInt32, method: Method, url: String, headers: [HTTPHeader],
    body: [UInt8], idleTimeoutMilliseconds: Int, totalTimeoutMilliseconds: Int
  ) {
    self.purpose = purpose
    self.attempt = attempt
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.idleTimeoutMilliseconds = idleTimeoutMilliseconds
    self.totalTimeoutMilliseconds = totalTimeoutMilliseconds
  }
}

/// A header field; names compare without regard to case.
public struct HTTPHeader: Hashable, Sendable {
  public var name: String
  public var value: String

  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// An answer whose body was received whole.
public struct HTTPResponse: Sendable {
  public var status: Int
  public var headers: [HTTPHeader]
  public var body: [UInt8]

  public init(status: Int, headers: [HTTPHeader], body: [UInt8]) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// Why no answer came.
public enum HTTPFailure: Error, Hashable, Sendable {
  case timedOut
  case cannotFindHost
  case cannotConnect
  case connectionLost
  case secureConnectionFailed
  case notConnected
  case cancelled
}

/// Names a request so that it can be cancelled.
public struct HTTPToken: Hashable, Sendable {
  public var value: UInt64
  public init(value: UInt64) { self.value = value }
}

/// The transport: an ephemeral session without redirects, cookies and cache (TRN-29, A-22).
public protocol MetricsHTTPClient: AnyObject, Sendable {
  /// Starts a request.
  /// - Parameters:
  ///   - queue: where `completion` runs, exactly once, also after a cancel.
  func start(
    _ request: HTTPRequest, on queue: any SerialQueuePort,
    completion: @escaping @Sendable (Result<HTTPResponse, HTTPFailure>) -> Void
  ) -> HTTPToken
  /// Gives a request up; its completion gets `.cancelled` if it had not ended.
  func cancel(_ token: HTTPToken)
}
