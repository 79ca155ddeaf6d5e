import SimKernel

/// What the copy shows in seeds with no defect switched on: nothing of it can count as caught.
final class HealthyBaseline {
  let profiles: [String]
  private var signatures = Lookup<String, Void>()

  static let environment = [(name: PlantedSources.variable, value: "0")]

  /// Runs all seeds of a plan in the copy, which is built.
  init(_ plan: CampaignPlan, _ copy: PlantedCopy, _ progress: Progress) throws {
    profiles = plan.profiles
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

  /// Whether a signature comes out of a healthy run of any seed.
  func contains(_ signature: String) -> Bool { signatures.contains(signature) }
}
