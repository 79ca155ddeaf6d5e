import FuzzHistory
import FuzzScenario

/// How fast seeds of one profile are lived and judged by one process: generation, run, history,
/// canaries, hash, invariants and report, all of it.
public struct ProfileBenchmark: Sendable {
  public var profile: String
  public var seeds: Int
  public var seedsPerSecond: Double
  /// The same by processor time, which neighbours on the machine disturb less.
  public var seedsPerCoreSecond: Double
  public var p50Milliseconds: Double
  public var p95Milliseconds: Double
  public var deviceHoursPerCoreSecond: Double
  /// The most resident memory that the process had.
  public var peakBytes: Int
  /// Resident memory after the last seed.
  public var residentBytes: Int

  /// Runs the first seeds of a profile in this process, once.
  public static func measure(profile: String, seeds: Int) -> ProfileBenchmark {
    var milliseconds: [Double] = []
    var simulatedSeconds = 0.0
    let start = ProcessClock.nanoseconds()
    let cpuStart = ProcessClock.cpuNanoseconds()
    for seed in 0..<seeds {
      let before = ProcessClock.cpuNanoseconds()
      let scenario = ScenarioSource.generate(seed: UInt64(seed), profile: profile)
      let run = CompletedRun(running: scenario)
      // The line is part of what a worker does for each seed.
      precondition(!run.report.json.line.isEmpty, "a report is never empty")
      simulatedSeconds += run.report.simulatedSeconds
      milliseconds.append(Double(ProcessClock.cpuNanoseconds() - before) / 1e6)
    }
    let cpuSeconds = Double(ProcessClock.cpuNanoseconds() - cpuStart) / 1e9
    let seconds = ProcessClock.secondsSince(start)
    milliseconds.sort()
    return ProfileBenchmark(
      profile: profile, seeds: seeds, seedsPerSecond: Double(seeds) / seconds,
      seedsPerCoreSecond: Double(seeds) / cpuSeconds,
      p50Milliseconds: milliseconds[seeds / 2], p95Milliseconds: milliseconds[seeds * 95 / 100],
      deviceHoursPerCoreSecond: simulatedSeconds / 3_600 / cpuSeconds,
      peakBytes: Machine.ownPeakBytes, residentBytes: Machine.ownResidentBytes)
  }

  /// The one in the middle by speed; the largest memory of all.
  static func median(of runs: [ProfileBenchmark]) -> ProfileBenchmark {
    precondition(!runs.isEmpty, "a median needs a run")
    let sorted = runs.sorted { $0.seedsPerSecond < $1.seedsPerSecond }
    var middle = sorted[sorted.count / 2]
    middle.peakBytes = runs.map(\.peakBytes).max() ?? 0
    return middle
  }

  /// The measurement as an object.
  public var json: JSONValue {
    .object([
      JSONEntry("profile", .string(profile)),
      JSONEntry("seeds", .count(seeds)),
      JSONEntry("seeds_per_second", .rounded(seedsPerSecond, 1)),
      JSONEntry("seeds_per_core_second", .rounded(seedsPerCoreSecond, 1)),
      JSONEntry("p50_milliseconds", .rounded(p50Milliseconds, 2)),
      JSONEntry("p95_milliseconds", .rounded(p95Milliseconds, 2)),
      JSONEntry("device_hours_per_core_second", .rounded(deviceHoursPerCoreSecond, 0)),
      JSONEntry("peak_bytes", .count(peakBytes)),
      JSONEntry("resident_bytes", .count(residentBytes)),
    ])
  }

  init?(json: JSONValue) {
    guard let profile = json["profile"]?.string, json["seeds_per_second"] != nil else { return nil }
    func real(_ key: String) -> Double { json[key]?.real ?? 0 }
    self.init(
      profile: profile, seeds: json.count(of: "seeds"), seedsPerSecond: real("seeds_per_second"),
      seedsPerCoreSecond: real("seeds_per_core_second"),
      p50Milliseconds: real("p50_milliseconds"), p95Milliseconds: real("p95_milliseconds"),
      deviceHoursPerCoreSecond: real("device_hours_per_core_second"),
      peakBytes: json.count(of: "peak_bytes"), residentBytes: json.count(of: "resident_bytes"))
  }

  private init(
    profile: String, seeds: Int, seedsPerSecond: Double, seedsPerCoreSecond: Double,
    p50Milliseconds: Double, p95Milliseconds: Double, deviceHoursPerCoreSecond: Double,
    peakBytes: Int, residentBytes: Int
  ) {
    self.profile = profile
    self.seeds = seeds
    self.seedsPerSecond = seedsPerSecond
    self.seedsPerCoreSecond = seedsPerCoreSecond
    self.p50Milliseconds = p50Milliseconds
    self.p95Milliseconds = p95Milliseconds
    self.deviceHoursPerCoreSecond = deviceHoursPerCoreSecond
    self.peakBytes = peakBytes
    self.residentBytes = residentBytes
  }
}
