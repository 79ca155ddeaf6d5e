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
    for (_, defect) in chosen where defect.test == nil { _ = try baseline(of: defect) }
    for (number, defect) in chosen where defect.kind.isSwitched && defect.test == nil {
      if Interruption.isRequested { return }
      receive(try hunt(defect, number: number))
    }
    try huntInTests(
      chosen.filter { $0.defect.kind.isSwitched && $0.defect.test != nil }, receive)
    for (_, defect) in chosen where !defect.kind.isSwitched {
      if Interruption.isRequested { return }
      let planted = try copy.plant(switched, declaration: defect)
      if defect.test != nil {
        try huntInTests([(0, defect)], receive)
        continue
      }
      try copy.build(planted, what: defect.id, progress)
      receive(try hunt(defect, number: 0))
    }
  }

  /// Defects that no device can show: the tests that each names must pass without it and fail with
  /// it, or not compile any more.
  private func huntInTests(
    _ chosen: [(number: Int, defect: PlantedDefect)], _ receive: (Result) -> Void
  ) throws {
    let tests = TestRun(copy: copy)
    for (number, defect) in chosen {
      guard let filter = defect.test, !Interruption.isRequested else { return }
      let tick = { [progress] in progress.show("\(defect.id): testing") }
      let environment = [(name: PlantedSources.variable, value: "\(number)")]
      var result = Result(defect: defect)
      result.seeds = 1
      let error = try tests.build(tick: tick)
      if let error, defect.kind.isSwitched {
        throw LabError("the tests in \(copy.folder) do not build: \(error)")
      }
      // A declaration has no switch: the copy is never without it.
      let isHealthy =
        try !defect.kind.isSwitched
        || tests.passes(filter, HealthyBaseline.environment, tick: tick)
      guard isHealthy else {
        throw InputError(
          file: defect.source, place: "defect \(defect.id)",
          problem: "its test '\(filter)' fails without it", mend: "name a test that passes")
      }
      if try error != nil || !tests.passes(filter, environment, tick: tick) {
        result.add(Result.Catch(invariant: "test", signature: "test " + filter, test: filter))
      }
      progress.clear()
      receive(result)
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

  /// What healthy runs of a defect's seeds show.
  private func baseline(of defect: PlantedDefect) throws -> HealthyBaseline {
    let profiles = profiles(of: defect)
    if let known = baselines.first(where: { $0.profiles == profiles }) { return known }
    let baseline = try HealthyBaseline(campaignPlan(profiles), copy, progress)
    baselines.append(baseline)
    return baseline
  }

  private func hunt(_ defect: PlantedDefect, number: Int) throws -> Result {
    var result = Result(defect: defect)
    let environment = [(name: PlantedSources.variable, value: "\(number)")]
    let baseline = try baseline(of: defect)
    let jury = try ScenarioJury(
      program: copy.program, environment: environment, jobs: plan.jobs,
      runsTwice: defect.isRunTwice, healthy: healthyJury(of: defect))
    try huntInScenarios(&result, jury)
    if !result.isComplete {
      let campaign = try campaign(defect, environment, baseline, from: 0) { [result] in
        result.adding($0).isComplete
      }
      result = result.adding(campaign.summary)
    }
    if plan.shrinks { try reduce(&result, jury, environment, baseline) }
    return result
  }

  /// The same sources without the defect.
  private func healthyJury(of defect: PlantedDefect) throws -> ScenarioJury {
    // The copy of a declaration has no build without it; the command that runs now is one.
    defect.kind.isSwitched
      ? try ScenarioJury(
        program: copy.program, environment: HealthyBaseline.environment, jobs: plan.jobs)
      : try ScenarioJury(jobs: plan.jobs)
  }

  /// Runs seeds with a defect, until enough was found that healthy runs do not show.
  private func campaign(
    _ defect: PlantedDefect, _ environment: [(name: String, value: String)],
    _ baseline: HealthyBaseline, from seed: UInt64,
    until isEnough: @escaping (CampaignSummary) -> Bool
  ) throws -> Campaign {
    var campaignPlan = campaignPlan(profiles(of: defect))
    campaignPlan.seeds = seed...(seed + plan.seedsPerDefect - 1)
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
    campaign.isEnough = isEnough
    try campaign.run()
    progress.clear()
    return campaign
  }

  /// Runs the stored scenarios that a defect names.
  private func huntInScenarios(_ result: inout Result, _ jury: ScenarioJury) throws {
    for path in result.defect.scenarios {
      let scenario = try ScenarioSource.read(copy.root + "/" + path)
      result.seeds += 1
      for finding in try jury.findings(of: [scenario])[0] {
        result.add(
          Result.Catch(
            invariant: finding.invariant, signature: finding.signature, scenario: path))
      }
    }
  }
}

// MARK: Reducing

extension DefectHunt {
  /// A reduced scenario with more actions is not easily read: other seeds may do better.
  private static let fewActions = 12
  private static let mostSeeds = 4

  /// Reduces what caught a defect to a scenario that shows it and is clean without it.
  private func reduce(
    _ result: inout Result, _ jury: ScenarioJury,
    _ environment: [(name: String, value: String)], _ baseline: HealthyBaseline
  ) throws {
    guard let caught = result.caught else { return }
    if let path = caught.scenario {
      try reduce(try ScenarioSource.read(copy.root + "/" + path), &result, jury)
      return
    }
    var next = caught.seed
    var profile = caught.profile
    for _ in 0..<DefectHunt.mostSeeds {
      guard let seed = next, let name = profile, !Interruption.isRequested else { return }
      try reduce(ScenarioSource.generate(seed: seed, profile: name), &result, jury)
      if let actions = result.shrunkActions, actions <= DefectHunt.fewActions { return }
      let others = try campaign(result.defect, environment, baseline, from: seed + 1) {
        $0.bugs.contains { $0.signature == caught.signature }
      }
      let other = others.summary.bugs.first { $0.signature == caught.signature }
      next = other?.seed
      profile = other?.profile
    }
  }

  /// Reduces one scenario; the smallest so far is kept.
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
    let actions = reduced.scenario.actions.count
    if let least = result.shrunkActions, least <= actions { return }
    result.shrunkActions = actions
    result.isMinimal = reduced.isMinimal
    guard let out = plan.out else { return }
    try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
    try AtomicFile.write(reduced.scenario.fileText, to: out + "/\(result.defect.id).json")
  }
}
