import Foundation

/// Workers that are fed, watched, and replaced when they die.
///
/// One thread waits for all of them. Which worker runs what has no influence on what comes out.
final class WorkerPool {
  struct Limits: Sendable {
    /// Processor time of one piece of work.
    var seconds = 60
    /// Resident memory of a worker.
    var bytes = 2_000_000_000

    init() {}
  }

  private struct Slot {
    var worker: WorkerProcess
    /// What it was given and has not answered, oldest first.
    var outstanding: [WorkItem] = []
    /// Processor time of the worker when it began on the oldest.
    var cpuAtStart = 0.0
  }

  private let program: String
  private let arguments: [String]
  private let environment: [(name: String, value: String)]
  private let jobs: Int
  private let limits: Limits
  private var slots: [Slot] = []
  private var waiting: [WorkItem] = []
  private var lastCheck = ProcessClock.nanoseconds()
  /// How many workers died in the middle of their work.
  private(set) var deaths = 0

  /// Work that a worker holds beside what it runs, so that it never waits for the campaign.
  private static let window = 4

  /// Starts the workers.
  /// - Parameters:
  ///   - program: a build of this command.
  ///   - jobs: how many run at a time.
  ///   - processes: how many there are; more than `jobs` where runs must meet two of them.
  init(
    program: String, arguments: [String] = ["worker"],
    environment: [(name: String, value: String)] = [], jobs: Int, processes: Int? = nil,
    limits: Limits = Limits()
  ) throws {
    self.program = program
    self.arguments = arguments
    self.environment = environment
    self.jobs = jobs
    self.limits = limits
    for _ in 0..<max(jobs, processes ?? jobs) { slots.append(Slot(worker: try start())) }
  }

  /// The program that runs now.
  static var ownProgram: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
      ?? CommandLine.arguments[0]
  }

  /// How much is given out or waits.
  var pending: Int { waiting.count + slots.reduce(0) { $0 + $1.outstanding.count } }

  /// Adds work behind what waits.
  func add(_ item: WorkItem) { waiting.append(item) }

  /// Forgets what was not given out yet.
  func dropWaiting() { waiting.removeAll() }

  /// Whether it could take more work at once.
  var isHungry: Bool { waiting.count < slots.count * WorkerPool.window }

  /// Waits until something happens, at most `milliseconds`.
  /// - Parameter receive: is told of each piece of work that is done, with the worker's place.
  func step(
    milliseconds: Int32, receive: (WorkItem, WorkOutcome, _ worker: Int) throws -> Void
  ) throws {
    feed()
    var polled: [pollfd] = []
    for slot in slots {
      polled.append(pollfd(fd: slot.worker.output, events: Int16(POLLIN), revents: 0))
      polled.append(pollfd(fd: slot.worker.errors, events: Int16(POLLIN), revents: 0))
    }
    let ready = poll(&polled, nfds_t(polled.count), milliseconds)
    if ready > 0 {
      for place in slots.indices {
        if polled[place * 2 + 1].revents != 0 { slots[place].worker.receiveWords() }
        if polled[place * 2].revents != 0 { try take(from: place, receive: receive) }
      }
    }
    if ProcessClock.secondsSince(lastCheck) > 0.5 {
      lastCheck = ProcessClock.nanoseconds()
      try checkLimits(receive: receive)
    }
  }

  private func start() throws -> WorkerProcess {
    // A backtrace takes seconds; a death is run again with one, once.
    let quiet = (name: "SWIFT_BACKTRACE", value: "enable=no")
    return try WorkerProcess(
      program: program, arguments: arguments, environment: environment + [quiet])
  }

  /// Gives each worker one piece before any gets a second.
  private func feed() {
    for depth in 1...WorkerPool.window {
      for place in slots.indices where slots[place].outstanding.count < depth && mayWork(place) {
        guard let index = waiting.firstIndex(where: { $0.avoiding != place }) else { continue }
        give(waiting.remove(at: index), to: place)
      }
    }
  }

  private func give(_ item: WorkItem, to place: Int) {
    if slots[place].outstanding.isEmpty {
      slots[place].cpuAtStart = Machine.cpuSeconds(of: slots[place].worker.identifier)
    }
    slots[place].outstanding.append(item)
    slots[place].worker.send(item.line)
  }

  private func mayWork(_ place: Int) -> Bool {
    !slots[place].outstanding.isEmpty || slots.count { !$0.outstanding.isEmpty } < jobs
  }

  private func take(
    from place: Int, receive: (WorkItem, WorkOutcome, Int) throws -> Void
  ) throws {
    let (lines, hasEnded) = slots[place].worker.receive()
    for line in lines {
      guard !slots[place].outstanding.isEmpty else {
        throw LabError("a worker answered a question that nobody asked")
      }
      let report = try WorkerLine.report(in: line)
      let item = slots[place].outstanding.removeFirst()
      slots[place].cpuAtStart = Machine.cpuSeconds(of: slots[place].worker.identifier)
      try receive(item, .report(report), place)
    }
    if hasEnded { try replace(place, receive: receive) }
  }

  private func replace(
    _ place: Int, because kind: WorkerDeath.Kind? = nil,
    receive: (WorkItem, WorkOutcome, Int) throws -> Void
  ) throws {
    let slot = slots[place]
    let end = slot.worker.reap()
    slots[place] = Slot(worker: try start())
    guard let culprit = slot.outstanding.first else {
      throw LabError("a worker ended without work: \(slot.worker.lastWords.suffix(500))")
    }
    deaths += 1
    waiting.insert(contentsOf: slot.outstanding.dropFirst(), at: 0)
    let ending: WorkerDeath.Kind = end.signal.map { .signal($0) } ?? .exit(end.code)
    let death = WorkerDeath(kind: kind ?? ending, lastWords: slot.worker.lastWords)
    try receive(culprit, .death(death), place)
  }

  private func checkLimits(receive: (WorkItem, WorkOutcome, Int) throws -> Void) throws {
    for place in slots.indices where !slots[place].outstanding.isEmpty {
      let worker = slots[place].worker
      let seconds = Machine.cpuSeconds(of: worker.identifier) - slots[place].cpuAtStart
      let bytes = Machine.residentBytes(of: worker.identifier)
      if seconds > Double(limits.seconds) {
        worker.end()
        try replace(place, because: .runaway(seconds: limits.seconds), receive: receive)
      } else if bytes > limits.bytes {
        worker.end()
        try replace(place, because: .memory(bytes: bytes), receive: receive)
      }
    }
  }
}
