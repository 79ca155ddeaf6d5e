import Foundation
import FuzzScenario
import SimKernel

extension Campaign {
  /// The most bugs that are reduced; a campaign with more has another problem.
  private static let mostReduced = 20

  /// Reduces the first run of each bug and writes the scenarios, one file a signature.
  /// - Parameter folder: where; nil is a folder for temporary files.
  public func reduce(into folder: String?) throws {
    let folder = folder ?? FileManager.default.temporaryDirectory.path + "/simlab-reduced"
    for place in summary.bugs.indices.prefix(Campaign.mostReduced) {
      if Interruption.isRequested { return }
      let bug = summary.bugs[place]
      let shrinker = try Shrinker(jobs: plan.jobs, minutes: 1, progress: Progress())
      let scenario = ScenarioSource.generate(seed: bug.seed, profile: bug.profile)
      // What shows only now and then, or only after other seeds, cannot be reduced.
      guard
        let finding = try shrinker.findings(of: scenario)
          .first(where: { $0.signature == bug.signature })
      else { continue }
      let result = try shrinker.shrink(scenario, finding: finding)
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      let path = folder + "/" + Campaign.fileName(of: bug.signature) + ".json"
      try AtomicFile.write(result.scenario.fileText, to: path)
      note(scenario: path, actions: result.scenario.actions.count, at: place)
    }
  }

  /// A signature as the name of a file; the digits keep long ones apart.
  static func fileName(of signature: String) -> String {
    var name = ""
    for character in signature.lowercased() {
      let isPlain = character.isASCII && (character.isLetter || character.isNumber)
      if isPlain { name.append(character) } else if name.last != "-" { name.append("-") }
    }
    var hash = TraceHash()
    Array(signature.utf8).withUnsafeBytes { hash.combine(bytes: $0) }
    return name.prefix(60) + "-" + Figures.hash(hash.value).suffix(4)
  }
}
