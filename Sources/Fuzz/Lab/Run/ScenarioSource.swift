import FuzzScenario

/// Where scenarios come from: a seed or a file.
public enum ScenarioSource {
  public static let profileNames: [String] = Profile.all.map(\.name)

  /// The scenario of a seed.
  /// - Parameters:
  ///   - seed: 0 to `Scenario.largestSeed`.
  ///   - profile: one of `profileNames`.
  ///   - days: how long it lasts, in place of what the seed drew.
  public static func generate(seed: UInt64, profile: String, days: Int? = nil) -> Scenario {
    precondition(seed <= Scenario.largestSeed, "seeds are checked where they are read")
    guard let profile = Profile.named(profile) else {
      preconditionFailure("profiles are checked where they are read")
    }
    var scenario = Scenario.generate(seed: seed, profile: profile, days: days)
    scenario.provenance?.build = BuildIdentity.current
    return scenario
  }

  /// Reads a stored scenario.
  /// - Throws: `InputError` with the place that is wrong and the mend.
  public static func read(_ path: String) throws -> Scenario {
    let bytes = try InputFile.read(path)
    do throws(ScenarioFileError) {
      return try Scenario(fileBytes: bytes)
    } catch {
      throw InputError(
        file: path, place: error.path, problem: error.problem, mend: error.mend)
    }
  }
}
