import CommandSupport
import Foundation
import Testing

@testable import Fuzz

/// Workers that die in every way there is, played by the shell.
@Suite struct WorkerPoolTests {
  /// Runs seeds on workers that a line of shell plays: `$seed` is the seed it was given.
  private func outcomes(
    _ script: String, seeds: [UInt64], jobs: Int = 1, limits: WorkerPool.Limits = .init()
  ) throws -> (outcomes: [UInt64: WorkOutcome], deaths: Int) {
    let body = """
      answer() { printf '{"verdict":"pass","trace_hash":"%s","seed":%s}\\n' "$$" "$seed"; }
      while read seed profile; do \(script); done
      """
    let pool = try WorkerPool(
      program: "/bin/sh", arguments: ["-c", body], jobs: jobs, limits: limits)
    for (index, seed) in seeds.enumerated() {
      pool.add(WorkItem(index: index, seed: seed, profile: "default"))
    }
    var outcomes: [UInt64: WorkOutcome] = [:]
    while pool.pending > 0 {
      try pool.step(milliseconds: 50) { item, outcome, _ in outcomes[seeds[item.index]] = outcome }
    }
    return (outcomes, pool.deaths)
  }

  private func kind(_ outcome: WorkOutcome?) -> WorkerDeath.Kind? {
    if case .death(let death) = outcome { return death.kind }
    return nil
  }

  @Test(arguments: [1, 3]) func everySeedIsAnswered(jobs: Int) throws {
    let seeds = Array(0..<40) as [UInt64]
    let result = try outcomes("answer", seeds: seeds, jobs: jobs)
    #expect(result.deaths == 0)
    for seed in seeds {
      guard case .report(let report) = result.outcomes[seed] else {
        Issue.record("seed \(seed) has no report")
        continue
      }
      #expect(report.seed == seed)
    }
  }

  @Test func aDeathIsThatOfTheSeedWhichRan() throws {
    let result = try outcomes(
      "if [ $seed = 5 ]; then kill -SEGV $$; else answer; fi", seeds: Array(0..<12))
    #expect(result.deaths == 1)
    #expect(kind(result.outcomes[5]) == .signal(11))
    #expect(result.outcomes.count == 12)
    #expect((0..<12).filter { kind(result.outcomes[$0]) != nil } == [5])
  }

  @Test func anExitIsADeathToo() throws {
    let result = try outcomes("if [ $seed = 1 ]; then exit 7; fi; answer", seeds: [0, 1, 2])
    #expect(kind(result.outcomes[1]) == .exit(7))
    #expect(result.deaths == 1)
  }

  @Test func aRunThatDoesNotEndIsEnded() throws {
    var limits = WorkerPool.Limits()
    limits.seconds = 1
    let result = try outcomes(
      "if [ $seed = 1 ]; then while :; do :; done; fi; answer", seeds: [0, 1, 2], limits: limits)
    #expect(kind(result.outcomes[1]) == .runaway(seconds: 1))
    #expect(kind(result.outcomes[2]) == nil)
  }

  @Test func memoryWithoutEndIsEnded() throws {
    var limits = WorkerPool.Limits()
    limits.bytes = 1_000
    let result = try outcomes(
      "if [ $seed = 1 ]; then while :; do :; done; fi; answer", seeds: [1], limits: limits)
    guard case .memory(let bytes) = kind(result.outcomes[1]) else {
      Issue.record("\(String(describing: kind(result.outcomes[1])))")
      return
    }
    #expect(bytes > 1_000)
  }

  @Test func itsLastWordsAreKept() throws {
    let result = try outcomes("echo 'Fatal error: gone' >&2; kill -ILL $$", seeds: [3])
    guard case .death(let death) = result.outcomes[3] else {
      Issue.record("seed 3 did not die")
      return
    }
    #expect(death.finding.signature == "LAB-TRAP: Fatal error: gone")
    #expect(death.finding.message.contains("signal 4"))
  }

  @Test func aWorkerThatTalksNonsenseIsAFailureOfTheLab() {
    #expect(throws: LabError.self) { try outcomes("echo nonsense", seeds: [1]) }
    #expect(throws: LabError.self) {
      try outcomes(#"echo '{"error":"no such profile"}'"#, seeds: [1])
    }
  }

  @Test func aProgramThatIsNotThereIsAFailureOfTheLab() {
    #expect(throws: LabError.self) {
      _ = try WorkerPool(program: "/nowhere/simlab", jobs: 1)
    }
  }

  /// So that one which is stuck can end with this process.
  @Test func childrenAreToldWhoTheirParentIs() throws {
    let outcome = try ChildRun.run("/bin/sh", ["-c", "echo $SIMLAB_PARENT"])
    #expect(outcome.output.map { String(decoding: $0, as: UTF8.self) } == ["\(getpid())"])
  }
}
