import Foundation

@testable import SDK

/// A machine that a test moves by hand: nothing happens until `run` or `advance` is called, and one
/// queue of jobs and timers, ordered by time and then by insertion, stands for all threads.
final class ManualPlatform: @unchecked Sendable {
  let storage = MemoryStorage()
  let lock = ManualLock()
  /// What tells the process of its death; nil tells of none.
  var crashes: ManualCrashes?
  var wallNanoseconds: Int64 = 1_790_000_000_000_000_000
  var uptimeNanoseconds: Int64 = 5_000_000_000
  var boot: UInt64 = 77
  var draws: UInt64 = 0
  var currentContext = CurrentContext(
    locale: "tr-TR", timeZone: "Europe/Istanbul", network: .wifi, screenWidth: 393,
    screenHeight: 852)
  var app = (version: "1.4.0", build: "140")
  /// In place of all that this machine says of itself.
  var fixedContext: FixedContext?
  var applicationState = ApplicationState.active
  /// Whether calls are made on what stands for the main thread.
  var isOnMainThread = true
  var source = Distribution.appStore
  var system = "17.5.1"
  /// Who asked for the token of the install and waits for it.
  var tokenQuestions: [(String?) -> Void] = []
  var advertisingId = "6D92078A-8246-4BA4-AE5B-76104861E7DC"
  /// What was asked of the ids of device and user.
  var identityQuestions: [String] = []
  var diagnostics: [Diagnostic] = []
  /// Ports entered while a public call runs, of those that no call may enter.
  var isInCall = false
  var portsEnteredInCalls: [String] = []

  // Jobs and timers.
  private struct Job {
    var due: Int64
    var order: UInt64
    var token: UInt64
    var work: () -> Void
  }
  private var jobs: [Job] = []
  private var nextToken: UInt64 = 1

  // Requests.
  struct Exchange {
    var request: HTTPRequest
    var startedAt: Int64
    var completion: @Sendable (Result<HTTPResponse, HTTPFailure>) -> Void
    var isEnded = false
  }
  var exchanges: [Exchange] = []
  /// Answers each request by itself as it starts; nil leaves it open.
  var responder: ((HTTPRequest) -> Result<HTTPResponse, HTTPFailure>?)?
  var answerDelayNanoseconds: Int64 = 50_000_000

  // The app.
  var handlers: [@Sendable (ApplicationEvent) -> Void] = []
  var expirations: [UInt64: @Sendable () -> Void] = [:]
  var begunTasks: [UInt64] = []
  var endedTasks: [UInt64] = []

  var platform: Platform {
    Platform(
      clock: self, random: self, storage: storage, storageLock: lock, http: self, scheduler: self,
      application: self, context: self, attribution: self, identity: self, log: self,
      crashes: crashes ?? NoCrashes())
  }

  func makeClient() -> PostlipMetricsClient { PostlipMetricsClient(platform: platform) }

  /// A relaunch: the running process is gone with its jobs, requests and observers.
  func endProcess() {
    jobs = []
    tokenQuestions = []
    exchanges = exchanges.map {
      var exchange = $0
      exchange.isEnded = true
      return exchange
    }
    handlers = []
    expirations = [:]
    crashes?.endProcess()
    lock.endProcess()
  }

  func add(after nanoseconds: Int64, _ work: @escaping () -> Void) -> UInt64 {
    nextToken += 1
    jobs.append(
      Job(
        due: uptimeNanoseconds + max(0, nanoseconds), order: nextToken, token: nextToken,
        work: work))
    return nextToken
  }

  /// Runs everything that is due now.
  func run() { advance(nanoseconds: 0) }

  func advance(seconds: Double) { advance(nanoseconds: Int64(seconds * 1_000_000_000)) }

  /// Lets time pass and runs what falls due, in order.
  func advance(nanoseconds: Int64) {
    let end = uptimeNanoseconds + nanoseconds
    var steps = 0
    while let next = jobs.min(by: { ($0.due, $0.order) < ($1.due, $1.order) }), next.due <= end {
      jobs.removeAll { $0.token == next.token }
      move(to: max(uptimeNanoseconds, next.due))
      next.work()
      steps += 1
      precondition(steps < 1_000_000, "the machine does not come to rest")
    }
    move(to: end)
  }

  private func move(to uptime: Int64) {
    wallNanoseconds += uptime - uptimeNanoseconds
    uptimeNanoseconds = uptime
  }

  /// How many jobs and timers wait.
  var pendingJobs: Int { jobs.count }

  func post(_ event: ApplicationEvent) {
    for handler in handlers { handler(event) }
    run()
  }

  func answer(_ index: Int, _ result: Result<HTTPResponse, HTTPFailure>) {
    guard !exchanges[index].isEnded else { return }
    exchanges[index].isEnded = true
    exchanges[index].completion(result)
  }

  func enter(_ port: String) {
    if isInCall { portsEnteredInCalls.append(port) }
  }

