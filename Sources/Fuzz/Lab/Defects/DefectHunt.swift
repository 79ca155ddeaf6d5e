import Foundation
import FuzzHistory
import FuzzScenario

/// Plants known defects one after the other and tells whether and how soon the lab catches each.
///
/// Only what the same sources without the defect do not show counts: a defect is caught by a
/// signature that no healthy run of the same seeds has.
public final class DefectHunt {
  /// How a hunt is done.
  public struct Plan: Sendable {
    public var seedsPerDefect: UInt64 = 300
    public var jobs: Int = 1
    public var profiles: [String] = ["default"]
    /// Ids; empty is all.
    public var only: [String] = []
    public var shrinks: Bool = true
    /// The time for one reduction.
    public var shrinkMinutes: Double = 2
    /// Where reduced scenarios are written, one file a defect; nil keeps none.
    public var out: String?

    public init() {}
  }

  private let plan: Plan
  private let copy: PlantedCopy
  private let defects: [(number: Int, defect: PlantedDefect)]
  private let progress: Progress
  private var baselines: [HealthyBaseline] = []

  /// Reads the defects of a package.
  /// - Throws: `InputError` for a defect that cannot be read or an id that does not exist.
  public init(_ plan: Plan, package: String?, progress: Progress) throws {
    let root = try PackageRoot.find(named: package)
    let all = try PlantedDefect.all(in: root)
    if all.isEmpty {
      throw InputError(
        file: root + "/Tests/Planted", problem: "holds no planted defect",
        mend: "give --package another folder, or plant one")
    }
    for id in plan.only where !all.contains(where: { $0.id == id }) {
      throw InputError(
        file: root + "/Tests/Planted", problem: "has no defect '\(id)'",
        mend: "see 'simlab list defects'")
    }
    self.plan = plan
    self.progress = progress
    copy = try PlantedCopy(of: root)
    // Numbers follow from all defects, so that the copy stays the same whichever are hunted.
    defects = all.enumerated().map { ($0.offset + 1, $0.element) }
  }

  /// Hunts all chosen defects.
  /// - Parameter receive: takes each result as it comes.
  public func run(receive: (Result) -> Void) throws {
    let switched = defects.filter { $0.defect.kind.isSwitched }
    let chosen = defects.filter { plan.only.isEmpty || plan.only.contains($0.defect.id) }
    try copy.build(
      copy.plant(switched), what: "\(switched.count) planted statements", progress)
    // The healthy runs of all come first: a declaration replaces the build that they need.
    for (_, defect) in chosen { _ = try baseline(of: defect) }
    for (number, defect) in chosen where defect.kind.isSwitched {
      if Interruption.isRequested { return }
      receive(try hunt(defect, number: number))
    }
    for (_, defect) in chosen where !defect.kind.isSwitched {
      if Interruption.isRequested { return }
      try copy.build(copy.plant(switched, declaration: defect), what: defect.id, progress)
      receive(try hunt(defect, number: 0))
    }
  }

  private func profiles(of defect: PlantedDefect) -> [String] {
    defect.profiles.isEmpty ? plan.profiles : defect.profiles
  }

  private func campaignPlan(_ profiles: [String]) -> CampaignPlan {
    var campaignPlan = CampaignPlan()
    campaignPlan.profiles = profiles
    campaignPlan.seeds = 0...(plan.seedsPerDefect - 1)
    campaignPlan.jobs = plan.jobs
    return campaignPlan
  }

  /// What healthy runs of a defect's seeds and scenarios show.
  private func baseline(of defect: PlantedDefect) throws -> HealthyBaseline {
    let profiles = profiles(of: defect)
    let baseline: HealthyBaseline
    if let known = baselines.first(where: { $0.profiles == profiles }) {
      baseline = known
    } else {
      baseline = try HealthyBaseline(campaignPlan(profiles), copy, progress)
      baselines.append(baseline)
    }
    for path in defect.scenarios {
      try baseline.add(try ScenarioSource.read(copy.root + "/" + path), path: path)
    }
    return baseline
  }

