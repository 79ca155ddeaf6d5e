import Foundation

extension Platform {
  /// A machine on which nothing works: what a client has that was given none. It never starts, its
  /// calls are harmless, and `load` says why on standard error.
  static func unavailable() -> Platform {
    let ports = UnavailablePorts()
    return Platform(
      clock: ports, random: ports, storage: ports, http: ports, scheduler: ports,
      application: ports, context: ports, log: ports)
  }
}

private final class UnavailablePorts: Sendable {}

extension UnavailablePorts: ClockPort {
  func wall() -> Int64 { 0 }
  func awake() -> Int64 { 0 }
  func continuous() -> Int64 { 0 }
  func bootIdentifier() -> UInt64 { 0 }
}

extension UnavailablePorts: RandomPort {
  /// `track` returns an id even here, and an app may use it elsewhere: it must be a good one.
  func random128(_ purpose: RandomPurpose, key: UInt64) -> (high: UInt64, low: UInt64) {
    var source = SystemRandomNumberGenerator()
    return (source.next(), source.next())
  }
}

extension UnavailablePorts: StoragePort {
  func list(_ directory: String) throws(StorageError) -> [String] { throw .notPermitted }
  func size(_ path: String) throws(StorageError) -> Int { throw .notPermitted }
  func read(_ path: String, offset: Int, count: Int) throws(StorageError) -> [UInt8] {
    throw .notPermitted
  }
  func write(_ path: String, _ bytes: [UInt8]) throws(StorageError) { throw .notPermitted }
  func append(_ path: String, _ bytes: [UInt8]) throws(StorageError) { throw .notPermitted }
  func overwrite(_ path: String, offset: Int, _ bytes: [UInt8]) throws(StorageError) {
    throw .notPermitted
  }
  func truncate(_ path: String, to count: Int) throws(StorageError) { throw .notPermitted }
  func barrier(_ path: String) throws(StorageError) { throw .notPermitted }
  func rename(_ path: String, to target: String) throws(StorageError) { throw .notPermitted }
  func remove(_ path: String) throws(StorageError) { throw .notPermitted }
  func createDirectory(_ path: String) throws(StorageError) { throw .notPermitted }
  func excludeFromBackup(_ path: String) throws(StorageError) { throw .notPermitted }
}

extension UnavailablePorts: MetricsHTTPClient {
  func start(
    _ request: HTTPRequest, on queue: any SerialQueuePort,
    completion: @escaping @Sendable (Result<HTTPResponse, HTTPFailure>) -> Void
  ) -> HTTPToken {
    completion(.failure(.notConnected))
    return HTTPToken(value: 0)
  }
  func cancel(_ token: HTTPToken) {}
}

extension UnavailablePorts: SchedulerPort, SerialQueuePort {
  var main: any SerialQueuePort { self }
  func makeSerialQueue(label: String) -> any SerialQueuePort { self }
  func async(_ job: @escaping @Sendable () -> Void) {}
  func schedule(
    afterNanoseconds nanoseconds: Int64, clock: TimerClock, _ job: @escaping @Sendable () -> Void
  ) -> TimerToken { TimerToken(value: 0) }
  func cancel(_ token: TimerToken) {}
}

extension UnavailablePorts: ApplicationPort {
  func observe(_ handler: @escaping @Sendable (ApplicationEvent) -> Void) {}
  func state() -> ApplicationState { .background }
  func stateOnMainThread() -> ApplicationState? { .background }
  func beginBackgroundTask(expiration: @escaping @Sendable () -> Void) -> BackgroundTaskToken? {
    nil
  }
  func endBackgroundTask(_ token: BackgroundTaskToken) {}
}

extension UnavailablePorts: ContextPort {
  func fixed() -> FixedContext {
    FixedContext(
      appName: "", appVersion: "", appBuild: "", appNamespace: "", deviceType: "",
      deviceManufacturer: "", deviceModel: "", systemName: "", systemVersion: "")
  }
  func current() -> CurrentContext { .unread }
}

extension UnavailablePorts: LogPort {
  func log(_ diagnostic: Diagnostic) {
    guard diagnostic == .noPlatform else { return }
    let line = "com.postlip.metrics: the client was given no platform and does not start\n"
    FileHandle.standardError.write(Data(line.utf8))
  }
}
