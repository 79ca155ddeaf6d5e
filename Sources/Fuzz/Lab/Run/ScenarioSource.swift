import FuzzScenario
import SimKernel

/// Where scenarios come from: a seed or a file.
public enum ScenarioSource {
  /// The largest seed: every whole number up to it survives a trip through JSON.
  public static let largestSeed: UInt64 = 9_007_199_254_740_991

  /// The scenario of a seed.
  /// - Parameters:
  ///   - seed: 0 to 2^53 − 1.
  ///   - profile: a name of `ProfileCatalogue`.
  ///   - days: how long it lasts, in place of what the seed drew.
  public static func generate(seed: UInt64, profile: String, days: Int? = nil) -> Scenario {
    var scenario = Scenario()
    scenario.randomness = seed
    scenario.provenance = Provenance(seed: seed, profile: profile, build: "")
    if let days { scenario.duration = .days(Int64(days)) }
    return scenario
  }
}
