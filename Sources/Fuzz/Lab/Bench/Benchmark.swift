import FuzzHistory

/// The whole benchmark: the bare kernel, then profiles, each in processes of its own.
public struct Benchmark: Sendable {
  /// What is measured, and how often.
  public struct Plan: Sendable {
    public var profiles: [String] = []
    public var seeds = 500
    public var repetitions = 3
    public var kernelEvents = 4_000_000
    /// Whether memory after many seeds is compared with memory after few.
    public var measuresMemory = false
    /// How many scenarios are reduced.
    public var reductions = 3

    public init() {}
  }

  /// Resident memory of one process after some and after ten times as many seeds.
  public struct Memory: Sendable {
    public var profile: String
    public var seeds: Int
    public var bytes: Int
    public var laterSeeds: Int
    public var laterBytes: Int

    /// How much of the memory each further seed left behind.
    var bytesPerSeed: Double { Double(laterBytes - bytes) / Double(max(1, laterSeeds - seeds)) }
  }

  public private(set) var kernel: [KernelBenchmark.Result] = []
  public private(set) var profiles: [ProfileBenchmark] = []
  public private(set) var memory: [Memory] = []
  public private(set) var reductions: [ShrinkBenchmark] = []

  /// Measures everything of a plan.
  /// - Throws: `LabError` when a measuring process fails.
  public init(_ plan: Plan, progress: Progress) throws {
    for pending in [256, 4_096] {
      progress.show("kernel, \(pending) pending")
      kernel.append(
        KernelBenchmark.median(
          pending: pending, events: plan.kernelEvents, repetitions: plan.repetitions))
    }
    for profile in plan.profiles {
      let runs = try (1...plan.repetitions).map { round in
        try Benchmark.child(profile, seeds: plan.seeds) {
          progress.show("\(profile), \(round) of \(plan.repetitions)")
        }
      }
      profiles.append(.median(of: runs))
    }
    for seed in 0..<UInt64(plan.reductions) {
      progress.show("reducing seed \(seed)")
      reductions.append(try ShrinkBenchmark.measure(seed: seed))
    }
    if plan.measuresMemory {
      let few = try Benchmark.child("default", seeds: 1_000) {
        progress.show("memory after 1 000 seeds")
      }
      let many = try Benchmark.child("default", seeds: 10_000) {
        progress.show("memory after 10 000 seeds")
      }
      memory.append(
        Memory(
          profile: "default", seeds: few.seeds, bytes: few.residentBytes, laterSeeds: many.seeds,
          laterBytes: many.residentBytes))
    }
    progress.clear()
  }

  /// Measures in a fresh process, whose peak of memory is its own.
  private static func child(
    _ profile: String, seeds: Int, tick: () -> Void
  ) throws -> ProfileBenchmark {
    let outcome = try ChildRun.run(
      WorkerPool.ownProgram, ["bench", "--measure", profile, "--seeds", "\(seeds)"], tick: tick)
    guard outcome.code == 0, outcome.signal == nil, let line = outcome.output.last,
      let json = try? JSONValue.parse(line), let measured = ProfileBenchmark(json: json)
    else {
      throw LabError("measuring \(profile) failed: \(outcome.words.suffix(400))")
    }
    return measured
  }

  /// Everything as one object.
  public var json: JSONValue {
    var entries = [
      JSONEntry("kernel", .array(kernel.map(Benchmark.json))),
      JSONEntry("profiles", .array(profiles.map(\.json))),
    ]
    entries.append(JSONEntry("shrink", .array(reductions.map(\.json))))
    if !memory.isEmpty { entries.append(JSONEntry("memory", .array(memory.map(Benchmark.json)))) }
    entries.append(JSONEntry("build", .string(BuildIdentity.current)))
    return .object(entries)
  }

  private static func json(_ result: KernelBenchmark.Result) -> JSONValue {
    .object([
      JSONEntry("pending", .count(result.pending)),
      JSONEntry("events_per_second", .rounded(result.eventsPerSecond, 0)),
      JSONEntry("closure_heap_events_per_second", .rounded(result.baselineEventsPerSecond, 0)),
    ])
  }

  private static func json(_ memory: Memory) -> JSONValue {
    .object([
      JSONEntry("profile", .string(memory.profile)),
      JSONEntry("seeds", .count(memory.seeds)),
      JSONEntry("resident_bytes", .count(memory.bytes)),
      JSONEntry("later_seeds", .count(memory.laterSeeds)),
      JSONEntry("later_resident_bytes", .count(memory.laterBytes)),
      JSONEntry("bytes_per_seed", .rounded(memory.bytesPerSeed, 1)),
    ])
  }

  /// Everything as lines for people.
  public var lines: [String] {
    var lines: [String] = []
    for result in kernel {
      lines.append(
        "kernel, \(result.pending) pending: "
          + "\(Figures.decimal(result.eventsPerSecond / 1e6, 2)) million events/s "
          + "(a heap of closures: \(Figures.decimal(result.baselineEventsPerSecond / 1e6, 2)))")
    }
    for measured in profiles {
      lines.append(
        "\(measured.profile): \(Figures.decimal(measured.seedsPerSecond, 1)) seeds/s, "
          + "\(Figures.decimal(measured.seedsPerCoreSecond, 1)) a core second, "
          + "p50 \(Figures.decimal(measured.p50Milliseconds, 2)) ms, "
          + "p95 \(Figures.decimal(measured.p95Milliseconds, 2)) ms, "
          + "\(Figures.grouped(Int(measured.deviceHoursPerCoreSecond))) device hours a core "
          + "second, peak \(megabytes(measured.peakBytes)) MB")
    }
    for reduced in reductions { lines.append(reduced.line) }
    for memory in memory {
      lines.append(
        "memory of \(memory.profile): \(megabytes(memory.bytes)) MB after "
          + "\(Figures.grouped(memory.seeds)) seeds, \(megabytes(memory.laterBytes)) MB after "
          + "\(Figures.grouped(memory.laterSeeds))")
    }
    return lines
  }

  private func megabytes(_ bytes: Int) -> String { Figures.decimal(Double(bytes) / 1e6, 1) }
}
