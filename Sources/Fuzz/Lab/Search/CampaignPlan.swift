import FuzzScenario
import SimKernel

/// Which seeds a campaign runs, and how.
public struct CampaignPlan: Sendable {
  /// Both ends belong to it.
  public var seeds: ClosedRange<UInt64> = 0...999
  public var profiles: [String] = ["default"]
  /// Every so many seeds are those of this shard, beginning with the `shardIndex`-th.
  public var shardIndex: UInt64 = 0
  public var shardCount: UInt64 = 1
  /// No new seed begins later; nil is no bound.
  public var minutes: Double?
  /// Whether the end of the time is the planned end, not a cut.
  public var isBoundedByTime: Bool = false
  public var jobs: Int = 1
  /// The campaign ends with this many different signatures; nil is no bound.
  public var maxFindings: Int?
  /// How many in a hundred seeds run twice, in two processes.
  public var determinismPercent: UInt64 = 0

  public init() {}

  /// One run: a seed in a profile.
  struct Unit: Hashable, Sendable {
    var seed: UInt64
    var profile: String
  }

  /// The `index`-th run; nil after the last.
  func unit(at index: Int) -> Unit? {
    let offset = UInt64(index / profiles.count) * shardCount + shardIndex
    guard offset <= seeds.upperBound - seeds.lowerBound else { return nil }
    return Unit(
      seed: seeds.lowerBound + offset, profile: profiles[index % profiles.count])
  }

  /// Whether a run is one of those that are checked: a property of the seed alone.
  func isChecked(_ unit: Unit) -> Bool {
    determinismPercent > 0 && mixBits(unit.seed ^ 0x7477_6963_65) % 100 < determinismPercent
  }

  /// The plan as words: `seeds 0 to 999 of default, disk`.
  var words: String {
    let shard = shardCount > 1 ? ", shard \(shardIndex)/\(shardCount)" : ""
    return "seeds \(seeds.lowerBound) to \(seeds.upperBound) of "
      + profiles.joined(separator: ", ") + shard
  }
}
