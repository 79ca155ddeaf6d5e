import Foundation
import FuzzHistory

/// Plants known defects one after the other and tells whether and how soon the lab catches each.
public final class DefectHunt {
  /// What became of one defect.
  public struct Result: Sendable {
    public var defect: PlantedDefect
    /// Whether anything was found that is not found without it.
    public var isCaught: Bool = false
    /// The invariant that caught it.
    public var invariant: String?
    public var signature: String?
    /// How many runs it took, or were spent in vain.
    public var seeds: Int = 0
    public var cpuSeconds: Double = 0
    /// The run that caught it.
    public var seed: UInt64?
    public var profile: String?
    /// The stored scenario that caught it.
    public var scenario: String?
    /// Whether one of the invariants fired that the defect names.
    public var isAsExpected: Bool {
      guard let invariant else { return false }
      return defect.invariants.isEmpty || defect.invariants.contains(invariant)
    }
    /// Actions left in the reduced scenario.
    public var shrunkActions: Int?
  }

  /// How a hunt is done.
  public struct Plan: Sendable {
    public var seedsPerDefect: UInt64 = 300
    public var jobs: Int = 1
    public var profiles: [String] = ["default"]
    /// Ids; empty is all.
    public var only: [String] = []
    public var shrinks: Bool = true

    public init() {}
  }

  private let plan: Plan
  private let copy: PlantedCopy
  private let defects: [(number: Int, defect: PlantedDefect)]
  private let progress: Progress

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
    let statements = defects.filter { $0.defect.kind.isSwitched }
    let chosen = defects.filter { plan.only.isEmpty || plan.only.contains($0.defect.id) }
    let chosenStatements = chosen.filter { $0.defect.kind.isSwitched }
    if !chosenStatements.isEmpty {
      try build(copy.plant(statements), what: "\(statements.count) planted statements")
      for (number, defect) in chosenStatements {
        if Interruption.isRequested { return }
        receive(try hunt(defect, number: number))
      }
    }
    for (_, defect) in chosen where defect.kind == .declaration {
      if Interruption.isRequested { return }
      try build(copy.plant(statements, declaration: defect), what: defect.id)
      receive(try hunt(defect, number: 0))
    }
  }

  private func build(_ planted: [PlantedSources.File], what: String) throws {
    progress.show("building \(what)")
    try copy.build(planted) {
      progress.show("building \(what), \(Int(progress.seconds)) s")
    }
    progress.clear()
  }

  private func hunt(_ defect: PlantedDefect, number: Int) throws -> Result {
    var result = Result(defect: defect)
    let environment = [(name: PlantedSources.variable, value: "\(number)")]
    let baseline = try baseline(of: defect)
    if try huntInScenarios(&result, environment: environment, baseline: baseline) {
      return result
    }
    var campaignPlan = CampaignPlan()
    campaignPlan.profiles = defect.profiles.isEmpty ? plan.profiles : defect.profiles
    campaignPlan.seeds = 0...(plan.seedsPerDefect - 1)
    campaignPlan.jobs = plan.jobs
    campaignPlan.determinismPercent = defect.isRunTwice ? 100 : 0
    let campaign = try Campaign(
      campaignPlan, program: copy.program, environment: environment, progress: nil,
      receive: { _ in })
    campaign.onStep = { [progress, unowned campaign] in
      progress.show("\(defect.id): \(campaign.summary.seeds) runs")
    }
    campaign.filter = { try DefectHunt.new(in: $0, beside: baseline) }
    // Other invariants may fire before those that the defect is about.
    campaign.isEnough = { summary in
      summary.bugs.contains {
        defect.invariants.isEmpty || defect.invariants.contains($0.invariant)
      }
    }
    try campaign.run()
    progress.clear()
    result.seeds += campaign.summary.seeds
    result.cpuSeconds += campaign.summary.cpuSeconds
    let bugs = campaign.summary.bugs
    let expected = bugs.first { defect.invariants.contains($0.invariant) }
    if let bug = expected ?? bugs.first {
      result.isCaught = true
      result.invariant = bug.invariant
      result.signature = bug.signature
      result.seed = bug.seed
      result.profile = bug.profile
      // What shows only in the second of two runs cannot be reduced run by run.
      if plan.shrinks, !defect.isRunTwice {
        result.shrunkActions = try reducedActions(
          ["--seed=\(bug.seed)", "--profile=\(bug.profile)"], signature: bug.signature,
          environment: environment)
      }
    }
    return result
  }

  /// The same sources without the defect: what is found there too, the defect did not cause.
  private func baseline(of defect: PlantedDefect) throws -> ScenarioJury {
    // The copy of a declaration has no build without it; the command that runs now is one.
    defect.kind.isSwitched
      ? try ScenarioJury(
        program: copy.program, environment: [(PlantedSources.variable, "0")], jobs: 1)
      : try ScenarioJury(jobs: 1)
  }

  private static func new(in report: RunReport, beside baseline: ScenarioJury) throws -> RunReport {
    guard let seed = report.seed else { return report }
    let scenario = ScenarioSource.generate(seed: seed, profile: report.profile)
    let old = try baseline.findings(of: [scenario])[0].map(\.signature)
    var report = report
    report.findings.removeAll { old.contains($0.signature) }
    return report
  }

  /// Runs the stored scenarios that a defect names.
  /// - Returns: whether one of them caught it.
  private func huntInScenarios(
    _ result: inout Result, environment: [(name: String, value: String)], baseline: ScenarioJury
  ) throws -> Bool {
    if result.defect.scenarios.isEmpty { return false }
    let jury = try ScenarioJury(
      program: copy.program, environment: environment, jobs: plan.jobs)
    for path in result.defect.scenarios {
      let scenario = try ScenarioSource.read(copy.root + "/" + path)
      result.seeds += 1
      let found = try jury.findings(of: [scenario])[0]
      let old = try baseline.findings(of: [scenario])[0].map(\.signature)
      let new = found.filter { !old.contains($0.signature) }
      let named = new.first { result.defect.invariants.contains($0.invariant) }
      guard let finding = named ?? new.first else { continue }
      result.isCaught = true
      result.invariant = finding.invariant
      result.signature = finding.signature
      result.scenario = path
      if plan.shrinks {
        result.shrunkActions = try reducedActions(
          [copy.root + "/" + path], signature: finding.signature, environment: environment)
      }
      return true
    }
    return false
  }

  /// Reduces what caught a defect, by the command of the copy itself.
  private func reducedActions(
    _ subject: [String], signature: String, environment: [(name: String, value: String)]
  ) throws -> Int? {
    let outcome = try ChildRun.run(
      copy.program,
      ["shrink"] + subject
        + ["--signature=\(signature)", "--minutes=2", "--jobs=\(plan.jobs)", "--json"],
      environment: environment, tick: { progress.show("reducing what shows \(signature)") })
    progress.clear()
    guard let line = outcome.output.last, let json = try? JSONValue.parse(line) else { return nil }
    return json["actions"]?.integer.map { Int($0) }
  }
}

