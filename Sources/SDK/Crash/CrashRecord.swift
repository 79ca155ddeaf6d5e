/// What is known of a process before it dies: the part of a crash record that is prepared.
struct CrashSubject: Equatable, Sendable {
  /// The id of its event, fixed so that it is one event however often it is queued (S-57).
  var messageId: String
  var anonymousId: String
  var sessionId: String
  var userId: String?
  /// The path of the screen that shows.
  var path: String
  var app: AppVersion
  /// What the wall clock and the clock that runs in sleep showed when the process read them, in
  /// nanoseconds.
  var anchor: Int64
  var anchorUptime: Int64
}

/// A crash as it lies on disk (docs/disk.md: crash records).
struct CrashRecord: Equatable, Sendable {
  /// What only an exception has (CRA-17).
  struct Details: Equatable, Sendable {
    var type: String
    var message: String
    var stack: String
    var stackHash: String
    var threadName: String
  }

  /// How a process died.
  enum Cause: Equatable, Sendable {
    case exception(Details)
    case signal(FatalSignal)
  }

  var subject: CrashSubject
  var cause: Cause
  var thread: UInt32
  /// The clock that runs in sleep, in nanoseconds.
  var uptime: Int64

  /// When the process died, by its own anchor.
  var time: Int64 { floorDivide(subject.anchor &+ (uptime &- subject.anchorUptime), 1_000_000) }

  /// The properties of its event as JSON.
  var properties: [UInt8] {
    var details: Details?
    if case .exception(let exception) = cause { details = exception }
    return CrashProperties(
      app: subject.app, isFatal: true, kind: "crash", message: details?.message,
      path: subject.path, stack: details?.stack, stackHash: stackHash, thread: threadName,
      type: type
    ).json
  }

  private var type: String {
    switch cause {
    case .exception(let details): return details.type
    case .signal(let signal): return "\(signal.name)"
    }
  }

  /// A signal is grouped by its name alone (S-60).
  private var stackHash: String {
    switch cause {
    case .exception(let details): return details.stackHash
    case .signal: return CallStack(rawFrames: []).hash(type: type)
    }
  }

  private var threadName: String {
    if thread == 0 { return "main" }
    if case .exception(let details) = cause, !details.threadName.isEmpty {
      return details.threadName
    }
    return "thread \(thread)"
  }
}

extension String {
  /// The first scalars of a text.
  func prefix(scalars count: Int) -> String {
    // Most texts are short: their bytes say so.
    if utf8.count <= count { return self }
    return String(unicodeScalars.prefix(count))
  }
}
