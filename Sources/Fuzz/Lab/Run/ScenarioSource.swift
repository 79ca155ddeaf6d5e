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
    try refuseOtherFormats(bytes, path)
    do throws(ScenarioFileError) {
      return try Scenario(fileBytes: bytes)
    } catch {
      throw InputError(
        file: path, place: error.path, problem: error.problem, mend: error.mend)
    }
  }

  /// A history or a trace in a scenario's place is an honest mistake with a mend of its own.
  private static func refuseOtherFormats(_ bytes: [UInt8], _ path: String) throws {
    let others = [
      ("a history", "{\"format\":\"simlab history\"", "judge it with `simlab judge FILE`"),
      ("a trace", TraceFile.headStart, "compare it with `simlab diff A B`"),
    ]
    for (name, head, use) in others where bytes.starts(with: head.utf8) {
      throw InputError(
        file: path, problem: "is \(name) and no scenario",
        mend: "\(use), or write a scenario with `simlab run --save FILE`")
    }
  }
}