  private func hunt(_ defect: PlantedDefect, number: Int) throws -> Result {
    var result = Result(defect: defect)
    let environment = [(name: PlantedSources.variable, value: "\(number)")]
    let baseline = try baseline(of: defect)
    let jury = try ScenarioJury(
      program: copy.program, environment: environment, jobs: plan.jobs,
      runsTwice: defect.isRunTwice)
    try huntInScenarios(&result, jury, baseline)
    if !result.isComplete { try huntInSeeds(&result, environment, baseline) }
    if plan.shrinks, let scenario = try scenario(of: result) {
      try reduce(scenario, &result, jury)
    }
    return result
  }

  private func huntInSeeds(
    _ result: inout Result, _ environment: [(name: String, value: String)],
    _ baseline: HealthyBaseline
  ) throws {
    let defect = result.defect
    var campaignPlan = campaignPlan(profiles(of: defect))
    campaignPlan.determinismPercent = defect.isRunTwice ? 100 : 0
    let campaign = try Campaign(
      campaignPlan, program: copy.program, environment: environment, progress: nil,
      receive: { _ in })
    campaign.onStep = { [progress, unowned campaign] in
      progress.show("\(defect.id): \(campaign.summary.seeds) runs")
    }
    campaign.filter = { report in
      var report = report
      report.findings.removeAll { baseline.contains($0.signature) }
      return report
    }
    let before = result
    campaign.isEnough = { summary in before.adding(summary).isComplete }
    try campaign.run()
    progress.clear()
    result = before.adding(campaign.summary)
  }

  /// Runs the stored scenarios that a defect names.
  private func huntInScenarios(
    _ result: inout Result, _ jury: ScenarioJury, _ baseline: HealthyBaseline
  ) throws {
    for path in result.defect.scenarios {
      let scenario = try ScenarioSource.read(copy.root + "/" + path)
      result.seeds += 1
      for finding in try jury.findings(of: [scenario])[0]
      where !baseline.contains(finding.signature, in: path) {
        result.add(
          Result.Catch(
            invariant: finding.invariant, signature: finding.signature, scenario: path))
      }
    }
  }

  /// The scenario in which a defect was caught.
  private func scenario(of result: Result) throws -> Scenario? {
    guard let caught = result.caught else { return nil }
    if let path = caught.scenario { return try ScenarioSource.read(copy.root + "/" + path) }
    guard let seed = caught.seed, let profile = caught.profile else { return nil }
    return ScenarioSource.generate(seed: seed, profile: profile)
  }

  /// Reduces what caught a defect; the reduced scenario must be clean without it.
  private func reduce(_ scenario: Scenario, _ result: inout Result, _ jury: ScenarioJury) throws {
    guard let caught = result.caught else { return }
    progress.show("\(result.defect.id): reducing what shows \(caught.signature)")
    // Two runs that differ say less here than in the campaign, which traces them.
    guard
      let finding = try jury.findings(of: [scenario])[0].first(where: {
        $0.signature == caught.signature
          || caught.invariant == "INV-89" && $0.invariant == caught.invariant
      })
    else { return }
    let shrinker = Shrinker(
      jury, jobs: plan.jobs, minutes: plan.shrinkMinutes, progress: progress)
    let reduced = try shrinker.shrink(scenario, finding: finding)
    result.shrunkActions = reduced.scenario.actions.count
    result.isMinimal = reduced.isMinimal
    if result.defect.kind.isSwitched {
      let healthy = try HealthyBaseline.findings(of: reduced.scenario, copy)
      result.isHealthyToo = healthy.contains { $0.signature == finding.signature }
    }
    guard let out = plan.out else { return }
    try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
    try AtomicFile.write(reduced.scenario.fileText, to: out + "/\(result.defect.id).json")
  }
}
