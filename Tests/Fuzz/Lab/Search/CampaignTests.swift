import CommandSupport
import Foundation
import FuzzHistory
import Testing

@testable import Fuzz

/// Campaigns over commands that a shell script plays.
@Suite struct CampaignTests {
  private let folder = TemporaryFolder()

  /// A command whose worker answers by the given line and whose `run` writes the given trace.
  private func program(worker: String, trace: String = "") throws -> String {
    let script = """
      #!/bin/sh
      if [ "$1" = run ]; then
        for word in "$@"; do case $word in --trace=*) path=${word#--trace=} ;; esac; done
        { echo '{"format":"simlab trace","version":1}'; \(trace.isEmpty ? ":" : trace); } > "$path"
        exit 0
      fi
      answer() {
        printf '{"seed":%s,"profile":"%s","verdict":"pass","trace_hash":"%s"' $seed $profile $1
        printf ',"marks":{"process.killed_in_flight":1},"findings":[%s]' "$2"
        printf ',"crash_hashes":[%s]}\\n' "$3"
      }
      crash() { printf '{"crash":"%016d","stack_hash":"%s","process":2}' "$1" "$2"; }
      finding() { printf '{"invariant":"INV-01","signature":"%s"}' "$1"; }
      while read seed profile; do \(worker); done
      """
    let path = try folder.write(script, as: "simlab")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  private func run(
    _ program: String, _ change: (inout CampaignPlan) -> Void = { _ in }
  ) throws -> (campaign: Campaign, lines: [JSONValue]) {
    var plan = CampaignPlan()
    plan.seeds = 0...29
    change(&plan)
    var lines: [JSONValue] = []
    let campaign = try Campaign(plan, program: program, progress: nil) { line in
      lines.append(try JSONValue.parse(Array(line.utf8)))
    }
    try campaign.run()
    return (campaign, lines)
  }

  @Test(arguments: [1, 2, 5]) func resultsComeInTheOrderOfThePlan(jobs: Int) throws {
    // Later seeds of a worker answer sooner.
    let program = try program(worker: "if [ $((seed % 4)) = 0 ]; then sleep 0.02; fi; answer 1 ''")
    let (campaign, lines) = try run(program) { $0.jobs = jobs }
    #expect(lines.map { $0["seed"]?.integer } == Array(0..<30))
    #expect(campaign.summary.isComplete)
    #expect(campaign.summary.marks["process.killed_in_flight"] == 30)
    #expect(!campaign.summary.neverReached.contains("process.killed_in_flight"))
    #expect(!campaign.summary.neverReached.isEmpty)
  }

  @Test(arguments: [1, 3]) func oneSignatureIsOneBug(jobs: Int) throws {
    let program = try program(
      worker: """
        case $((seed % 10)) in
          3) answer 1 "$(finding three)" ;;
          7) answer 1 "$(finding three),$(finding seven)" ;;
          *) answer 1 '' ;;
        esac
        """)
    let (campaign, _) = try run(program) { $0.jobs = jobs }
    let bugs = campaign.summary.bugs
    #expect(bugs.map(\.signature) == ["three", "seven"])
    #expect(bugs.map(\.runs) == [6, 3])
    #expect(bugs.map(\.seed) == [3, 7])
    #expect(campaign.summary.findings == 9)
  }

  /// The run that is told of, and the one that it names, hang on the plan alone (INV-52).
  @Test(arguments: [1, 2, 5]) func equalCrashesOfTwoRunsHaveOneHash(jobs: Int) throws {
    let program = try program(
      worker: """
        case $seed in
          4) sleep 0.05; answer 1 '' "$(crash 1 aa),$(crash 2 bb)" ;;
          9) answer 1 '' "$(crash 1 aa)" ;;
          11) answer 1 '' "$(crash 2 cc)" ;;
          *) answer 1 '' ;;
        esac
        """)
    let (campaign, lines) = try run(program) { $0.jobs = jobs }
    #expect(campaign.summary.bugs.map(\.signature) == [CrashFold.signature])
    #expect(campaign.summary.bugs.map(\.seed) == [11])
    #expect(campaign.summary.antecedents["INV-52"] == 2)
    #expect(lines.filter { $0["verdict"]?.string == "fail" }.map { $0["seed"]?.integer } == [11])
    let message = lines[11]["findings"]?.array?.first?["message"]?.string ?? ""
    #expect(message.contains("in seed 4 of default"), "\(message)")
  }

  @Test(arguments: [1, 4]) func enoughFindingsEndIt(jobs: Int) throws {
    let program = try program(worker: #"answer 1 "$(finding "$((seed / 4))")""#)
    let (campaign, lines) = try run(program) {
      $0.jobs = jobs
      $0.maxFindings = 2
    }
    #expect(lines.count == 5)
    #expect(campaign.summary.bugs.count == 2)
    #expect(!campaign.summary.isComplete)
  }

  @Test func aTrapIsAFindingOfItsSeed() throws {
    let program = try program(worker: "if [ $seed = 4 ]; then kill -TRAP $$; fi; answer 1 ''")
    let (campaign, lines) = try run(program) { $0.jobs = 2 }
    #expect(lines.count == 30)
    #expect(lines[4]["verdict"]?.string == "fail")
    #expect(campaign.summary.bugs.map(\.invariant) == ["LAB-TRAP"])
    #expect(campaign.summary.workerDeaths == 1)
  }

  @Test(arguments: [1, 2]) func everySeedThatIsCheckedMeetsTwoProcesses(jobs: Int) throws {
    // The hash is that of the process: two runs in one process would agree.
    let program = try program(
      worker: "answer $$ ''",
      trace: #"echo "{\"n\":0,\"t\":5,\"actor\":2,\"kind\":\"disk\",\"detail\":$$}""#)
    let (campaign, lines) = try run(program) {
      $0.jobs = jobs
      $0.determinismPercent = 100
    }
    #expect(campaign.summary.determinismChecked == 30)
    #expect(campaign.summary.determinismFailures == 30)
    #expect(campaign.summary.bugs.map(\.signature) == ["INV-89: disk"])
    let message = lines[0]["findings"]?.array?.first?["message"]?.string ?? ""
    #expect(message.contains("first difference at entry 0"), "\(message)")
  }

  @Test func equalRunsAreNoFinding() throws {
    let (campaign, _) = try run(try program(worker: "answer $seed ''")) {
      $0.jobs = 2
      $0.determinismPercent = 100
    }
    #expect(campaign.summary.determinismChecked == 30)
    #expect(campaign.summary.determinismFailures == 0)
    #expect(campaign.summary.findings == 0)
  }
}
