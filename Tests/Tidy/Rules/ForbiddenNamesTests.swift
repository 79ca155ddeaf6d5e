import Testing

/// What may not be named where, and why (determinism rule 3, and what iOS 13 lacks).
enum ForbiddenNames {
  struct Group {
    var reason: String
    var tokens: [String]
    /// Path prefixes that the group binds.
    var places: [String]
    /// Files or folders that are free of it, each with the reason.
    var exceptions: [(path: String, reason: String)] = []
  }

  private static let simulated = ["Sources/SimKernel/", "Sources/SDK/", "Sources/Fuzz/"]
  private static let everything = simulated + ["Sources/simlab/"]
  private static let pure = [
    "Sources/SimKernel/", "Sources/SDK/", "Sources/Fuzz/History/", "Sources/Fuzz/Scenario/",
    "Sources/Fuzz/Invariants/", "Sources/Fuzz/World/", "Sources/Fuzz/Property/",
  ]

  /// Files of `Fuzz/Lab` and `simlab` that may use clocks, processes, poll and signals.
  static let machineFiles: [(path: String, reason: String)] = [
    ("Sources/Fuzz/Lab/Bench/", "measures time"),
    ("Sources/Fuzz/Lab/Search/WorkerProcess.swift", "starts, feeds and ends a worker"),
    ("Sources/Fuzz/Lab/Search/Interruption.swift", "hears Ctrl-C"),
    ("Sources/Fuzz/Lab/Search/WorkerPool.swift", "waits for workers"),
    ("Sources/Fuzz/Lab/Search/ParentWatch.swift", "sees the end of the parent process"),
    ("Sources/Fuzz/Lab/Run/CrashNote.swift", "hears the signals of a trap"),
    ("Sources/Fuzz/Lab/Run/ProcessClock.swift", "the processor time of a run, for reports"),
    ("Sources/Fuzz/Lab/Search/WorkerProcess.swift", "starts, hears and ends worker processes"),
    ("Sources/Fuzz/Lab/Search/WorkerPool.swift", "waits for the first of several workers"),
    ("Sources/Fuzz/Lab/Search/Interruption.swift", "ends a campaign cleanly on a signal"),
  ]

  private static let withoutPlatform = (
    path: "Sources/SDK/Platform/UnavailablePlatform.swift",
    reason: "stands where no platform was given: an id, and one line of why"
  )

  static let groups: [Group] = [
    Group(
      reason: "reads the machine's wall clock",
      tokens: [
        "Date()", "Date.now", "NSDate()", "timeIntervalSinceNow", "CFAbsoluteTimeGetCurrent",
        "gettimeofday", "systemUptime", "DispatchTime", "DispatchWallTime",
      ], places: everything),
    Group(
      reason: "draws from the machine's randomness",
      tokens: [
        "UUID()", "NSUUID()", ".shuffled()", ".shuffle()", ".randomElement()", "arc4random",
        "arc4random_uniform", "drand48", "random()", "rand()", "SystemRandomNumberGenerator",
      ], places: everything, exceptions: [withoutPlatform]),
    Group(
      reason: "runs code at a time or on a thread that the kernel does not own",
      tokens: [
        "Task", "DispatchQueue", "DispatchGroup", "DispatchSemaphore", "DispatchWorkItem", "Thread",
        "OperationQueue", "RunLoop", "async let", "withTaskGroup", "TaskGroup", "pthread_create",
      ], places: everything,
      exceptions: [
        ("Sources/Fuzz/Lab/Search/ParentWatch.swift", "looks after the parent while a job is stuck")
      ]),
    Group(
      reason: "is another one on another machine or for another user",
      tokens: [
        "Locale.current", "Locale.autoupdatingCurrent", "NSLocale.current", "TimeZone.current",
        "TimeZone.autoupdatingCurrent", "Calendar.current", "Calendar.autoupdatingCurrent",
      ], places: everything),
    Group(
      reason: "is another value in each process",
      tokens: ["hashValue", "Hasher()", "ObjectIdentifier", "Unmanaged"], places: everything,
      exceptions: [
        (
          "Sources/Fuzz/Invariants/Framework/Judge.swift",
          "calls invariants without counting references; no address is read"
        )
      ]),
    Group(
      reason: "is a clock or a source of the machine's own",
      tokens: [
        "ContinuousClock", "SuspendingClock", "clock_gettime", "DispatchSource", "usleep",
        "nanosleep",
      ],
      places: pure),
    Group(
      reason: "is a clock, process, poll or signal outside the files listed for it",
      tokens: [
        "ContinuousClock", "SuspendingClock", "clock_gettime", "DispatchSource", "usleep",
        "nanosleep", "Process()", "poll(", "signal(", "sigaction(", "fork()", "posix_spawn",
        "waitpid(", "kill(",
      ], places: ["Sources/Fuzz/Lab/", "Sources/simlab/"], exceptions: machineFiles),
    Group(
      reason: "is not there on iOS 13",
      tokens: [
        "Duration", "ContinuousClock", "Regex", "Mutex", "Atomic", "Span", ".formatted(",
        "URL(filePath:", "any Sequence<", "any Collection<", "Clock",
      ], places: ["Sources/SDK/"], exceptions: [("Sources/SDK/Live/", "checks availability")]),
    Group(
      reason: "reaches the machine past the ports",
      tokens: [
        "FileManager", "FileHandle", "URLSession", "UserDefaults", "NotificationCenter",
        "ProcessInfo", "Bundle", "fopen", "getenv", "print(", "NSLog",
      ], places: ["Sources/SDK/", "Sources/SimKernel/"],
      exceptions: [("Sources/SDK/Live/", "is the machine"), withoutPlatform]),
    Group(
      reason: "ends the host app (API-03)",
      tokens: ["fatalError", "try!", "as!", "abort()", "exit("],
      places: ["Sources/SDK/"],
      exceptions: [
        ("Sources/SDK/Encoding/ValueEncoder.swift", "casts to the type that was just compared")
      ]),
  ]

