import FuzzScenario
import SimKernel

/// What the copy shows with no defect switched on: nothing of it can count as caught.
final class HealthyBaseline {
  let profiles: [String]
  private let copy: PlantedCopy
  private var signatures = Lookup<String, Void>()
  private var ofScenarios: [(path: String, signatures: [String])] = []

  private static let environment = [(name: PlantedSources.variable, value: "0")]

  /// Runs all seeds of a plan in the copy, which is built.
  init(_ plan: CampaignPlan, _ copy: PlantedCopy, _ progress: Progress) throws {
    profiles = plan.profiles
    self.copy = copy
    let campaign = try Campaign(
      plan, program: copy.program, environment: HealthyBaseline.environment, progress: nil,
      receive: { _ in })
    campaign.onStep = { [unowned campaign] in
      progress.show("without defects, \(plan.words): \(campaign.summary.seeds) runs")
    }
    try campaign.run()
    progress.clear()
    for bug in campaign.summary.bugs { signatures.insert(bug.signature) }
  }

  /// Runs a stored scenario.
  func add(_ scenario: Scenario, path: String) throws {
    if ofScenarios.contains(where: { $0.path == path }) { return }
    let found = try HealthyBaseline.findings(of: scenario, copy).map(\.signature)
    ofScenarios.append((path, found))
  }

  /// Whether a signature comes out of a healthy run of any seed.
  func contains(_ signature: String) -> Bool { signatures.contains(signature) }

  /// Whether a signature comes out of a healthy run of a stored scenario.
  func contains(_ signature: String, in path: String) -> Bool {
    ofScenarios.contains { $0.path == path && $0.signatures.contains(signature) }
  }

  /// The findings of a scenario in the copy without a defect.
  static func findings(of scenario: Scenario, _ copy: PlantedCopy) throws
    -> [RunReport.ReportedFinding]
  {
    try ScenarioJury(program: copy.program, environment: environment, jobs: 1)
      .findings(of: [scenario])[0]
  }
}