  // What the tests look at.
  var batchRequests: [HTTPRequest] {
    exchanges.map { $0.request }.filter { $0.purpose == "batch" }
  }
  var batches: [[String: Any]] {
    batchRequests.map {
      (try? JSONSerialization.jsonObject(with: Data($0.body))) as? [String: Any] ?? [:]
    }
  }
  var sentMessages: [[String: Any]] {
    batches.flatMap { $0["batch"] as? [[String: Any]] ?? [] }
  }
  func names(_ messages: [[String: Any]]) -> [String] {
    messages.map { $0["event"] as? String ?? $0["name"] as? String ?? $0["type"] as? String ?? "" }
  }
  var sentNames: [[String]] {
    batches.map { names($0["batch"] as? [[String: Any]] ?? []) }
  }
  var sentIds: [[String]] {
    batches.map { ($0["batch"] as? [[String: Any]] ?? []).map { $0["messageId"] as? String ?? "" } }
  }
}

extension ManualPlatform: ClockPort {
  func wall() -> Int64 { wallNanoseconds }
  func awake() -> Int64 { uptimeNanoseconds }
  func continuous() -> Int64 { uptimeNanoseconds }
  func bootIdentifier() -> UInt64 { boot }
}

extension ManualPlatform: RandomPort {
  func random128(_ purpose: RandomPurpose, key: UInt64) -> (high: UInt64, low: UInt64) {
    draws += 1
    let high = (draws &* 0x9E37_79B9_7F4A_7C15) ^ UInt64(purpose.rawValue) << 56
    return (high, (high ^ high >> 29) &* 0xBF58_476D_1CE4_E5B9)
  }
}

extension ManualPlatform: SchedulerPort {
  var main: any SerialQueuePort { self }
  func makeSerialQueue(label: String) -> any SerialQueuePort { self }
}

extension ManualPlatform: SerialQueuePort {
  func async(_ job: @escaping @Sendable () -> Void) { _ = add(after: 0, job) }
  func schedule(
    afterNanoseconds nanoseconds: Int64, clock: TimerClock, _ job: @escaping @Sendable () -> Void
  ) -> TimerToken { TimerToken(value: add(after: nanoseconds, job)) }
  func cancel(_ token: TimerToken) { jobs.removeAll { $0.token == token.value } }
}

extension ManualPlatform: MetricsHTTPClient {
  func start(
    _ request: HTTPRequest, on queue: any SerialQueuePort,
    completion: @escaping @Sendable (Result<HTTPResponse, HTTPFailure>) -> Void
  ) -> HTTPToken {
    enter("http")
    let index = exchanges.count
    exchanges.append(
      Exchange(request: request, startedAt: uptimeNanoseconds, completion: completion))
    if let result = responder?(request) {
      _ = add(after: answerDelayNanoseconds) { self.answer(index, result) }
    } else {
      _ = add(after: Int64(request.totalTimeoutMilliseconds) * 1_000_000) {
        self.answer(index, .failure(.timedOut))
      }
    }
    return HTTPToken(value: UInt64(index))
  }

  func cancel(_ token: HTTPToken) {
    let index = Int(token.value)
    _ = add(after: 0) { self.answer(index, .failure(.cancelled)) }
  }
}

extension ManualPlatform: ApplicationPort {
  func observe(_ handler: @escaping @Sendable (ApplicationEvent) -> Void) {
    handlers.append(handler)
  }
  func state() -> ApplicationState { applicationState }
  func stateOnMainThread() -> ApplicationState? { isOnMainThread ? applicationState : nil }
  func beginBackgroundTask(expiration: @escaping @Sendable () -> Void) -> BackgroundTaskToken? {
    nextToken += 1
    begunTasks.append(nextToken)
    expirations[nextToken] = expiration
    return BackgroundTaskToken(value: nextToken)
  }
  func endBackgroundTask(_ token: BackgroundTaskToken) {
    endedTasks.append(token.value)
    expirations[token.value] = nil
  }
}

extension ManualPlatform: ContextPort {
  func fixed() -> FixedContext {
    fixedContext
      ?? FixedContext(
        appName: "Kiosk", appVersion: app.version, appBuild: app.build,
        appNamespace: "com.example.kiosk",
        deviceType: "phone", deviceManufacturer: "Apple", deviceModel: "iPhone15,2",
        systemName: "iOS", systemVersion: system)
  }
  func current() -> CurrentContext { currentContext }
}

extension ManualPlatform: AttributionPort {
  func distribution() -> Distribution { source }
  func attributionToken(
    on queue: any SerialQueuePort, _ completion: @escaping @Sendable (String?) -> Void
  ) {
    tokenQuestions.append { token in queue.async { completion(token) } }
  }
}

extension ManualPlatform: IdentityPort {
  func advertisingIdentifier() -> String {
    identityQuestions.append("advertising")
    return currentContext.tracking == .authorized ? advertisingId : NoIdentity.zeros
  }
  func vendorIdentifier() -> String? {
    identityQuestions.append("vendor")
    return "B6A1F5C0-0000-4000-8000-000000000001"
  }
  func requestTrackingAuthorization() { identityQuestions.append("prompt") }
}

extension ManualPlatform: LogPort {
  func log(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }
}

extension HTTPResponse {
  static func status(_ status: Int, _ body: String = "{}", headers: [HTTPHeader] = [])
    -> HTTPResponse
  {
    HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
  }
}