  static func check(_ file: SourceFile) -> [Violation] {
    var violations: [Violation] = []
    for group in groups where group.places.contains(where: file.path.hasPrefix) {
      if group.exceptions.contains(where: { file.path.hasPrefix($0.path) }) { continue }
      for token in group.tokens {
        for place in file.occurrences(of: token) where !isOurOwn(token, after: place.before) {
          violations.append(file.violation(place.line, "\(token) \(group.reason)"))
        }
      }
    }
    if everything.contains(where: file.path.hasPrefix) {
      for place in file.occurrences(of: ".random(") where !place.rest.contains("using:") {
        violations.append(
          file.violation(place.line, ".random( without a generator draws from the machine"))
      }
    }
    return violations.sorted { ($0.line, $0.message) < ($1.line, $1.message) }
  }

  /// Whether what looks like a call of a C function is a case or a method of that name.
  private static func isOurOwn(_ token: String, after before: Substring) -> Bool {
    guard token.hasSuffix("("), token.first?.isLowercase == true else { return false }
    return [".", "case ", "func "].contains { before.hasSuffix($0) }
  }
}

@Suite struct ForbiddenNamesTests {
  @Test func theSourcesNameNothingForbidden() {
    expectNone(Repository.sources.flatMap(ForbiddenNames.check))
  }

  /// Every token of every group fires in every place it binds, at the right line, and only there.
  @Test func everyTokenFires() {
    for group in ForbiddenNames.groups {
      for place in group.places {
        for token in group.tokens {
          let file = planted("let a = 1\nlet b = c(\(token) )\n", at: place + "Planted.swift")
          let violations = ForbiddenNames.check(file)
          #expect(violations.contains { $0.message == "\(token) \(group.reason)" }, "\(token)")
          #expect(violations.allSatisfy { $0.line == 2 }, "\(token): \(violations)")
        }
      }
    }
  }

  @Test func aDrawWithoutGeneratorFires() {
    let bad = planted("let x = Int.random(in: 0..<4)")
    #expect(ForbiddenNames.check(bad).map(\.line) == [1])
    let good = planted("let x = Int.random(in: 0..<4, using: &stream)")
    #expect(ForbiddenNames.check(good).isEmpty)
  }

  @Test func commentsStringsAndOtherWordsAreNoAlarm() {
    let file = planted(
      """
      // Date() and UUID() are forbidden.
      /// Like `Thread`.
      let text = "Task { DispatchQueue.main }"
      let updated = lastUpdate()
      struct TaskToken {}
      let backgroundTask = beginBackgroundTask()
      case signal(Int32)
      func kill(_ process: Int) { end = .signal(9) }
      """)
    #expect(ForbiddenNames.check(file).isEmpty)
  }

  @Test func everyExceptionStillExists() {
    let exceptions = ForbiddenNames.groups.flatMap(\.exceptions)
      .filter { !$0.path.hasPrefix("Sources/SDK/Live/") }
    for (path, _) in ForbiddenNames.machineFiles + exceptions {
      #expect(Repository.exists(path), "\(path) is listed and gone")
    }
  }
}
