import Foundation
import Fuzz
import FuzzScenario

/// `simlab fuzz`: a campaign over many seeds.
enum FuzzVerb: Verb {
  static let description = VerbDescription(
    name: "fuzz",
    abstract: "Runs many seeds in worker processes and gathers what they found.",
    usage: "[--seeds A..B] [--minutes M] [options]",
    operands: nil,
    options: [
      OptionDescription("seeds", "A..B", "The seeds A to B, both included (default: 0..999)."),
      OptionDescription(
        "minutes", "M", "Ends after M minutes; without --seeds that is the whole plan."),
      OptionDescription("profile", "P,…", "Profiles, or all (default: default)."),
      OptionDescription("jobs", "J", "Workers at a time (default: one a processor)."),
      OptionDescription(
        "shard", "I/N", "Runs every N-th seed, from the I-th on; 0/N and N/N are the same shard."),
      OptionDescription("out", "DIR", "Writes results.jsonl and reduced scenarios there."),
      OptionDescription("max-findings", "K", "Ends with K different signatures."),
      OptionDescription("no-shrink", nil, "Does not reduce the scenarios that failed."),
      OptionDescription(
        "check-determinism", "PERCENT", "Runs that many in a hundred seeds twice and compares."),
      OptionDescription("json", nil, "Prints the result lines and nothing else."),
    ],
    examples: [
      "simlab fuzz --seeds 0..9999 --jobs 2",
      "simlab fuzz --minutes 30 --profile all --check-determinism 5 --out campaign",
      "simlab fuzz --seeds 0..99999 --shard 1/4 --out shard1",
    ],
    notes: ["Ctrl-C ends it with the summary of what was found so far."])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let plan = try plan(arguments)
    let json = arguments.has("json")
    let results = try arguments["out"].map { try CampaignFolder($0) }
    Interruption.catchSignals()
    let progress = Progress()
    let campaign = try Campaign(plan, progress: progress) { line in
      try results?.add(line)
      if json { Console.line(line) }
    }
    let command = command(arguments)
    if !json { Console.line("\(campaign.title)  (again: \(command))") }
    try campaign.run()
    if !arguments.has("no-shrink") { try campaign.reduce(into: results?.path) }
    try results?.finish(campaign.summaryLine)
    if json {
      Console.line(campaign.summaryLine)
    } else {
      for line in campaign.lines { Console.line(line) }
      Console.line("\(campaign.verdict)  (again: \(command))")
    }
    return status(campaign)
  }

  private static func status(_ campaign: Campaign) -> ExitStatus {
    if campaign.summary.determinismFailures > 0 { return .nonDeterminism }
    if campaign.summary.findings > 0 { return .finding }
    return campaign.summary.isComplete ? .nothingFound : .incomplete
  }

  private static func plan(_ arguments: Arguments) throws -> CampaignPlan {
    var plan = CampaignPlan()
    plan.jobs = try arguments.int("jobs", in: 1...256) ?? Machine.processors
    plan.minutes = try arguments.int("minutes", in: 1...100_000).map { Double($0) }
    plan.maxFindings = try arguments.int("max-findings", in: 1...1_000_000)
    plan.determinismPercent = try arguments.number("check-determinism", in: 0...100) ?? 0
    if arguments["profile"] == "all" {
      plan.profiles = ScenarioSource.profileNames
    } else if let profiles = try arguments.choices(
      "profile", among: ScenarioSource.profileNames + ["all"])
    {
      if profiles.contains("all") { throw arguments.failure("--profile: 'all' stands alone") }
      plan.profiles = profiles
    }
    if let seeds = arguments["seeds"] {
      plan.seeds = try range(seeds, arguments)
    } else if plan.minutes != nil {
      plan.seeds = 0...Scenario.largestSeed
      plan.isBoundedByTime = true
    }
    if let shard = arguments["shard"] {
      (plan.shardIndex, plan.shardCount) = try self.shard(shard, arguments)
    }
    return plan
  }

  private static func range(_ text: String, _ arguments: Arguments) throws -> ClosedRange<UInt64> {
    let ends = text.components(separatedBy: "..")
    guard ends.count == 2, let first = UInt64(ends[0]), let last = UInt64(ends[1]),
      first <= last, last <= Scenario.largestSeed
    else {
      throw arguments.failure(
        "--seeds: '\(text)' is no range of seeds like 0..999, at most up to "
          + "\(Scenario.largestSeed)")
    }
    return first...last
  }

  private static func shard(_ text: String, _ arguments: Arguments) throws -> (UInt64, UInt64) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = UInt64(parts[0]), let count = UInt64(parts[1]),
      count > 0, count <= 1_000_000, index <= count
    else {
      throw arguments.failure("--shard: '\(text)' is no shard like 1/4")
    }
    return (index % count, count)
  }

  private static func command(_ arguments: Arguments) -> String {
    "simlab fuzz" + arguments.typed.map { " " + $0 }.joined()
  }
}
