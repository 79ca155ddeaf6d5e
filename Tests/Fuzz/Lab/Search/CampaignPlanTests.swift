import Testing

@testable import Fuzz

@Suite struct CampaignPlanTests {
  private func units(_ plan: CampaignPlan) -> [CampaignPlan.Unit] {
    var units: [CampaignPlan.Unit] = []
    while let unit = plan.unit(at: units.count) { units.append(unit) }
    return units
  }

  @Test func everySeedRunsInEveryProfile() {
    var plan = CampaignPlan()
    plan.seeds = 3...5
    plan.profiles = ["calm", "disk"]
    #expect(
      units(plan).map { "\($0.seed) \($0.profile)" } == [
        "3 calm", "3 disk", "4 calm", "4 disk", "5 calm", "5 disk",
      ])
  }

  @Test(arguments: [1, 2, 3, 7, 20]) func shardsShareTheSeedsOut(count: UInt64) {
    var plan = CampaignPlan()
    plan.seeds = 10...26
    let whole = units(plan)
    plan.shardCount = count
    let shards = (0..<count).flatMap { index in
      plan.shardIndex = index
      return units(plan)
    }
    #expect(shards.count == whole.count)
    #expect(Set(shards) == Set(whole))
  }

  @Test func theLargestSeedEndsThePlan() {
    var plan = CampaignPlan()
    plan.seeds = 9_007_199_254_740_990...9_007_199_254_740_991
    #expect(units(plan).map(\.seed) == [9_007_199_254_740_990, 9_007_199_254_740_991])
  }

  @Test func theSeedsThatRunTwiceFollowFromTheSeedAlone() {
    var plan = CampaignPlan()
    plan.seeds = 0...9_999
    plan.determinismPercent = 5
    let checked = units(plan).filter { plan.isChecked($0) }.map(\.seed)
    #expect((400...600).contains(checked.count))
    plan.shardCount = 3
    plan.shardIndex = 1
    #expect(units(plan).filter { plan.isChecked($0) }.allSatisfy { checked.contains($0.seed) })
    plan.determinismPercent = 0
    #expect(!units(plan).contains { plan.isChecked($0) })
    plan.determinismPercent = 100
    #expect(units(plan).allSatisfy { plan.isChecked($0) })
  }
}
