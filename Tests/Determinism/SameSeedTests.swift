import Foundation
import Fuzz
import FuzzScenario
import FuzzWorld
import SimKernel
import Testing

/// One seed gives one history (LAB-02, INV-89): twice in one process, alone and after other seeds,
/// and in processes of their own.
@Suite struct SameSeedTests {
  /// Ten seeds in each profile; plain `swift test` takes three.
  static let seeds: [UInt64] =
    ProcessInfo.processInfo.environment["SIMLAB_HEAVY"] == nil ? [1, 2, 3] : Array(1...10)

  private struct Outcome: Equatable {
    var hash: UInt64
    var events: UInt64
    var findings: [String]
    var historyBytes: Int
  }

  private func outcome(_ seed: UInt64, _ profile: String, sink: (any TraceSink)? = nil) -> Outcome {
    var options = RunOptions()
    options.sink = sink
    let run = CompletedRun(
      running: ScenarioSource.generate(seed: seed, profile: profile), options: options)
    return Outcome(
      hash: run.result.traceHash, events: run.result.events,
      findings: run.findings.map(\.signature), historyBytes: run.result.history.arena.count)
  }

  @Test(arguments: Profile.all.map(\.name))
  func aloneAndAfterOthers(profile: String) {
    let first = SameSeedTests.seeds.map { outcome($0, profile) }
    let second = SameSeedTests.seeds.reversed().map { outcome($0, profile) }
    #expect(first == second.reversed())
    #expect(first.allSatisfy { $0.events > 100 })
    #expect(Set(first.map(\.hash)).count == first.count, "different seeds are different runs")
  }

  /// Watching a run changes nothing in it.
  @Test func watchedAndUnwatched() {
    let sink = JSONLinesSink { _ in }
    #expect(outcome(1, "default") == outcome(1, "default", sink: sink))
  }

  /// Two fresh processes and this one agree, whatever the seeds of their hash tables.
  @Test(
    .enabled(if: BuiltCommand.given != nil, "needs SIMLAB_BINARY"),
    arguments: Profile.all.map(\.name))
  func inFreshProcesses(profile: String) throws {
    let command = try #require(BuiltCommand.given)
    for seed in SameSeedTests.seeds {
      let expected = String(outcome(seed, profile).hash, radix: 16)
      let arguments = ["run", "--seed", "\(seed)", "--profile", profile, "--json"]
      for _ in 0..<2 {
        let output = try command.run(arguments)
        let object = try JSONSerialization.jsonObject(with: Data(output.text.utf8))
        let hash = (object as? [String: Any])?["trace_hash"] as? String
        #expect(hash?.drop { $0 == "0" } == expected.drop { $0 == "0" })
      }
    }
  }
}