extension DefectHunt.Result {
  /// The result as an object.
  public var json: JSONValue {
    .object([
      JSONEntry("id", .string(defect.id)),
      JSONEntry("area", .string(defect.area)),
      JSONEntry("caught", .bool(isCaught)),
      JSONEntry("invariant", .text(invariant)),
      JSONEntry("seeds", .count(seeds)),
      JSONEntry("cpu_seconds", .rounded(cpuSeconds, 2)),
      JSONEntry("shrunk_actions", shrunkActions.map { .count($0) } ?? .null),
      JSONEntry("signature", .text(signature)),
      JSONEntry("seed", .seed(seed)),
      JSONEntry("profile", .text(profile)),
      JSONEntry("scenario", .text(scenario)),
      JSONEntry("as_expected", .bool(isAsExpected)),
      JSONEntry("requirement", .string(defect.requirement)),
      JSONEntry("sentence", .string(defect.sentence)),
    ])
  }

  /// The result as a line for people.
  public var line: String {
    guard isCaught else { return "MISSED  \(defect.id) after \(seeds) runs: \(defect.sentence)" }
    let place = scenario ?? "seed \(seed ?? 0) \(profile ?? "")"
    let actions = shrunkActions.map { ", reduced to \($0) actions" } ?? ""
    let instead =
      isAsExpected ? "" : " in place of \(defect.invariants.joined(separator: ", "))"
    return "caught  \(defect.id) by \(invariant ?? "")\(instead) after \(seeds) "
      + (seeds == 1 ? "run" : "runs") + " (\(place))\(actions): \(defect.sentence)"
  }
}
