import FuzzInvariants
import SimKernel

/// Equal crashes have one `stack_hash`, whatever device had them: INV-52 over the runs of a
/// campaign.
///
/// What it says of a run hangs on the runs before it in the order of the plan, and on nothing else.
struct CrashFold {
  static let invariant = "INV-52"
  static let signature = invariant + " equal crashes of two runs have two hashes"
  private static let requirements =
    Judge.catalogue.first { $0.id == invariant }?.requirements ?? []

  /// The first run that had a crash.
  private struct Sighting {
    var stackHash: String
    var process: Int32
    var seed: UInt64
    var profile: String
  }

  private var first = Lookup<UInt64, Sighting>()

  init() {}

  /// Takes in the crashes of one run, and adds what contradicts earlier ones to its findings.
  /// - Returns: whether there was something to compare.
  mutating func take(_ report: inout RunReport) -> Bool {
    guard let seed = report.seed else { return false }
    var hasCompared = false
    for crash in report.crashHashes {
      guard let known = first[crash.crash] else {
        first[crash.crash] = Sighting(
          stackHash: crash.stackHash, process: crash.process, seed: seed, profile: report.profile)
        continue
      }
      hasCompared = true
      if known.stackHash == crash.stackHash { continue }
      report.verdict = .fail
      report.findings.append(
        RunReport.ReportedFinding(
          invariant: Self.invariant, requirements: Self.requirements, atSeconds: 0,
          process: Int(crash.process),
          message: "The crash of process \(crash.process) equals that of process \(known.process)"
            + " in seed \(known.seed) of \(known.profile) (simlab run --seed \(known.seed)"
            + " --profile \(known.profile)), and they were sent with \(crash.stackHash) and"
            + " \(known.stackHash).",
          signature: Self.signature))
    }
    return hasCompared
  }
}
